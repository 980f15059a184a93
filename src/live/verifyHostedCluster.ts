import { internalSubnetProperties } from "../requirements/internalSubnets";
import { topologyOfHostedCluster } from "../topology/topologyOfHostedCluster";
import {
  type LiveCheck,
  type LiveCluster,
  LiveFault,
  type LiveObject,
  LiveStatus,
} from "../cluster/liveCluster";
import { until, type Waiting } from "../cluster/interruptible";
import {
  wantedEntries,
  hostedClusterPlace,
  rollOutChecks,
  settingCheck,
  type WantedSubnets,
} from "../cluster/ovnRollOut/rollOutChecks";
import { readText } from "../resources/read";
import { type BootstrapCheck, bootstrapPhase } from "../topology/bootstrapPhase";

/** The subnets to verify. */
export interface SubnetsQuestion {
  /** The HostedCluster. */
  namespace: string;
  name: string;
  /** The expected subnets. Default: those of the HostedCluster. */
  wanted?: WantedSubnets;
  /** The generation of ovnkube-node before the change. Default: any generation that is rolled out counts. */
  since?: number;
}

/** Path of a HostedCluster. */
const hostedClusterPath = ({ namespace, name }: Pick<SubnetsQuestion, "namespace" | "name">): string =>
  `/apis/hypershift.openshift.io/v1beta1/namespaces/${namespace}/hostedclusters/${name}`;

/**
 * Runs the verification that OKD networking documents, by objects only: the value in the HostedCluster and in the Network operator of the
 * hosted cluster, the roll-out of ovnkube-node, the addresses of the nodes.
 *
 * @throws LiveFault if a cluster does not answer, or no subnet is set that could be verified
 */
export async function verifySubnets(
  question: SubnetsQuestion,
  management: LiveCluster,
  hosted: LiveCluster,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  const key = `${question.namespace}/${question.name}`;
  const path = hostedClusterPath(question);
  const wanted = question.wanted ?? subnetsOf(await hostedCluster(management, question));
  if (Object.keys(wanted).length === 0)
    throw new LiveFault(
      `HostedCluster ${key} sets no internal subnet, and none is wanted`,
      "write the subnets into the configuration, or into the HostedCluster",
    );
  const checks: LiveCheck[] = [];
  for (const [property, subnet] of wantedEntries(wanted))
    checks.push(
      await until(
        async () => settingCheck(await management.get(path), hostedClusterPlace(key), property, subnet),
        waiting,
      ),
    );
  const rolledOut = await rollOutChecks(hosted, { wanted, since: question.since }, waiting);
  return [...checks, ...rolledOut.checks];
}

/** @throws LiveFault if it does not exist */
export async function hostedCluster(
  management: LiveCluster,
  { namespace, name }: Pick<SubnetsQuestion, "namespace" | "name">,
): Promise<LiveObject> {
  const object = await management.get(hostedClusterPath({ namespace, name }));
  if (object) return object;
  throw new LiveFault(
    `${management.name} has no HostedCluster ${namespace}/${name}`,
    "check the name and the namespace: it is the namespace of the object, not that of the control plane, <namespace>-<name>",
  );
}

/** The internal subnets that a HostedCluster sets. */
function subnetsOf(object: LiveObject): WantedSubnets {
  const raw: Readonly<Record<string, unknown>> = { ...topologyOfHostedCluster(object) };
  return Object.fromEntries(
    internalSubnetProperties.flatMap((property) =>
      typeof raw[property] === "string" ? [[property, raw[property]]] : [],
    ),
  );
}

/**
 * Checks whether the bootstrap ports of a hosted cluster can be closed, from its NodePools in the management cluster.
 *
 * @throws LiveFault if the management cluster does not answer, or has no such HostedCluster
 */
export async function verifyBootstrap(
  question: { namespace: string; name: string },
  management: LiveCluster,
): Promise<LiveCheck[]> {
  const { namespace, name } = question;
  const object = await hostedCluster(management, question);
  const all = await management.list(
    `/apis/hypershift.openshift.io/v1beta1/namespaces/${namespace}/nodepools`,
  );
  const own = all.filter((nodePool) => readText(nodePool, "spec.clusterName") === name);
  return bootstrapPhase(own, object).checks.map(liveCheck);
}

const STATUS: Readonly<Record<BootstrapCheck["status"], LiveStatus>> = {
  met: LiveStatus.Passed,
  unmet: LiveStatus.Failed,
  unknown: LiveStatus.Unknown,
};

const liveCheck = ({ id, subject, status, ...rest }: BootstrapCheck): LiveCheck => ({
  id: `bootstrap/${id}`,
  what: subject,
  status: STATUS[status],
  ...rest,
});
