import type { Fault } from "../fault";
import {
  HYBRID_OVERLAY_SINCE,
  IPSEC,
  IPSEC_SINCE,
  IpsecEncapsulation,
  IpsecMode,
  type IpsecPort,
  ipsecUpgrade,
  portsOf,
  withoutEsp,
} from "../requirements/networkOperator";
import { compareReleases, formatRelease } from "../requirements/release";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { TopologyJudgement } from "../topology/normalizeTopology";
import { isOlder } from "../objects/egressCluster";
import { holdsUnknown, isGiven, isMap, type Place, propertyOf } from "../resources/read";
import { wordFaults } from "../objects/places";
import {
  atInstallationFaults,
  configuredCluster,
  noReleaseWarnings,
  type OperatedCluster,
  type NetworkOperatorInputs,
} from "./network";

export { portsOf };

/** The inputs of IPsec, to the extent known. */
export interface IpsecInputs extends NetworkOperatorInputs {
  hybridOverlay?: PropertyValue | undefined;
  mode?: PropertyValue | undefined;
  encapsulation?: PropertyValue | undefined;
}

/** The result of judging the inputs. */
export interface IpsecJudgement extends TopologyJudgement {
  /** Whether the release has modes; in other releases the setting is an empty object. */
  hasModes: boolean;
}

/** Applies every rule to IPsec between the nodes of a cluster. */
export function judgeIpsec(inputs: IpsecInputs): IpsecJudgement {
  const cluster = configuredCluster(inputs);
  const { topology } = cluster;
  const mode = isGiven(inputs.mode) ? inputs.mode : IpsecMode.Full;
  return {
    ...(topology && { topology }),
    hasModes: !isOlder(cluster.release, IPSEC_SINCE.mode),
    faults: [
      ...cluster.faults,
      ...releaseFaults(cluster),
      ...modeFaults(mode, cluster),
      ...encapsulationFaults(inputs.encapsulation, mode, cluster),
      ...hybridOverlayFaults(inputs.hybridOverlay, cluster),
    ],
    warnings: [
      ...noReleaseWarnings(cluster, UNCHECKED),
      ...(mode === IpsecMode.Full ? fullModeWarnings(cluster, inputs.encapsulation) : []),
      ...(cluster.hosted && mode !== IpsecMode.Disabled ? [UNSUPPORTED] : []),
    ],
  };
}

const modesSince = formatRelease(IPSEC_SINCE.mode.release);
const runningSince = formatRelease(IPSEC_SINCE.runningCluster.release);
const UNCHECKED = `the setting is written in the form of releases from ${modesSince} on, and whether a running cluster accepts it cannot be checked`;

const UNSUPPORTED: Fault = {
  path: "topology",
  problem: "is a hosted cluster, for which Red Hat does not support IPsec",
  remedy: "do not expect support; there, the network operator runs mode Full in its own containers",
};

function releaseFaults(cluster: OperatedCluster): Fault[] {
  if (isOlder(cluster.release, IPSEC_SINCE.installation)) {
    const first = formatRelease(IPSEC_SINCE.installation.release);
    const problem = `${formatRelease(cluster.release!)} has no IPsec`;
    return [
      {
        path: cluster.hosted ? "topology.release" : "release",
        problem,
        remedy: `upgrade to ${first} or newer`,
      },
    ];
  }
  return atInstallationFaults(cluster, "mode", "IPsec", IPSEC_SINCE.runningCluster);
}

function modeFaults(mode: PropertyValue, cluster: OperatedCluster): Fault[] {
  const place: Place = { path: "mode", value: mode };
  const wrong = wordFaults(place, Object.values(IpsecMode));
  return wrong.length > 0 ? wrong : unsupportedModeFaults(place, "the whole component", cluster);
}

/**
 * The fault of a mode that the release or a hosted cluster does not have.
 *
 * @param whole what to leave out for no IPsec, as the object of a sentence
 */
export function unsupportedModeFaults(
  { path, value: mode }: Place,
  whole: string,
  cluster: OperatedCluster,
): Fault[] {
  if (!isGiven(mode) || mode === UNKNOWN) return [];
  if (mode !== IpsecMode.Full && isOlder(cluster.release, IPSEC_SINCE.mode)) {
    const problem = `release ${formatRelease(cluster.release!)} has no modes, and IPsec is on if the setting exists`;
    const remedy =
      mode === IpsecMode.Disabled
        ? `leave ${whole} out: IPsec is off by default`
        : `leave mode out${cluster.hosted ? "" : `, or upgrade to ${modesSince} or newer`}`;
    return [{ path, problem, remedy }];
  }
  if (mode === IpsecMode.External && cluster.hosted) {
    const problem =
      "External has no effect in a hosted cluster, whose nodes the network operator cannot configure";
    return [{ path, problem, remedy: "leave mode out for IPsec between the nodes" }];
  }
  return [];
}

function encapsulationFaults(
  value: PropertyValue | undefined,
  mode: PropertyValue,
  cluster: OperatedCluster,
): Fault[] {
  const path = "encapsulation";
  if (!isGiven(value)) return [];
  const place: Place = { path, value };
  const faults = [
    ...wordFaults(place, Object.values(IpsecEncapsulation)),
    ...unsupportedEncapsulationFaults(place, cluster),
  ];
  if (mode === IpsecMode.Disabled || mode === IpsecMode.External)
    faults.push({
      path,
      problem: `is refused with mode ${mode}`,
      remedy: "leave it out, or write mode Full",
    });
  return faults;
}

/** The fault of an encapsulation in a release that does not have that setting. */
export function unsupportedEncapsulationFaults(
  { path, value }: Place,
  { release }: OperatedCluster,
): Fault[] {
  if (!isGiven(value) || !isOlder(release, IPSEC_SINCE.encapsulation)) return [];
  const first = formatRelease(IPSEC_SINCE.encapsulation.release);
  const problem = `release ${formatRelease(release!)} does not have it`;
  return [{ path, problem, remedy: `leave it out, or upgrade to ${first} or newer` }];
}

/** Faults of the fragment of a HybridOverlayNetwork, which is written together with this setting. */
function hybridOverlayFaults(value: PropertyValue | undefined, cluster: OperatedCluster): Fault[] {
  const path = "hybridOverlay";
  if (!isGiven(value)) return [];
  const config = propertyOf(propertyOf(value, "defaultNetwork"), "ovnKubernetesConfig");
  if (!holdsUnknown(value) && !isMap(propertyOf(config, "hybridOverlayConfig")))
    return [
      { path, problem: "is not a fragment", remedy: "give the output fragment of a HybridOverlayNetwork" },
    ];
  return atInstallationFaults(cluster, path, "hybrid networking", HYBRID_OVERLAY_SINCE.runningCluster);
}

function fullModeWarnings(cluster: OperatedCluster, encapsulation: PropertyValue | undefined): Fault[] {
  const { running, hosted, platform, release } = cluster;
  const always = encapsulation === IpsecEncapsulation.Always;
  const ports = portsOf(IpsecMode.Full, always ? IpsecEncapsulation.Always : undefined);
  const warnings: Fault[] = [
    {
      path: "mode",
      problem: `Full needs ${ports.map(portText).join(", ")} open between all nodes, or pods on different nodes cannot reach each other`,
      remedy: "open them first; on AWS, HyperShift's default security group of the workers has them",
      ...(running && { ofChange: true }),
    },
  ];
  if (running)
    warnings.push({
      path: "mode",
      problem: `Full needs ${IPSEC.overheadBytes} bytes of each packet: without a smaller MTU, large packets are lost on a running cluster`,
      remedy: `reduce the MTU of the cluster network by ${IPSEC.overheadBytes} first`,
      ofChange: true,
    });
  if (running && !hosted && !isOlder(cluster.release, IPSEC_SINCE.mode))
    warnings.push({
      path: "mode",
      problem: "restarts the nodes one after the other, because IPsec runs on the hosts",
      remedy: "plan a maintenance window",
      ofChange: true,
    });
  if (platform && withoutEsp.platforms.includes(platform) && !always)
    warnings.push({
      path: "encapsulation",
      problem: `missing: the network of ${platform} does not carry ESP`,
      remedy: `write ${IpsecEncapsulation.Always} from release ${formatRelease(IPSEC_SINCE.encapsulation.release)} on`,
    });
  if (isOlder(cluster.release, IPSEC_SINCE.runningCluster))
    warnings.push({
      path: "mode",
      problem: "cannot be turned off again with this release",
      remedy: `upgrade to ${runningSince} or newer before you turn it off`,
    });
  else if (release && compareReleases(release, ipsecUpgrade.to) < 0)
    warnings.push({
      path: "mode",
      problem: `pods may be unable to reach each other while a cluster with IPsec is upgraded to ${formatRelease(ipsecUpgrade.to)} (${ipsecUpgrade.issue})`,
      remedy: "turn it off before that upgrade",
    });
  return warnings;
}

/** Formats a port: `UDP 500`, or `ESP`. */
const portText = ({ protocol, port }: IpsecPort): string =>
  port === undefined ? protocol : `${protocol} ${port}`;
