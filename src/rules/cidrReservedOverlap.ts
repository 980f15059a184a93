import { D0, OVN_KUBERNETES, at, describeReference } from "../requirements/documents";
import { rangeConflicts, type Conflict } from "./ranges";
import { Level, violated, type Judgement, type Rule } from "./rule";

/** A range collides with one that the cluster takes although nobody wrote it. */
export const cidrReservedOverlap: Rule = {
  id: "cidr-reserved-overlap",
  title: "No range collides with one that OpenShift takes by default",
  level: Level.Error,
  description:
    "Ranges of each hosted cluster and of the networks around it, against those that nobody writes and that the cluster takes all the same: OVN-Kubernetes' join, transit switch and masquerade subnets, 172.20.0.1, the default cluster and service networks, link-local and other special addresses.",
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(OVN_KUBERNETES, "go-controller/pkg/config/config.go"),
  ],
  remediation: "Move the range, or set another one in place of the default.",
  judge: (judged) =>
    rangeConflicts(judged)
      .filter(({ range, other }) => range.implicit || other.implicit)
      .map(reservedFinding),
};

/** What somebody wrote is wrong only together with the default: `at` leads to where the default can be replaced. */
function reservedFinding({ range, other, witness, cluster }: Conflict): Judgement {
  const [written, reserved] = range.implicit ? [other, range] : [range, other];
  const breaks = reserved.row?.breaks ?? "packets for the shared addresses are lost";
  const replace =
    reserved.path === undefined ? "" : `, or set ${reserved.at} to a range that nothing else uses`;
  return violated({
    resource: written.origin,
    path: written.at,
    message: `${written.name} ${written.prefix.text} shares addresses with ${reserved.name} ${reserved.prefix.text} of ${cluster}: ${breaks}`,
    witness: `${witness} is in both`,
    fix: `move ${written.name}${replace}`,
    ...(reserved.row && { requirement: reserved.row.id }),
    documents: (reserved.row?.documents ?? cidrReservedOverlap.documents).map(describeReference),
  });
}
