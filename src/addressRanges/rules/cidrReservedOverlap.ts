import { D0, OVN_KUBERNETES, at, describeReference } from "../../requirements/documents";
import { internalSubnet, internalSubnetProperties } from "../../requirements/internalSubnets";
import { compareReleases, formatRelease, type Release } from "../../requirements/release";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { containerEngines, upcomingRanges } from "../../topology/reservedRanges";
import type { JudgedResources } from "../../gate/judgedResources";
import { conflictsWithRanges, rangeConflicts, type Conflict, type JudgedRange } from "./ranges";
import { Level, violated, type Judgement, type Rule } from "../../gate/rule";

/** A range collides with one that the cluster takes although the user did not write it. */
export const cidrReservedOverlap: Rule = {
  id: "cidr-reserved-overlap",
  title: "Address range overlaps one that OpenShift uses by default",
  level: Level.Error,
  description:
    "Ranges of each hosted cluster and of the networks around it, against those that are not written and that the cluster takes all the same: OVN-Kubernetes' join, transit switch and masquerade subnets, 172.20.0.1, the default cluster and service networks, link-local and other special addresses. A range that a later release takes is a warning, with the upgrade that breaks it; the default bridge of container engines is a note.",
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(OVN_KUBERNETES, "go-controller/pkg/config/config.go"),
  ],
  remediation: "Move the range, or set another one in place of the default.",
  judge: (judged) => [
    ...rangeConflicts(judged)
      .filter(({ range, other }) => range.implicit || other.implicit)
      .map((conflict) => reservedFinding(conflict, judged)),
    ...conflictsWithRanges(judged, upcomingRanges).map(({ conflict, topology }) =>
      upcomingFinding(conflict, topology),
    ),
    ...conflictsWithRanges(judged, containerEngines).map(({ conflict }) => engineFinding(conflict)),
  ],
};

/** What an upgrade will break, and what to do before it. */
function upcomingFinding(conflict: Conflict, { release }: NormalizedTopology): Judgement {
  const [written, reserved] = partsOf(conflict);
  const { row } = reserved;
  const from = formatRelease(row!.releases!.from!);
  return violated({
    ...placeOf(conflict),
    level: Level.Warning,
    message: `${written.name} ${written.prefix.text} shares addresses with ${reserved.name} ${reserved.prefix.text}, which ${conflict.cluster} takes from ${from} on: with the upgrade from ${formatRelease(release!)} to ${from} ${row!.breaks}`,
    fix: `move ${written.name} before the upgrade to ${from}${otherwise(reserved, release)}`,
    requirement: row!.id,
    documents: row!.documents.map(describeReference),
  });
}

/** What container engines of machines beside the cluster cannot reach. */
function engineFinding(conflict: Conflict): Judgement {
  const [written, reserved] = partsOf(conflict);
  return violated({
    ...placeOf(conflict),
    level: Level.Note,
    message: `${written.name} ${written.prefix.text} of ${conflict.cluster} shares addresses with ${reserved.name} ${reserved.prefix.text}: ${reserved.row!.breaks}`,
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

/** The setting that puts another range in the place of a default, where the release of the cluster has it. */
function otherwise({ path, at: place }: JudgedRange, release: Release | undefined): string {
  if (path === undefined) return "";
  const property = internalSubnetProperties.find((name) => name === path);
  const since = property && internalSubnet(property).since;
  if (since && release && compareReleases(release, since) < 0)
    return `; ${place} can say another range from release ${formatRelease(since)} on`;
  return `, or set ${place} to a range that nothing else uses`;
}

/** What the user wrote is wrong only together with the default: `at` leads to where the default can be replaced. */
function reservedFinding(conflict: Conflict, { clusters }: JudgedResources): Judgement {
  const [written, reserved] = partsOf(conflict);
  const breaks = reserved.row?.breaks ?? "packets for the shared addresses are lost";
  const release = clusters.find(({ key }) => key === conflict.cluster)?.topology?.release;
  return violated({
    ...placeOf(conflict),
    message: `${written.name} ${written.prefix.text} shares addresses with ${reserved.name} ${reserved.prefix.text} of ${conflict.cluster}: ${breaks}`,
    fix: `move ${written.name}${otherwise(reserved, release)}`,
    ...(reserved.row && { requirement: reserved.row.id }),
    documents: (reserved.row?.documents ?? cidrReservedOverlap.documents).map(describeReference),
  });
}
