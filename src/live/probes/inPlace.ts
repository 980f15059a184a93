import { pushAll } from "../../pushAll";
import { ProbeManager, type ProbeFrame } from "../../probes/frame";
import { describeReference, type DocumentReference } from "../../requirements/documents";
import { PROBE_IMAGE, trafficSource } from "../../requirements/probes";
import { Interrupted, type Waiting } from "../../cluster/interruptible";
import { LiveFault, LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { closePlace, openPlace, removeProbes, type ProbePlace } from "./place";
import { readPrefix } from "../../address";
import { IpFamily } from "../../probes/requests";
import { read } from "../../resources/read";

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
