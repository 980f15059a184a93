import { judgeEgressIp } from "../../src/egressIp/judge";
import { type PropertyValue } from "../../src/resources/resource";

export type Inputs = Record<string, PropertyValue>;

export const right: Inputs = {
  objectName: "egressips-prod",
  addresses: ["192.168.126.10", "192.168.126.102"],
  namespaceSelector: { matchLabels: { env: "prod" } },
  nodes: ["node1", "node3"],
  nodeSubnets: ["192.168.64.0/18"],
};

export const judge = (more: Inputs) => judgeEgressIp({ ...right, ...more });

export const text = ({ path, problem }: { path: string; problem: string }) => `${path} ${problem}`;

export const faults = (more: Inputs) => judge(more).faults.map(text);

export const warnings = (more: Inputs) => judge(more).warnings.map(text);

export const topology = (more: Inputs = {}): PropertyValue => ({
  name: "tenant-a",
  platform: "None",
  release: "4.20",
  machineNetwork: [{ cidr: "192.168.64.0/18" }],
  ...more,
});
