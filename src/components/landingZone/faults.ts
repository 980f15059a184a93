import type { Fault } from "../../fault";
import { judgeEgressFirewall, type EgressFirewallInputs } from "../../manifests/egressFirewall";
import {
  hostedClusterReferenceFaults,
  judgeEgressIp,
  multicastFaults,
  type EgressIpInputs,
} from "../../manifests";
import { isGiven, type PropertyMap } from "../../manifests/places";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { normalizeTopology } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { isRecord, keyFaults, shown } from "../aws/inputShape";
import { securityGroupFaults } from "../aws/hostedControlPlaneSecurityGroups";
import { privateEndpointFaults } from "../aws/privateEndpointSecurityGroup";
import { knownPart, missingInputFaults, plainnessFaults } from "../checked";
import { ovnSubnetConfigFaults } from "../kubernetes/ovnSubnetConfig";
import { judgeProxyConfig } from "../kubernetes/proxyConfigJudge";
import { LandingZonePart, type HostedClusterLandingZoneArgs } from "./hostedClusterLandingZoneArgs";
import {
  egressFirewallArgs,
  egressIpArgs,
  ovnSubnetArgs,
  privateEndpointArgs,
  proxyArgs,
  securityGroupArgs,
} from "./partArgs";
import { choiceOfParts, type PartChoice } from "./parts";

/** What the inputs of a landing zone come to. */
export interface LandingZoneJudgement {
  /** Absent when the topology cannot be read. */
  topology?: NormalizedTopology;
  choice?: PartChoice;
  faults: Fault[];
}

/** Everything that is wrong with the inputs, in every part at once, as far as they are known. */
export function judgeLandingZone(name: string, args: HostedClusterLandingZoneArgs): LandingZoneJudgement {
  const shape = shapeFaults(args);
  const { topology, faults } = normalizeTopology(knownPart(args.topology));
  const own = [...shape, ...(isGiven(knownPart(args.topology)) ? faults : [])];
  if (!topology || shape.length > 0) return { ...(topology && { topology }), faults: own };
  const choice = choiceOfParts(args, topology);
  const reference = hostedClusterReferenceFaults(
    "existingHostedCluster",
    knownPart(args.existingHostedCluster),
    topology,
  );
  return { topology, choice, faults: unique([...own, ...reference, ...partFaults(name, args, choice)]) };
}

const MAPS = [
  LandingZonePart.EgressFirewalls,
  LandingZonePart.EgressIps,
  LandingZonePart.MulticastNamespaces,
] as const;
const SETTINGS = [
  LandingZonePart.SecurityGroups,
  LandingZonePart.PrivateEndpoint,
  LandingZonePart.OvnSubnets,
  LandingZonePart.Proxy,
] as const;

/** What decides which parts there are is plain, and has the form that it should have. */
function shapeFaults(args: HostedClusterLandingZoneArgs): Fault[] {
  const objects = [...MAPS, ...SETTINGS].flatMap((input) => objectFaults(input, args[input]));
  return [
    ...missingInputFaults(args, {
      topology: "describe the hosted cluster: { name: ..., platform: ..., ... }",
    }),
    ...plainnessFaults("topology", args.topology),
    ...objects,
    ...(objects.length > 0 ? [] : MAPS.flatMap((input) => keysOf(input, args[input]))),
    ...leaveOutFaults(knownPart(args.leaveOut)),
    ...kubeconfigFaults(knownPart(args.hostedClusterKubeconfig)),
  ];
}

/** An Output cannot decide which resources there are, whatever it holds. */
function objectFaults(path: string, value: unknown): Fault[] {
  if (value === undefined || value === null) return [];
  if (knownPart(value) === UNKNOWN) return plainnessFaults(path, value);
  return isRecord(value)
    ? []
    : [{ path, problem: `${shown(value)} is no object`, remedy: "write its settings: { ... }" }];
}

const keysOf = (input: string, entries: object | undefined): Fault[] =>
  Object.entries(entries ?? {}).flatMap(([key, entry]) => [
    ...keyFaults(`${input}.${key}`, key),
    ...(input === (LandingZonePart.MulticastNamespaces as string)
      ? []
      : objectFaults(`${input}.${key}`, entry)),
  ]);

function leaveOutFaults(leaveOut: PropertyValue): Fault[] {
  if (!isGiven(leaveOut)) return [];
  const parts: readonly unknown[] = Object.values(LandingZonePart);
  const remedy = `write some of ${parts.join(", ")}`;
  if (!Array.isArray(leaveOut)) return [{ path: "leaveOut", problem: "is no list", remedy }];
  return leaveOut.flatMap((part, position) =>
    parts.includes(part)
      ? []
      : [{ path: `leaveOut[${position}]`, problem: `${shown(part)} is no part`, remedy }],
  );
}

function kubeconfigFaults(kubeconfig: PropertyValue): Fault[] {
  if (!isGiven(kubeconfig) || kubeconfig === UNKNOWN) return [];
  if (typeof kubeconfig === "string" && kubeconfig.trim() !== "") return [];
  const remedy = "write the content of the Secret <name>-admin-kubeconfig, or leave it out";
  return [{ path: "hostedClusterKubeconfig", problem: "is no kubeconfig", remedy }];
}

function partFaults(name: string, zone: HostedClusterLandingZoneArgs, { made }: PartChoice): Fault[] {
  const at = (part: LandingZonePart, faults: () => readonly Fault[]): Fault[] =>
    made.has(part) ? faults().map((fault) => ({ ...fault, path: placeOf(part, fault.path) })) : [];
  const each = (
    part: (typeof MAPS)[number],
    faults: (entry: never, key: string) => readonly Fault[],
  ): Fault[] =>
    made.has(part)
      ? Object.entries(zone[part] ?? {}).flatMap(([key, entry]) =>
          faults(entry as never, key).map((fault) => ({
            ...fault,
            path: placeOf(`${part}.${key}`, fault.path),
          })),
        )
      : [];
  const hasProxy = made.has(LandingZonePart.Proxy);
  return [
    ...at(LandingZonePart.SecurityGroups, () =>
      securityGroupFaults(name, ...withKnown(securityGroupArgs(zone))),
    ),
    ...at(LandingZonePart.PrivateEndpoint, () =>
      privateEndpointFaults(name, ...withKnown(privateEndpointArgs(zone))),
    ),
    ...at(LandingZonePart.OvnSubnets, () =>
      ovnSubnetConfigFaults(knownPart(ovnSubnetArgs(zone, hasProxy)) as PropertyMap),
    ),
    ...at(
      LandingZonePart.Proxy,
      () => judgeProxyConfig(knownPart(proxyArgs(zone, undefined)) as PropertyMap).faults,
    ),
    ...each(
      LandingZonePart.EgressFirewalls,
      (settings) =>
        judgeEgressFirewall(knownPart(egressFirewallArgs(zone, settings)) as EgressFirewallInputs).faults,
    ),
    ...each(
      LandingZonePart.EgressIps,
      (settings, key) => judgeEgressIp(knownPart(egressIpArgs(zone, key, settings)) as EgressIpInputs).faults,
    ),
    ...each(LandingZonePart.MulticastNamespaces, (namespace) =>
      multicastFaults({ namespace: knownPart(namespace) }).map((fault) => ({ ...fault, path: "" })),
    ),
  ];
}

/** Inputs as they were given, and what is known of them. */
const withKnown = <T>(inputs: T): [T, PropertyMap] => [inputs, knownPart(inputs) as PropertyMap];

/** Inputs that parts share stand at the top, the others among the settings of their part. */
const SHARED = /^(topology|vpcId|workerVpcId|region|tags|existingHostedCluster)(?=$|[.[])/;

const placeOf = (part: string, path: string): string =>
  SHARED.test(path) ? path : path === "" ? part : `${part}.${path}`;

/** What two parts say of one shared input counts once. */
function unique(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.problem}`, fault])).values()];
}
