import { PROBE_LABELS, ProbeManager } from "../../probes/frame";
import { readText, readValue } from "../../resources/read";
import { mayAnswerLater } from "../../cluster/cluster";
import { LiveStatus, isForbidden, LiveFault } from "../../cluster/liveCheck";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { until, type Waiting } from "../../cluster/interruptible";

/** The namespace of probes where none is named. */
export const PROBE_NAMESPACE = "hypershift-network-verify";

/** Where probes are made. */
export interface ProbePlace {
  namespace: string;
  /** Whether the namespace is ours, so that it goes with the probes. */
  isOurs: boolean;
}

/** Kinds of the objects of probes, in the order in which they go: a Job would make its pods again. */
const KINDS = [
  { group: "/apis/batch/v1", plural: "jobs" },
  { group: "/api/v1", plural: "services" },
  { group: "/api/v1", plural: "pods" },
] as const;

const OURS = { [PROBE_LABELS.managedBy]: ProbeManager.Command };
const SELECTOR = encodeURIComponent(`${PROBE_LABELS.managedBy}=${ProbeManager.Command}`);

/** Path of a kind in a namespace. */
export const pathOf = (plural: (typeof KINDS)[number]["plural"], namespace: string): string =>
  `${KINDS.find((kind) => kind.plural === plural)!.group}/namespaces/${namespace}/${plural}`;

/**
 * The namespace of the probes; what an earlier run left in it that was interrupted is still there.
 *
 * @param named one that exists. Absent: one of our own, which is made where it is not there
 * @throws LiveFault where it cannot be used
 */
export async function openPlace(
  cluster: LiveCluster,
  named: string | undefined,
  waiting: Waiting,
): Promise<ProbePlace> {
  const namespace = named ?? PROBE_NAMESPACE;
  const found = await settledNamespace(cluster, namespace, waiting);
  if (!found && named !== undefined)
    throw new LiveFault(
      `${cluster.name} has no namespace ${namespace}`,
      "make it, or leave --namespace out: then one is made and removed",
    );
  if (!found) await makeNamespace(cluster, namespace);
  return { namespace, isOurs: !found || isOurs(found) };
}

/** Removes the probes, and the namespace that was made for them, also where a probe stays: it goes with its namespace. */
export async function closePlace(
  cluster: LiveCluster,
  { namespace, isOurs: own }: ProbePlace,
): Promise<void> {
  try {
    await removeProbes(cluster, namespace);
  } finally {
    if (own) await cluster.remove(`/api/v1/namespaces/${namespace}`);
  }
}

/** It is unknown whether one was made to which no answer came, or one that says so: where it is there it goes. */
async function makeNamespace(cluster: LiveCluster, name: string): Promise<void> {
  try {
    await cluster.create("/api/v1/namespaces", ownNamespace(name));
  } catch (error) {
    if (error instanceof LiveFault && mayAnswerLater(error.status)) await removeMade(cluster, name);
    throw error;
  }
}

async function removeMade(cluster: LiveCluster, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${name}`;
  try {
    const made = await cluster.get(path);
    if (made && isOurs(made)) await cluster.remove(path);
  } catch (error) {
    // Why it could not be made is what the user has to know; the next run removes what is there.
    if (!(error instanceof LiveFault)) throw error;
  }
}

const ownNamespace = (name: string) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name,
    labels: { ...OURS, "pod-security.kubernetes.io/enforce": "restricted" },
  },
});

function isOurs(namespace: LiveObject): boolean {
  // Dots in a label are no steps of a path.
  const labels = readValue(namespace, "metadata.labels");
  return (labels as LiveObject | undefined)?.[PROBE_LABELS.managedBy] === ProbeManager.Command;
}

/** The namespace; one that is going is waited for until it is gone. */
async function settledNamespace(
  cluster: LiveCluster,
  namespace: string,
  waiting: Waiting,
): Promise<LiveObject | undefined> {
  let found: LiveObject | undefined;
  const what = `namespace ${namespace}`;
  const { status } = await until(async () => {
    found = await cluster.get(`/api/v1/namespaces/${namespace}`);
    const isGoing = found !== undefined && typeof readText(found, "metadata.deletionTimestamp") === "string";
    return { what, found: "is being deleted", status: isGoing ? LiveStatus.Failed : LiveStatus.Passed };
  }, waiting);
  if (status === LiveStatus.Passed) return found;
  throw new LiveFault(
    `${what} of ${cluster.name} is still being deleted when the time is over`,
    "try again, or name another one with --namespace",
  );
}

/** Removes every probe of this command in a namespace: one run at a time has it. */
export async function removeProbes(cluster: LiveCluster, namespace: string): Promise<void> {
  for (const { plural } of KINDS) {
    const path = pathOf(plural, namespace);
    for (const object of await cluster.list(`${path}?labelSelector=${SELECTOR}`)) {
      const name = readText(object, "metadata.name");
      if (typeof name === "string") await cluster.remove(`${path}/${name}`);
    }
  }
}

/** What the API server says of pods in a namespace that is new: its controllers have yet to make these. */
const NOT_YET = /service ?account|uid-range|sa\.scc/i;

/** Makes an object in a namespace that may be so new that pods are refused for a moment. */
export async function createIn(
  cluster: LiveCluster,
  { isOurs: own }: ProbePlace,
  path: string,
  object: object,
  waiting: Waiting,
): Promise<LiveObject> {
  let made: LiveObject | undefined;
  let fault: unknown;
  await until(
    async () => {
      try {
        made = await cluster.create(path, object);
      } catch (error) {
        fault = error;
      }
      const status = made ? LiveStatus.Passed : LiveStatus.Failed;
      return { what: "the new namespace", found: "its service account is not there yet", status };
    },
    waiting,
    () => !own || !(isForbidden(fault) && NOT_YET.test(fault.message)),
  );
  if (made) return made;
  throw fault;
}
