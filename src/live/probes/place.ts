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
} from "../../cluster/liveCluster";
import { readPrefix } from "../../address";
import { IpFamily } from "../../probes/objects";
import { read, readText, readValue } from "../../resources/read";
import { mayAnswerLater } from "../../cluster/cluster";

/** Where probes are made, and of what. */
export interface PlaceSettings {
  /** Distinguishes this run from others: lower-case letters and digits. */
  run: string;
  /** A namespace that exists. Absent: one of our own, which goes with the probes. */
  namespace?: string | undefined;
  /** Image with Python. Defaults to the one that the components take. */
  image?: string | undefined;
  /** The document that demands them. Defaults to that of traffic between pods. */
  source?: DocumentReference;
}

/**
 * Makes room for probes and clears up after them. Faults become checks.
 *
 * @throws Interrupted with what became of the probes
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
    checks.push(faultCheck({ id: "probes", what, expected: "made and asked", source }, error));
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
 * What a cluster did not answer, as a check that cannot be judged.
 *
 * @throws what is no fault of a cluster
 */
export function faultCheck(
  { source, ...check }: Pick<LiveCheck, "id" | "what" | "expected"> & { source: DocumentReference },
  error: unknown,
): LiveCheck {
  if (!(error instanceof LiveFault)) throw error;
  const { message: found, remedy: fix } = error;
  return { ...check, found, status: LiveStatus.Unknown, fix, documented: describeReference(source) };
}

/** The families of a HostedCluster's cluster network; undefined where it does not say one. */
export function familiesOf(hostedCluster: LiveObject): IpFamily[] | undefined {
  const families = read(hostedCluster, "spec.networking.clusterNetwork[].cidr").flatMap(({ value }) => {
    const prefix = typeof value === "string" ? readPrefix(value) : undefined;
    return prefix ? [prefix.family === 4 ? IpFamily.IPv4 : IpFamily.IPv6] : [];
  });
  return families.length > 0 ? [...new Set(families)] : undefined;
}

/** The namespace of probes where none is named. */
const PROBE_NAMESPACE = "hypershift-network-verify";

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
      "make it, or leave --namespace out: then one is made and removed",
    );
  if (!found) await makeNamespace(cluster, namespace);
  return { namespace, isOurs: !found || isOurs(found) };
}

/** Removes the probes, and the namespace that was made for them, also where a probe stays: it goes with its namespace. */
async function closePlace(cluster: LiveCluster, { namespace, isOurs: own }: ProbePlace): Promise<void> {
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
async function removeProbes(cluster: LiveCluster, namespace: string): Promise<void> {
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
