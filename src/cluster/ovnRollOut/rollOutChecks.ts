import {
  internalSubnet,
  type InternalSubnetProperty,
  OVNKUBE_NODE,
  rollOutSource,
} from "../../requirements/internalSubnets";
import { type LiveCheck, type LiveCluster, type LiveObject, LiveStatus, checkOf } from "../liveCluster";
import { until, type Waiting } from "../interruptible";
import { NODES_PATH, areSilent, nodesCheck, sameSubnet } from "./nodes";
import { describeReference } from "../../requirements/documents";
import { rollOutOf } from "../../resources/kubernetesObject";
import { readValue } from "../../resources/read";

const OPERATOR_PATH = "/apis/operator.openshift.io/v1/networks/cluster";

/** The inputs of the checks of a roll-out. */
export interface RollOutQuestion {
  /** The required subnets. */
  wanted: WantedSubnets;
  /** The generation of ovnkube-node before the change. If absent, any generation that is rolled out counts. */
  since?: number | undefined;
}

/** The wanted subnets, one by one. */
export const wantedEntries = (wanted: WantedSubnets): [InternalSubnetProperty, string][] =>
  Object.entries(wanted) as [InternalSubnetProperty, string][];

/**
 * Whether a change of the internal subnets has arrived in a hosted cluster: in its Network operator, with every pod of ovnkube-node,
 * and on the nodes. Each attempt checks all of them, because a state may seem complete only because the change has not reached it
 * yet. Nodes of releases that do not write their addresses are no obstacle if the generation is newer than the one before the change.
 *
 * @throws LiveFault if the cluster does not answer, or refuses
 */
export async function rollOutChecks(
  hosted: LiveCluster,
  question: RollOutQuestion,
  waiting: Waiting,
): Promise<RolledOut> {
  return until(
    () => look(hosted, question, () => waiting.now() >= waiting.deadline),
    waiting,
    ({ isUnsaid }) => isUnsaid,
  );
}

/** All checks at one moment. */
export interface RolledOut {
  checks: LiveCheck[];
  /** Whether only the nodes' addresses are missing, which no node states or will ever state. */
  isUnsaid: boolean;
}

/** With the texts of the first check that did not pass. */
type Look = RolledOut & Pick<LiveCheck, "what" | "found" | "status">;

async function look(
  hosted: LiveCluster,
  { wanted, since }: RollOutQuestion,
  isLast: () => boolean,
): Promise<Look> {
  const operator = await hosted.get(OPERATOR_PATH);
  const settings = wantedEntries(wanted).map(([property, subnet]) =>
    settingCheck(operator, OPERATOR_PLACE, property, subnet),
  );
  const early = [...settings, rollOutCheck(await hosted.get(ROLL_OUT_PATH), since)];
  const areEarlyMet = early.every(isMet);
  // Large clusters have many nodes: they are listed once the rest has arrived, and at the end.
  const nodes = areEarlyMet || isLast() ? await hosted.list(NODES_PATH) : [];
  const late = wantedEntries(wanted).map((entry) => atNodes(nodes, entry, since));
  const checks = [...early, ...late];
  const unmet = checks.find((check) => !isMet(check));
  const { what, found, status } = unmet ?? checks[0]!;
  const isUnsaid = areEarlyMet && wantedEntries(wanted).every(([property]) => areSilent(nodes, property));
  return { checks, what, found, status, isUnsaid };
}

function atNodes(
  nodes: readonly LiveObject[],
  [property, subnet]: [InternalSubnetProperty, string],
  since: number | undefined,
): LiveCheck {
  const { fix, ...check } = nodesCheck(nodes, property, subnet);
  if (since === undefined || !areSilent(nodes, property))
    return { ...check, ...(fix !== undefined && { fix }) };
  const found = `${check.found}; the generation after ${since} decides`;
  return { ...check, found, status: LiveStatus.Passed };
}

const isMet = ({ status }: LiveCheck): boolean => status === LiveStatus.Passed;

/** The DaemonSet that rolls out when internal subnets change. */
const ROLL_OUT_PATH = `/apis/apps/v1/namespaces/${OVNKUBE_NODE.namespace}/daemonsets/${OVNKUBE_NODE.name}`;

/**
 * Whether ovnkube-node is rolled out on every node.
 *
 * @param since its generation before the change: an equal one is the old state, and never passes
 */
export function rollOutCheck(daemonSet: LiveObject | undefined, since: number | undefined): LiveCheck {
  const { found, isDone } = daemonSet
    ? stateOf(daemonSet, since)
    : { found: "no such DaemonSet", isDone: false };
  const newer = since === undefined ? "" : ` of a generation after ${since}`;
  return checkOf(
    {
      id: "ovnkube-node-roll-out",
      what: `the roll-out of DaemonSet ${OVNKUBE_NODE.namespace}/${OVNKUBE_NODE.name}`,
      expected: `every pod updated and available${newer}`,
    },
    { found, status: isDone ? LiveStatus.Passed : LiveStatus.Failed },
    `check its pods: oc get pods -n ${OVNKUBE_NODE.namespace} -o wide`,
    describeReference(rollOutSource),
  );
}

function stateOf(daemonSet: LiveObject, since: number | undefined): { found: string; isDone: boolean } {
  const { generation, isSeen, wanted, isDone, progress } = rollOutOf(daemonSet);
  if (since !== undefined && generation <= since)
    return { found: `${progress}: still the generation from before the change`, isDone: false };
  if (!isSeen)
    return { found: `${progress}: its controller has not seen this generation yet`, isDone: false };
  if (wanted === 0) return { found: `${progress}: the cluster has no node for it`, isDone: false };
  return { found: progress, isDone };
}

/**
 * The generation of ovnkube-node before a change of the internal subnets; undefined if the Network operator already
 * has the change, or if the DaemonSet does not exist yet: its generation then shows nothing about the change.
 *
 * @throws LiveFault if the cluster does not answer, or refuses
 */
export async function generationBefore(
  hosted: LiveCluster,
  wanted: WantedSubnets,
): Promise<number | undefined> {
  const [operator, daemonSet] = [await hosted.get(OPERATOR_PATH), await hosted.get(ROLL_OUT_PATH)];
  const isCarried = wantedEntries(wanted).every(
    ([property, subnet]) =>
      settingCheck(operator, OPERATOR_PLACE, property, subnet).status === LiveStatus.Passed,
  );
  return isCarried || !daemonSet ? undefined : rollOutOf(daemonSet).generation;
}

/** The wanted internal subnets, by the topology property that sets them. */
export type WantedSubnets = Partial<Record<InternalSubnetProperty, string>>;

/** The place of OVN-Kubernetes' settings in an object. */
export interface SettingsPlace {
  id: string;
  /** `HostedCluster clusters/tenant-a` */
  object: string;
  /** Path of `ovnKubernetesConfig` in it. */
  path: string;
  /** What to do if it has another value. */
  fix: string;
}

export const hostedClusterPlace = (key: string): SettingsPlace => ({
  id: "hosted-cluster-value",
  object: `HostedCluster ${key}`,
  path: "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig",
  fix: "patch the HostedCluster, as OvnSubnetConfig does",
});

const OPERATOR_PLACE: SettingsPlace = {
  id: "network-operator-value",
  object: "Network cluster of operator.openshift.io",
  path: "spec.defaultNetwork.ovnKubernetesConfig",
  fix: "check the conditions of the HostedCluster and the pods hosted-cluster-config-operator and cluster-network-operator in the control plane's namespace: they copy the value",
};

/** Checks one subnet in one object. */
export function settingCheck(
  object: LiveObject | undefined,
  place: SettingsPlace,
  property: InternalSubnetProperty,
  wanted: string,
): LiveCheck {
  const { name, field } = internalSubnet(property);
  const found = object && readValue(object, [place.path, ...field].join("."));
  const isThere = typeof found === "string" && sameSubnet(found, wanted);
  const shown = !object ? "no such object" : typeof found === "string" ? found : "nothing is set";
  return checkOf(
    { id: `${place.id}/${property}`, what: `${name} in ${place.object}`, expected: wanted },
    { found: shown, status: isThere ? LiveStatus.Passed : LiveStatus.Failed },
    place.fix,
    describeReference(rollOutSource),
  );
}
