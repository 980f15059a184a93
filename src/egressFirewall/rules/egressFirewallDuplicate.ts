import { D4, at } from "../../requirements/documents";
import { append } from "../../resources/append";
import { isPatch } from "../../resources/resourceTypes";
import { egressFirewalls, type JudgedFirewall } from "../../gate/egressFirewalls";
import {
  Level,
  describeResource,
  secretOnly,
  unknown,
  violated,
  type Judgement,
  type Rule,
} from "../../gate/rule";

/** Two EgressFirewall objects for one namespace. */
export const egressFirewallDuplicate: Rule = {
  id: "egress-firewall-duplicate",
  title: "A namespace has one egress firewall",
  level: Level.Error,
  description:
    "EgressFirewall objects of one namespace of one cluster. They have one name and are one object: one of them writes over the other, or is refused. Objects whose clusters nothing tells apart, where several are known, are counted as unknown; patches are no objects of their own.",
  documents: [at(D4, "15.5.1.1. Limitations of an egress firewall")],
  remediation: "Write the rules of both into one object, in the order in which they are to match.",
  judge: (judged) => {
    const objects = egressFirewalls(judged).filter(({ firewall }) => !isPatch(firewall.type));
    const byNamespace = new Map<string | undefined, JudgedFirewall[]>();
    for (const one of [...objects].sort(byName)) append(byNamespace, one.namespace, [one]);
    return objects.flatMap((one) => judgeAmong(one, objects, byNamespace));
  },
};

/** Each says which other one there is: which of them comes first makes no difference. */
function judgeAmong(
  one: JudgedFirewall,
  all: readonly JudgedFirewall[],
  byNamespace: ReadonlyMap<string | undefined, readonly JudgedFirewall[]>,
): Judgement[] {
  const { firewall, namespace } = one;
  const path = "metadata.namespace";
  const isNear = (other: JudgedFirewall) => other !== one && mayShareCluster(one, other);
  if (namespace === undefined) return all.some(isNear) ? [unknown({ resource: firewall, path })] : [];
  const other = byNamespace.get(namespace)?.find(isNear);
  if (!other) {
    const unplaced = byNamespace.get(undefined) ?? [];
    return unplaced.filter(isNear).flatMap((candidate) => secretOnly({ resource: candidate.firewall, path }));
  }
  if (one.clusters.length > 1 || other.clusters.length > 1) {
    const reason = `${describeResource(other.firewall)} governs ${namespace} too, and nothing says whether in the same cluster`;
    return [unknown({ resource: firewall, path, reason })];
  }
  return [
    violated({
      resource: firewall.origin,
      path,
      message: `${namespace} has another egress firewall: ${describeResource(other.firewall)}`,
    }),
  ];
}

const byName = (a: JudgedFirewall, b: JudgedFirewall): number =>
  describeResource(a.firewall) < describeResource(b.firewall) ? -1 : 1;

const mayShareCluster = (a: JudgedFirewall, b: JudgedFirewall): boolean =>
  a.isOnManagementCluster === b.isOnManagementCluster &&
  (a.clusters.length === 0 ||
    b.clusters.length === 0 ||
    a.clusters.some((cluster) => b.clusters.includes(cluster)));
