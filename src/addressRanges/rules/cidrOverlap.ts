import { D0, HYPERSHIFT, at } from "../../requirements/documents";
import { internalSubnets } from "../../requirements/internalSubnets";
import { rangeConflicts, unknownRanges, type Conflict } from "./ranges";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { withObjectFaults } from "../../hostedCluster/rules/publishing";

/** Two ranges that the user wrote and that must be distinct share addresses. */
export const cidrOverlap: Rule = {
  id: "cidr-overlap",
  title: "Address ranges that must be distinct overlap",
  level: Level.Error,
  description:
    "Machine, cluster and service networks and internal OVN subnets of each hosted cluster, among themselves and with the networks around it: infrastructure networks of the topology, VPCs that the workers' VPC is connected to, destinations of its routes to peerings, transit gateways and VPNs. Subnets in their VPC, the machine network in the VPC that holds the workers, and VPCs that nothing connects may overlap. The address of the API server's node port lies outside the service network.",
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go"),
  ],
  remediation: "Move one of the two ranges.",
  judge: (judged) =>
    withObjectFaults(judged, "cidr-overlap", [
      ...rangeConflicts(judged)
        .filter(
          ({ range, other }) => !range.implicit && !other.implicit && !isSameInternalSubnet(range, other),
        )
        .map(overlapFinding),
      ...unknownRanges(judged).map(unknown),
    ]),
};

/** `ovn-subnet-invalid` speaks of two internal subnets that are the same. */
function isSameInternalSubnet(a: Conflict["range"], b: Conflict["range"]): boolean {
  const isInternal = ({ kind }: Conflict["range"]) => kind in internalSubnets;
  return isInternal(a) && isInternal(b) && a.prefix.text === b.prefix.text;
}

function overlapFinding({ range, other, witness, cluster }: Conflict): Judgement {
  return violated({
    resource: range.origin,
    path: range.at,
    message: `${range.name} ${range.prefix.text} of ${cluster} shares addresses with ${other.name} ${other.prefix.text}`,
    witness: `${witness} is in both`,
    fix: `move ${range.name} or ${other.name} to addresses that nothing else uses`,
  });
}
