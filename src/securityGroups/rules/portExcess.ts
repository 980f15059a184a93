import { contains, difference, union, type PacketSet } from "../../reachability/packets";
import { bootstrapPackets, neededPackets, type HostPackets } from "../../reachability/path";
import { excessOf, type Excess } from "../../reachability/proof";
import type { Clause } from "../../reachability/filters";
import { D2, at } from "../../requirements/documents";
import { Direction } from "../../requirements/vocabulary";
import { OUR_COMPONENTS } from "../../resources/resourceTypes";
import { declaredRules } from "../../gate/declaredRules";
import type { Hosts } from "../../gate/hosts";
import type { JudgedResources } from "../../gate/judgedResources";
import { openFilter } from "./openFilter";
import { openedPacket, openedText } from "./openedText";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { undecidedFlows } from "./undecidedFlows";
import { HOSTS } from "../../gate/wording";

/** A rule opens what no documented flow needs and nobody declared. */
export const portExcess: Rule = {
  id: "port-excess",
  title: "Security groups open nothing beyond the documented flows of the hosted cluster",
  level: Level.Warning,
  description:
    "For every security group with a role in a hosted cluster, rule by rule: the packets that it lets pass, minus those that any documented flow of the cluster or of its nodes needs there. Flows on request and ports on which the documents disagree count as needed, and so does a peer that the topology does not say. Left alone are additionalRules and callers of this package's components, which declare what is meant, rules that controllers write, groups that a cluster's controllers own, and groups without a role.",
  documents: [at(D2, "Common Ingress Ports"), at(D2, "Source IP Restrictions")],
  remediation:
    "Narrow the rule to what documented flows need, or declare it: among additionalRules of HostedControlPlaneSecurityGroups, or by an exemption with its reason.",
  judge: (judged) => judged.hosts.flatMap((hosts) => judgeHosts(judged, hosts)),
};

function judgeHosts(judged: JudgedResources, hosts: Hosts): Judgement[] {
  const { cluster, role, rules } = hosts;
  const [first] = rules;
  if (!first) return [];
  const undecided = undecidedFlows(cluster, first.resource);
  if (undecided.length > 0) return undecided;
  const allowed = allowedPackets(cluster.topology);
  const isDeclared = declaredRules(judged.index);
  return Object.values(Direction).flatMap((direction) => {
    const filter = openFilter(hosts, direction, ({ resource }) => isDeclared(resource));
    const open = allowed(role, direction);
    return [
      ...excessOf(open, [filter]).map((excess) => excessFinding(hosts, direction, excess)),
      ...filter.clauses.flatMap((clause) => undecidedParts(judged, clause, open)),
    ];
  });
}

/** Ports for joining nodes are left to `bootstrap-port-open`. */
function allowedPackets(topology: Hosts["cluster"]["topology"]): HostPackets {
  const needed = neededPackets(topology);
  if (topology.bootstrap) return needed;
  const joining = bootstrapPackets(topology);
  return (role, direction) => union(needed(role, direction), joining(role, direction));
}

function excessFinding(hosts: Hosts, direction: Direction, { clause, packets }: Excess): Judgement {
  const { resource, path, sure } = clause!;
  const us = `${HOSTS[hosts.role]} of ${hosts.cluster.key}`;
  const what = openedText(packets, direction, sure);
  const needed = difference(sure, packets);
  const narrowed = openedText(needed, direction, sure);
  return violated({
    resource: resource.origin,
    path: path === "" ? direction : path,
    message: `lets ${direction === Direction.Ingress ? `${what} reach ${us}` : `${us} send ${what}`}, which no documented flow needs`,
    witness: openedPacket(packets, direction, HOSTS[hosts.role]),
    fix: `${narrowed === "" ? "take the rule out" : `narrow it to ${narrowed}`}; what is meant belongs into additionalRules of HostedControlPlaneSecurityGroups or, with its reason, into exemptions`,
  });
}

/** Values that decide whether a rule opens more. Who stands behind the groups and lists of our components their users said. */
function undecidedParts({ index }: JudgedResources, clause: Clause, open: PacketSet): Judgement[] {
  const isOurs = index.at(clause.resource.parent)?.type.startsWith(OUR_COMPONENTS) === true;
  if (isOurs || clause.unknown.length === 0 || contains(open, clause.possible)) return [];
  return clause.unknown.map(unknown);
}
