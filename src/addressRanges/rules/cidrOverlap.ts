import { BITS } from "../../address";
import {
  at,
  OKD_NETWORKING,
  describeReference,
  HYPERSHIFT,
  OCP_BALANCING,
  OVN_KUBERNETES,
} from "../../requirements/documents";
import {
  internalSubnet,
  internalSubnetProperties,
  internalSubnets,
} from "../../requirements/internalSubnets";
import { type Conflict, conflictsWithRanges, rangeConflicts, unknownRanges } from "../conflicts";
import type { JudgedRange } from "../inventory";
import { judgePools } from "../ownAddresses";
import { DefaultJoin, defaultJoin, judgeUserNetworks, unknownUserRanges } from "../userNetworks";
import { clusterFaults } from "../../gate/clusterFaults";
import { type Judgement, Level, type Rule, unknown, violated } from "../../gate/rule";
import { compareReleases, formatRelease, type Release } from "../../requirements/release";
import { OVERLAP_RULE } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { containerEngines, furtherPairs, isAround, upcomingRanges } from "../../topology/reservedRanges";
import type { JudgedResources } from "../../gate/judgedResources";

/** Reports written ranges that share addresses but must be distinct. */
export const cidrOverlap: Rule = {
  id: OVERLAP_RULE,
  title: "Address ranges that must be distinct overlap",
  level: Level.Error,
  description:
    "Reports overlaps among the machine, cluster and service networks and internal OVN subnets of a hosted cluster, and between these and the networks around it.",
  details: [
    "Networks around it are the infrastructure networks of the topology; the peers that it states for pods and nodes (management cluster, load balancers, DNS servers, registries, users, NAT addresses, proxies, node-port addresses); VPCs connected to the workers' VPC; destinations of its routes to peerings, gateways, VPNs and VPC endpoints; and MetalLB pools.",
    "Behind a network interface, and where a destination contains the whole VPC and so represents many networks, it is unknown whether the addresses are in use.",
    "Subnets may overlap their VPC, the machine network may overlap the VPC that holds the workers, and VPCs that nothing connects may overlap.",
    "Users, registries or public addresses in a block that contains a whole range of the cluster are a warning.",
    "An address of the API server's node port must not be inside the service network, and pools must not share addresses with each other or with a node.",
    "Subnets and join subnets of user-defined networks must not share addresses with each other or with ranges of their cluster, nor join subnets with machines or with networks around the cluster.",
    "Network objects of the operator in the same place as the only object of a cluster's configuration are judged together with it, whose lists replace theirs. Subnets in objects without a cluster network are those of the only hosted cluster.",
  ],
  documents: [
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"),
    at(OCP_BALANCING, "Configuring MetalLB address pools"),
  ],
  remediation: "Move one of the two ranges.",
  judge: (judged) => [
    ...connectedConflicts(judged)
      .filter(({ range, other }) => !range.implicit && !other.implicit && !isSameInternalSubnet(range, other))
      .flatMap((conflict) => [
        overlapFinding(conflict),
        ...(conflict.further === undefined ? [] : [furtherFinding(conflict, conflict.further)]),
      ]),
    ...judgePools(judged),
    ...judgeUserNetworks(judged, false),
    ...[...unknownRanges(judged), ...unknownUserRanges(judged)].map(unknown),
    ...clusterFaults(judged, OVERLAP_RULE, []),
  ],
};

/** Whether one object states both ranges as the same internal subnet: `ovn-subnet-invalid` reports these. */
function isSameInternalSubnet(a: Conflict["range"], b: Conflict["range"]): boolean {
  const isInternal = ({ kind }: Conflict["range"]) => kind in internalSubnets;
  return isInternal(a) && isInternal(b) && a.origin === b.origin && a.prefix.text === b.prefix.text;
}

/** Conflicts with networks that are connected, or stated as infrastructure. */
const connectedConflicts = (judged: JudgedResources): Conflict[] =>
  rangeConflicts(judged).filter(({ level }) => level !== Level.Note);

function overlapFinding({ range, other, witness, owner, level }: Conflict): Judgement {
  return violated({
    level,
    resource: range.origin,
    path: range.at,
    message: `${range.name} ${range.prefix.text} of ${owner} shares addresses with ${other.name} ${other.prefix.text}`,
    witness: `${witness} is in both`,
    fix: `move ${range.name} or ${other.name} to addresses that nothing else uses`,
  });
}

/** The finding with the number of unlisted pairs, which can grow with the square of the number of ranges. */
const furtherFinding = ({ range, owner }: Conflict, further: number): Judgement =>
  violated({
    resource: range.origin,
    path: range.at,
    message: `${owner}: ${furtherPairs(further)}`,
    fix: "move the listed ranges first",
  });

/** Reports ranges that collide with ranges that the cluster uses by default. */
export const cidrReservedOverlap: Rule = {
  id: "cidr-reserved-overlap",
  title: "Address range overlaps one that OpenShift uses by default",
  level: Level.Error,
  description:
    "Reports ranges of a hosted cluster, or of the networks around it, that overlap ranges which the cluster uses by default: OVN-Kubernetes' join, transit switch and masquerade subnets, 172.20.0.1, the default cluster and service networks, and link-local and other special addresses.",
  details: [
    "If only primary user-defined networks without joinSubnets use a range, an overlap is an error if the input has such a network, a warning if it has no primary network, and no finding if every primary network sets joinSubnets.",
    "A range that a later release uses is a warning, with the upgrade that breaks it; the default bridge of container engines is a note.",
    "A cluster that migrates to OVN-Kubernetes counts as one with its ranges.",
  ],
  documents: [
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(OVN_KUBERNETES, "go-controller/pkg/config/config.go"),
  ],
  remediation: "Move the range, or set another one in place of the default.",
  judge: (judged) => [
    ...connectedConflicts(judged)
      .filter(({ range, other }) => range.implicit || other.implicit)
      .flatMap((conflict) => reservedFindings(conflict, judged)),
    ...judgeUserNetworks(judged, true),
    ...conflictsWithRanges(judged, upcomingRanges).map(upcomingFinding),
    ...conflictsWithRanges(judged, containerEngines).map(engineFinding),
  ],
};

/** The finding for a conflict that begins with an upgrade. */
function upcomingFinding(conflict: Conflict & { topology: NormalizedTopology }): Judgement {
  const { release } = conflict.topology;
  const [written, reserved] = partsOf(conflict);
  const { row } = reserved;
  const from = formatRelease(row!.releases!.from!);
  return violated({
    ...placeOf(conflict),
    level: Level.Warning,
    message: `${written.name} ${written.prefix.text} shares addresses with ${reserved.name} ${reserved.prefix.text}, which ${conflict.owner} uses from ${from} on: with the upgrade from ${formatRelease(release!)} to ${from} ${row!.breaks}`,
    fix: `move ${written.name} before the upgrade to ${from}${otherwise(reserved, release)}`,
    requirement: row!.id,
    documents: row!.documents.map(describeReference),
  });
}

/** The finding for addresses that container engines on machines outside of the cluster cannot reach. */
function engineFinding(conflict: Conflict): Judgement {
  const [written, reserved] = partsOf(conflict);
  return violated({
    ...placeOf(conflict),
    level: Level.Note,
    message: `${written.name} ${written.prefix.text} of ${conflict.owner} shares addresses with ${reserved.name} ${reserved.prefix.text}: ${reserved.row!.breaks}`,
    fix: `move ${written.name}, or configure another bridge where such an engine runs`,
    requirement: reserved.row!.id,
    documents: reserved.row!.documents.map(describeReference),
  });
}

const partsOf = ({ range, other }: Conflict): [written: JudgedRange, reserved: JudgedRange] =>
  range.implicit ? [other, range] : [range, other];

function placeOf(conflict: Conflict): Pick<Judgement, "resource" | "path" | "witness"> {
  const [written] = partsOf(conflict);
  return { resource: written.origin, path: written.at, witness: `${conflict.witness} is in both` };
}

/** The alternative fix: a setting that replaces the default range, if the release of the cluster has it. */
function otherwise({ path, at: place, prefix }: JudgedRange, release: Release | undefined): string {
  if (path === undefined) return "";
  const property = internalSubnetProperties.find((name) => name === path);
  const since = property && internalSubnet(property).since;
  if (since && release && compareReleases(release, since) < 0)
    return `; ${place} can set another range from release ${formatRelease(since)} on`;
  const what = prefix.length === BITS[prefix.family] ? "an address" : "a range";
  return `, or set ${place} to ${what} that nothing else uses`;
}

/** Findings for a written range that collides with a default. The fix also names the setting that replaces the default, if there is one. */
function reservedFindings(conflict: Conflict, judged: JudgedResources): Judgement[] {
  const [written, reserved] = partsOf(conflict);
  const { row } = reserved;
  const breaks = row?.breaks ?? "packets for the shared addresses are lost";
  const release = conflict.topology?.release;
  const feature = row?.onlyWith;
  const { use, unknown: pending } = defaultJoin(judged);
  const shared = `${written.name} ${written.prefix.text} shares addresses with ${reserved.name} ${reserved.prefix.text}`;
  if (feature && use === DefaultJoin.Unknown)
    return pending.map((place) => unknown({ ...place, reason: `whether ${shared} of ${conflict.owner}` }));
  const isUsed = feature === undefined || use === DefaultJoin.Taken;
  const finding = violated({
    ...placeOf(conflict),
    level: conflict.level,
    message: `${shared} of ${conflict.owner}: ${isUsed ? "" : `with ${feature.name}, none of which is in the input, `}${breaks}`,
    fix: `move ${written.name}${feature ? `, or ${feature.remedy}` : otherwise(reserved, release)}`,
    ...(row && { requirement: row.id }),
    documents: (row?.documents ?? cidrReservedOverlap.documents).map(describeReference),
  });
  return [finding];
}

/** Reports networks of the plan that share addresses with a cluster to which nothing connects them today. */
export const cidrUnconnectedOverlap: Rule = {
  id: "cidr-unconnected-overlap",
  title: "Network in the same stack overlaps the cluster's, and nothing connects them",
  level: Level.Note,
  description:
    "Reports VPCs of the stack or account that share addresses with the pods, Services or internal OVN subnets of a hosted cluster, and that no peering, transit gateway, VPN or route of the plan connects with its workers. Both work until something connects them; by then the networks of the running cluster cannot change.",
  documents: [at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters")],
  remediation:
    "Move one of the two before something connects them, or exempt the network if it stays unconnected.",
  judge: (judged) =>
    rangeConflicts(judged)
      .filter(({ level }) => level === Level.Note)
      .map(({ range, other, owner, witness }) => {
        const [network, own] = isAround(range) ? [range, other] : [other, range];
        return violated({
          resource: network.origin,
          path: network.at,
          message: `${network.name} ${network.prefix.text} shares addresses with ${own.name} ${own.prefix.text} of ${owner}: nothing in the input connects them, but a later peering or transit gateway would cut pods off`,
          witness: `${witness} is in both`,
        });
      }),
};
