import { describeReference } from "../requirements/documents";
import { bootstrapSource, nodePoolConditions, nodePoolSource } from "../requirements/rows/ignition";
import { isMap, readFlag, readNumber, readText, readValue } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";

/** The result of a condition for closing the bootstrap ports. */
export type BootstrapStatus = "met" | "unmet" | "unknown";

/** One condition for closing the bootstrap ports. */
export interface BootstrapCheck {
  /** Stable id: `auto-scaling`, `condition-Ready`. */
  id: string;
  /** `NodePool clusters/tenant-a` */
  subject: string;
  expected: string;
  found: string;
  status: BootstrapStatus;
  /** What to do if it is not met. */
  fix?: string;
  /** Document and heading. */
  documented: string;
}

type NodePool = PropertyValue;

/** One check of a NodePool. */
interface Question {
  id: string;
  expected: string;
  /** What the NodePool states, and whether that is as expected; `undefined` if it does not state it. */
  answer: (nodePool: NodePool) => { found: string; isMet: boolean | undefined };
  fix: string;
}

const NOT_SAID = { found: "not stated", isMet: undefined } as const;

/** A machine that is added later fetches its configuration at the ports that are to be closed. */
const questions: readonly Question[] = [
  {
    id: "auto-scaling",
    expected: "no autoscaling",
    answer: (nodePool) => {
      const scaling = readValue(nodePool, "spec.autoScaling");
      if (scaling === UNKNOWN) return NOT_SAID;
      if (scaling === undefined) return { found: "no autoscaling", isMet: true };
      const [min, max] = ["min", "max"].map((end) => readNumber(scaling, end));
      return { found: `scales from ${numberText(min)} to ${numberText(max)}`, isMet: false };
    },
    fix: "leave the ports open, or write spec.replicas instead of spec.autoScaling",
  },
  {
    id: "auto-repair",
    expected: "autoRepair false",
    answer: (nodePool) => {
      // The API server fills in the default.
      const repairs = readFlag(nodePool, "spec.management.autoRepair") ?? false;
      return repairs === UNKNOWN ? NOT_SAID : { found: `autoRepair ${repairs}`, isMet: !repairs };
    },
    fix: "leave the ports open, or write spec.management.autoRepair: false",
  },
  {
    id: "upgrade-type",
    expected: "upgrades InPlace",
    answer: (nodePool) => {
      const type = readText(nodePool, "spec.management.upgradeType");
      if (type === UNKNOWN || type === undefined) return NOT_SAID;
      return { found: `upgrades by ${type}`, isMet: type === "InPlace" };
    },
    fix: "open the ports again before each change of release, configuration or proxy; the upgrade type of a NodePool is immutable",
  },
  {
    id: "replicas",
    expected: "as many nodes as wanted",
    answer: (nodePool) => {
      const [wanted, there] = ["spec.replicas", "status.replicas"].map((path) => readNumber(nodePool, path));
      // With autoscaling no fixed number is wanted.
      if (readValue(nodePool, "spec.autoScaling") !== undefined) return { found: "autoscaling", isMet: true };
      if (typeof wanted !== "number" || there === UNKNOWN) return NOT_SAID;
      return { found: `${there ?? 0} of ${wanted} nodes`, isMet: (there ?? 0) === wanted };
    },
    fix: "wait until the nodes have joined",
  },
  ...nodePoolConditions.map(({ type, wanted, absent }): Question => ({
    id: `condition-${type}`,
    expected: `${type} ${wanted}`,
    answer: (nodePool) => conditionAnswer(nodePool, type, wanted, absent),
    fix:
      wanted === "True"
        ? "wait for it, and check the conditions of the NodePool"
        : "wait until the roll-out is over",
  })),
];

function conditionAnswer(nodePool: NodePool, type: string, wanted: string, absent: boolean | undefined) {
  const conditions = readValue(nodePool, "status.conditions");
  if (conditions === UNKNOWN) return NOT_SAID;
  const all: readonly PropertyValue[] = Array.isArray(conditions) ? conditions : [];
  const condition = all.find((one) => readText(one, "type") === type);
  if (condition === undefined) return { found: "no such condition", isMet: absent };
  const status = readText(condition, "status");
  if (typeof status !== "string" || status === "Unknown") return NOT_SAID;
  const [seen, generation] = [
    readNumber(condition, "observedGeneration"),
    readNumber(nodePool, "metadata.generation"),
  ];
  if (typeof seen === "number" && typeof generation === "number" && seen < generation)
    return { found: `${type} ${status}, for an earlier spec`, isMet: undefined };
  return { found: `${type} ${status}`, isMet: status === wanted };
}

const numberText = (value: number | typeof UNKNOWN | undefined): string =>
  typeof value === "number" ? `${value}` : "an unknown number";

/** `namespace/name` */
function nodePoolKey(nodePool: NodePool): string {
  const [namespace, name] = ["metadata.namespace", "metadata.name"].map((path) => readText(nodePool, path));
  return `${typeof namespace === "string" ? namespace : "?"}/${typeof name === "string" ? name : "?"}`;
}

/** Runs every check on one NodePool. */
const nodePoolChecks = (nodePool: NodePool): BootstrapCheck[] =>
  questions.map(({ id, expected, answer, fix }) => {
    const { found, isMet } = answer(nodePool);
    const status: BootstrapStatus = isMet === undefined ? "unknown" : isMet ? "met" : "unmet";
    const subject = `NodePool ${nodePoolKey(nodePool)}`;
    const documented = describeReference(nodePoolSource);
    return { id, subject, expected, found, status, ...(status !== "met" && { fix }), documented };
  });

/** Whether the bootstrap ports of a hosted cluster can be closed. */
export interface BootstrapPhase {
  /** `yes`: no node can need them. `no`: a node will. `unknown`: the objects do not state it. */
  safe: "yes" | "no" | "unknown";
  checks: BootstrapCheck[];
}

/** What to do before nodes are added while the ports are closed. */
export const REOPENING =
  "Before nodes are added or replaced: write bootstrap: true, apply it, scale or change the NodePools, wait until their nodes are ready, then write bootstrap: false again.";

/**
 * Whether every node has joined and none is added without a manual change: no NodePool autoscales, auto-repairs
 * nodes or replaces them on update, all are ready, and no provisioner such as Karpenter adds nodes.
 *
 * @param nodePools the NodePools of the hosted cluster, as the API server returns them: with their status
 * @param hostedCluster the HostedCluster; if absent, a provisioner is not stated, and HyperShift's default is none
 */
export function bootstrapPhase(
  nodePools: readonly PropertyValue[],
  hostedCluster?: PropertyValue,
): BootstrapPhase {
  const checks = [
    ...(nodePools.length === 0 ? [noNodePool] : nodePools.flatMap(nodePoolChecks)),
    ...provisionerChecks(hostedCluster),
  ];
  const statuses = new Set(checks.map(({ status }) => status));
  return { safe: statuses.has("unmet") ? "no" : statuses.has("unknown") ? "unknown" : "yes", checks };
}

const noNodePool: BootstrapCheck = {
  id: "node-pools",
  subject: "NodePools of the hosted cluster",
  expected: "at least one, whose nodes have joined",
  found: "none",
  status: "unmet",
  fix: "leave the ports open until there are nodes",
  documented: describeReference(bootstrapSource),
};

/** Karpenter creates nodes whenever pods wait for one. */
function provisionerChecks(hostedCluster: PropertyValue | undefined): BootstrapCheck[] {
  const provisioner = readValue(hostedCluster, "spec.autoNode.provisionerConfig");
  if (provisioner === undefined) return [];
  return [
    {
      id: "auto-node",
      subject: "the HostedCluster's autoNode",
      expected: "no provisioner of nodes",
      found: isMap(provisioner) ? Object.keys(provisioner).join(", ") : "not stated",
      status: provisioner === UNKNOWN ? "unknown" : "unmet",
      fix: "leave the ports open: a provisioner creates nodes whenever pods wait for one",
      documented: describeReference(nodePoolSource),
    },
  ];
}
