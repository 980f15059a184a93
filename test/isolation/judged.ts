import { judgeIsolation } from "../../src/isolation/judge";
import type { PropertyValue } from "../../src/resources/resource";
import { machines } from "../topology/topologies";

export type Inputs = Record<string, PropertyValue>;

const topology = { name: "tenant-a", platform: "AWS", release: "4.20", ...machines };
export const stated = {
  ...topology,
  managementClusterCidrs: ["10.1.0.0/16"],
  registryCidrs: ["198.51.100.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
};
/** The faults of inputs, one line each. */
export const faultsOf = (inputs: Inputs) =>
  judgeIsolation({ topology: stated, ...inputs }).faults.map(
    ({ path, problem, remedy }) => `${path}  ${problem}: ${remedy}`,
  );
export const warningsOf = (inputs: Inputs) =>
  judgeIsolation({ topology: stated, ...inputs }).warnings.map(
    ({ path, problem, remedy }) => `${path}  ${problem}: ${remedy}`,
  );
/** One policy of the user. */
export const extra = (policy: PropertyValue, name = "extra"): Inputs => ({
  additionalPolicies: { [name]: policy },
});
export const purpose = "Backups read etcd";
