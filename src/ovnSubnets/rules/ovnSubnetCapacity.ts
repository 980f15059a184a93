import { D0, NETWORK_OPERATOR, at } from "../../requirements/documents";
import { OvnSubnetRule } from "../../topology/normalize/ovnSubnets";
import { holdsSubnets, writtenSubnets, type WrittenSubnets } from "./ovnSubnets";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** An internal subnet that has no address for each node of the cluster. */
export const ovnSubnetCapacity: Rule = {
  id: OvnSubnetRule.Capacity,
  title: "Internal subnets of OVN-Kubernetes have an address for each node",
  level: Level.Error,
  description:
    "The join and transit switch subnets against the nodes that the cluster network has room for, by the network operator's own rule: the sum of 2^(hostPrefix - mask) over the cluster network has to be less than the subnet's addresses minus 3. The API takes up to /30; the operator refuses the rest, and the cluster never comes up.",
  documents: [
    at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
  ],
  remediation: "Write a larger subnet such as 100.99.0.0/16.",
  single: holdsSubnets,
  judge: (judged) => writtenSubnets(judged).flatMap(judgeSubnets),
};

function judgeSubnets({ resource, values, faults, surroundings, pathOf }: WrittenSubnets): Judgement[] {
  const given = Object.entries(values).flatMap(([name, value]) => (typeof value === "string" ? [name] : []));
  const own = faults.filter(({ rule }) => rule === OvnSubnetRule.Capacity);
  const { clusterNetwork } = surroundings;
  if (given.length > 0 && clusterNetwork.length === 0)
    return given.map((name) =>
      unknown({ resource, path: pathOf(name), reason: "how many nodes the cluster network has room for" }),
    );
  return own.map(({ path, problem, remedy }) =>
    violated({ resource: resource.origin, path, message: problem, fix: remedy }),
  );
}
