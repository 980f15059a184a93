import { EgressRouterProtocol } from "../../src/egressRouter/egressRouter";
import { judgeEgressRouter } from "../../src/egressRouter/judge";
import { type PropertyValue } from "../../src/resources/resource";

export type Inputs = Record<string, PropertyValue>;

export const { TCP, UDP } = EgressRouterProtocol;

export const rule = { port: 3306, protocol: "TCP", destinationIp: "192.168.12.91" };

export const right: Inputs = {
  namespace: "shop",
  objectName: "egress",
  address: "192.168.12.99/24",
  gateway: "192.168.12.1",
  redirectRules: [rule],
};

export const judge = (more: Inputs) => judgeEgressRouter({ ...right, ...more });

export const text = ({ path, problem }: { path: string; problem: string }) => `${path} ${problem}`;

export const faults = (more: Inputs) => judge(more).faults.map(text);

export const warnings = (more: Inputs) => judge(more).warnings.map(text);

export const attached = { form: "NetworkAttachment", release: "4.20" };

export const oldest: Inputs = {
  release: "4.7",
  redirectRules: null,
  fallbackIp: "192.168.12.91",
  servicePorts: [{ port: 3306, protocol: "TCP" }],
};
