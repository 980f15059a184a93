import { judgeDedicatedNodes } from "../../src/dedicatedNodes/judge";

export const CLUSTER = "hypershift.openshift.io/cluster";
export const CONTROL_PLANE = "hypershift.openshift.io/control-plane";
export const DOCUMENTED = "hypershift.openshift.io/hosted-cluster";

export const topology = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};

/** The faults and warnings of dedicated nodes, one line each. */
export function judged(inputs: object) {
  const { faults, warnings } = judgeDedicatedNodes({ topology, ...inputs });
  const lines = (all: typeof faults) =>
    all.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
  return { faults: lines(faults), warnings: lines(warnings) };
}

export const faults = (inputs: object) => judged(inputs).faults;
