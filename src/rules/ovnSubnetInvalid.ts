import { D0, HYPERSHIFT, NETWORK_OPERATOR, at } from "../requirements/documents";
import type { JudgedResources } from "./judgedResources";
import { holdsSubnets, writtenSubnets, type WrittenSubnets } from "./ovnSubnets";
import { Level, unknown, violated, type Judgement, type Rule } from "./rule";

/** An internal subnet of OVN-Kubernetes that the API or the network operator refuses. */
export const ovnSubnetInvalid: Rule = {
  id: "ovn-subnet-invalid",
  title: "Internal subnets of OVN-Kubernetes are ones that the cluster can take",
  level: Level.Error,
  description:
    "The join and transit switch subnets of HostedClusters, of patches on them and of Network operator objects: IPv4 with /0 to /30, 9 to 18 characters, a first octet other than 0, different from each other, OVNKubernetes, a platform that has them.",
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.operatorConfiguration"),
    at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
  ],
  remediation: "Write a subnet such as 100.99.0.0/16 that nothing else uses.",
  single: holdsSubnets,
  judge: (judged: JudgedResources) => writtenSubnets(judged).flatMap(judgeSubnets),
};

function judgeSubnets(written: WrittenSubnets): Judgement[] {
  const { resource, faults, unknown: pending, pathOf } = written;
  const own = faults.filter(({ rule }) => rule === undefined);
  return [
    ...own.map(({ path, problem, remedy }) =>
      violated({ resource: resource.origin, path, message: problem, fix: remedy }),
    ),
    ...sameSubnet(written),
    ...pending.map((property) => unknown({ resource, path: pathOf(property) })),
  ];
}

function sameSubnet({ resource, values, pathOf }: WrittenSubnets): Judgement[] {
  const { internalJoinSubnet: join, internalTransitSwitchSubnet: transit } = values;
  if (typeof join !== "string" || join !== transit) return [];
  return [
    violated({
      resource: resource.origin,
      path: pathOf("internalTransitSwitchSubnet"),
      message: "the join subnet and the transit switch subnet are the same",
      fix: "write two different subnets",
    }),
  ];
}
