import { pushAll } from "../../collections";
import { PROBE_LABELS, type ProbeFrame, ProbeManager } from "../../probes/frame";
import { describeReference, type DocumentReference } from "../../requirements/documents";
import { PROBE_IMAGE, trafficSource } from "../../requirements/probes";
import { Interrupted, until, type Waiting } from "../../cluster/interruptible";
import {
  isForbidden,
  type LiveCheck,
  type LiveCluster,
  LiveFault,
  type LiveObject,
  LiveStatus,
  checkOf,
} from "../../cluster/liveCluster";
import { readPrefix } from "../../address";
import { IpFamily } from "../../probes/objects";
import { read, readText } from "../../resources/read";
import { labelOf } from "../../resources/kubernetesObject";
import { mayAnswerLater } from "../../cluster/cluster";

/** Where probes run, and with which image. */
export interface PlaceSettings {
  /** Distinguishes this run from others: lower-case letters and digits. */
  run: string;
  /** An existing namespace. Default: a namespace of our own, which is removed with the probes. */
  namespace?: string | undefined;
  /** Image with Python. Defaults to the image that the components use. */
  image?: string | undefined;
  /** The document that requires the probes. Defaults to the document about traffic between pods. */
  source?: DocumentReference;
}

/**
 * Prepares a namespace for probes and cleans up after them. Faults become checks.
 *
 * @throws Interrupted with the outcome of the removal of the probes
 */
export async function inPlace(
  cluster: LiveCluster,
  { run, namespace, image = PROBE_IMAGE, source = trafficSource }: PlaceSettings,
  waiting: Waiting,
  probe: (frame: ProbeFrame, place: ProbePlace) => Promise<LiveCheck[]>,
): Promise<LiveCheck[]> {
  let place: ProbePlace | undefined;
  const checks: LiveCheck[] = [];
  try {
    place = await openPlace(cluster, namespace, waiting);
    await removeProbes(cluster, place.namespace);
    const frame = {
      name: `verify-${run}`,
      namespace: place.namespace,
      manager: ProbeManager.Command,
      image,
    };
    pushAll(checks, await probe(frame, place));
  } catch (error) {
    if (!(error instanceof LiveFault)) {
      const removal = place && (await cleared(cluster, place, source));
      if (error instanceof Interrupted && removal) error.removal = removal;
      throw error;
    }
    const what = `probes in ${cluster.name}`;
    checks.push(faultCheck({ id: "probes", what, expected: "created and queried", source }, error));
  }
  return [...checks, ...(place ? await cleared(cluster, place, source) : [])];
}

async function cleared(
  cluster: LiveCluster,
  place: ProbePlace,
  source: DocumentReference,
): Promise<LiveCheck[]> {
  try {
    await closePlace(cluster, place);
    return [];
  } catch (error) {
    const what = `probes in namespace ${place.namespace}`;
    return [faultCheck({ id: "probe-removal", what, expected: "removed", source }, error)];
  }
}

/**
 * A fault of a cluster, as a check whose result is unknown.
 *
 * @throws any other error
 */
export function faultCheck(
  { source, ...check }: Pick<LiveCheck, "id" | "what" | "expected"> & { source: DocumentReference },
  error: unknown,
): LiveCheck {
  if (!(error instanceof LiveFault)) throw error;
  const outcome = { found: error.message, status: LiveStatus.Unknown };
  return checkOf(check, outcome, error.remedy, describeReference(source));
}

/** The IP families of a HostedCluster's cluster network; undefined if it states none. */
export function familiesOf(hostedCluster: LiveObject): IpFamily[] | undefined {
  const families = read(hostedCluster, "spec.networking.clusterNetwork[].cidr").flatMap(({ value }) => {
    const prefix = typeof value === "string" ? readPrefix(value) : undefined;
    return prefix ? [prefix.family === 4 ? IpFamily.IPv4 : IpFamily.IPv6] : [];
  });
  return families.length > 0 ? [...new Set(families)] : undefined;
}

/** The default namespace of probes. */
const PROBE_NAMESPACE = "hypershift-network-verify";

/** The namespace in which probes run. */
export interface ProbePlace {
  namespace: string;
  /** Whether the namespace is ours, so that it is removed with the probes. */
  isOurs: boolean;
}

/** Kinds of probe objects, in the order of their removal: a Job would recreate its pods. */
const KINDS = [
  { group: "/apis/batch/v1", plural: "jobs" },
  { group: "/api/v1", plural: "services" },
  { group: "/api/v1", plural: "pods" },
] as const;

const OURS = { [PROBE_LABELS.managedBy]: ProbeManager.Command };
const SELECTOR = encodeURIComponent(`${PROBE_LABELS.managedBy}=${ProbeManager.Command}`);

/** The path of a kind in a namespace. */
export const pathOf = (plural: (typeof KINDS)[number]["plural"], namespace: string): string =>
  `${KINDS.find((kind) => kind.plural === plural)!.group}/namespaces/${namespace}/${plural}`;

/**
 * Opens the namespace of the probes, which may still contain what an interrupted run left.
 *
 * @param named an existing namespace. Default: our own, which is created if it does not exist
 * @throws LiveFault if it cannot be used
 */
async function openPlace(
  cluster: LiveCluster,
  named: string | undefined,
  waiting: Waiting,
): Promise<ProbePlace> {
  const namespace = named ?? PROBE_NAMESPACE;
  const found = await settledNamespace(cluster, namespace, waiting);
  if (!found && named !== undefined)
    throw new LiveFault(
      `${cluster.name} has no namespace ${namespace}`,
      "create it, or omit --namespace: then a namespace is created and removed",
    );
  if (!found) await makeNamespace(cluster, namespace);
  return { namespace, isOurs: !found || isOurs(found) };
}

/** Removes the probes and the namespace created for them, even if removing a probe fails: the probe is deleted with its namespace. */
async function closePlace(cluster: LiveCluster, { namespace, isOurs: own }: ProbePlace): Promise<void> {
  try {
    await removeProbes(cluster, namespace);
  } finally {
    if (own) await cluster.remove(`/api/v1/namespaces/${namespace}`);
  }
}

/** Creates the namespace. If no answer came, or the answer leaves open whether it was created, it is removed if it exists. */
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
    // The user needs to know why creation failed; the next run removes what is left.
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

const isOurs = (namespace: LiveObject): boolean =>
  labelOf(namespace, PROBE_LABELS.managedBy) === ProbeManager.Command;

/** The namespace; if it is being deleted, waits until it is gone. */
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
    `${what} of ${cluster.name} was still being deleted when the timeout expired`,
    "try again, or name another namespace with --namespace",
  );
}

/** Removes every probe of this command from a namespace: only one run at a time uses it. */
async function removeProbes(cluster: LiveCluster, namespace: string): Promise<void> {
  for (const { plural } of KINDS) {
    const path = pathOf(plural, namespace);
    for (const object of await cluster.list(`${path}?labelSelector=${SELECTOR}`)) {
      const name = readText(object, "metadata.name");
      if (typeof name === "string") await cluster.remove(`${path}/${name}`);
    }
  }
}

/** What the API server answers for pods in a new namespace whose controllers have not finished yet. */
const NOT_YET = /service ?account|uid-range|sa\.scc/i;

/** Creates an object in a namespace that may be so new that it refuses pods for a moment. */
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
      return { what: "the new namespace", found: "its service account does not exist yet", status };
    },
    waiting,
    () => !own || !(isForbidden(fault) && NOT_YET.test(fault.message)),
  );
  if (made) return made;
  throw fault;
}
