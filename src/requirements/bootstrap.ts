import { HYPERSHIFT_PORTS, HYPERSHIFT, at } from "./documents";

/** Who demands that the ignition ports are closed after the nodes have joined. */
export const bootstrapSource = at(HYPERSHIFT_PORTS, "Sensitive Data Warning");

/** Where NodePools say how they make nodes. */
export const nodePoolSource = at(HYPERSHIFT, "api/hypershift/v1beta1/nodepool_types.go");

/** A condition of a NodePool that has to hold when no node is on its way. */
export interface NodePoolCondition {
  type: string;
  wanted: "True" | "False";
  /** What it means where the NodePool does not have it; undefined: unknown. */
  absent?: boolean;
}

/** HyperShift writes the last three only while, or after, something rolls out. */
export const nodePoolConditions: readonly NodePoolCondition[] = [
  { type: "Ready", wanted: "True" },
  { type: "AllMachinesReady", wanted: "True" },
  { type: "AllNodesHealthy", wanted: "True" },
  { type: "UpdatingVersion", wanted: "False", absent: true },
  { type: "UpdatingConfig", wanted: "False", absent: true },
  { type: "UpdatingPlatformMachineTemplate", wanted: "False", absent: true },
];
