import type { Fault } from "../fault";
import { formatRelease } from "../requirements/release";
import type { Since } from "../requirements/since";
import type { PropertyValue } from "../resources/resource";
import { egressCluster, isOlder, type ClusterInputs, type EgressCluster } from "../objects/egressCluster";
import { switchFaults } from "../objects/hostedClusterReference";
import { isGiven } from "../objects/places";

/** What is known of the inputs that say which cluster's network operator is configured, and how. */
export interface NetworkOperatorInputs extends ClusterInputs {
  fragmentOnly?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
  removeOnDelete?: PropertyValue | undefined;
}

/** The cluster whose network operator is configured, as far as it is described. */
export interface ConfiguredCluster extends EgressCluster {
  /** Whether it is a hosted cluster, also where its topology is wrong. */
  hosted: boolean;
  /** Whether the setting is patched into a cluster that runs. */
  running: boolean;
}

/** Reads the cluster: a hosted one from its topology, others from what is said beside it. */
export function configuredCluster(inputs: NetworkOperatorInputs): ConfiguredCluster {
  const cluster = egressCluster(inputs);
  return {
    ...cluster,
    hosted: isGiven(inputs.topology),
    running: inputs.fragmentOnly !== true,
    faults: [
      ...cluster.faults,
      ...(["fragmentOnly", "forcePatch", "removeOnDelete"] as const).flatMap((name) =>
        switchFaults(name, inputs[name]),
      ),
    ],
  };
}

/** The fault of a setting that the release takes at installation alone, on a cluster that runs. */
export function atInstallationFaults(
  { release, running, hosted }: ConfiguredCluster,
  path: string,
  what: string,
  since: Since,
): Fault[] {
  if (!running || !isOlder(release, since)) return [];
  const first = formatRelease(since.release);
  const problem = `release ${formatRelease(release!)} takes ${what} at installation alone, and the network operator refuses it on a cluster that runs`;
  const remedy = hosted
    ? `upgrade to ${first} or newer: a hosted cluster has no installation manifests`
    : `set fragmentOnly: true and give installManifest to openshift-install, or upgrade to ${first} or newer`;
  return [{ path, problem, remedy }];
}

/** What cannot be checked without a release. */
export function noReleaseWarnings({ release, hosted }: ConfiguredCluster, unchecked: string): Fault[] {
  if (release) return [];
  const path = hosted ? "topology.release" : "release";
  return [{ path, problem: `missing: ${unchecked}`, remedy: 'write it as "4.20", in quotes' }];
}
