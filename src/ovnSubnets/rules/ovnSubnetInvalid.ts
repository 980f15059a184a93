import { parsePrefix, readPrefix } from "../../address";
import { D0, HYPERSHIFT, NETWORK_OPERATOR, at } from "../../requirements/documents";
import {
  internalSubnet,
  internalSubnetProperties,
  type InternalSubnetProperty,
} from "../../requirements/internalSubnets";
import { readValue } from "../../resources/read";
import { isNodePool } from "../../resources/resourceTypes";
import type { JudgedResources } from "../../gate/judgedResources";
import { holdsSubnets, writtenSubnets, type WrittenSubnets } from "./ovnSubnets";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { withObjectFaults } from "../../hostedCluster/rules/withObjectFaults";

/** An internal subnet of OVN-Kubernetes that the API or the network operator refuses. */
export const ovnSubnetInvalid: Rule = {
  id: "ovn-subnet-invalid",
  title:
    "Settings of the cluster network, OVN-Kubernetes' internal subnets first of all, are ones that the cluster can take",
  level: Level.Error,
  description:
    "The join and transit switch subnets of HostedClusters, of patches on them and of Network operator objects: IPv4 with /0 to /30, 9 to 18 characters, a first octet other than 0, different from each other, OVNKubernetes, a platform that has them. Host bits are a warning. Beside them the network type, the MTU, empty settings, what goes with one network type alone, the networks of KubeVirt NodePools and those of OpenStack; of Network operator objects also IPv6 and masquerade subnets, the MTU, the Geneve port, the words of IPsec and of route advertisements. What only later versions of the API refuse is a warning: networks of NodePools that are no namespace and name.",
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.operatorConfiguration"),
    at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
  ],
  remediation: "Write a subnet such as 100.99.0.0/16 that nothing else uses.",
  single: (type) => holdsSubnets(type) || isNodePool(type),
  judge: (judged: JudgedResources) =>
    withObjectFaults(judged, "ovn-subnet-invalid", writtenSubnets(judged).flatMap(judgeSubnets)),
};

function judgeSubnets(written: WrittenSubnets): Judgement[] {
  const { resource, faults, unknown: pending, pathOf } = written;
  const own = faults.filter(({ rule }) => rule === undefined);
  return [
    ...own.map(({ path, problem, remedy }) =>
      violated({ resource: resource.origin, path, message: problem, fix: remedy }),
    ),
    ...sameSubnet(written),
    ...hostBits(written),
    ...pending.map((property) => unknown({ resource, path: pathOf(property) })),
  ];
}

/** Host bits, which whoever takes the object clears. */
function hostBits({ resource, values, pathOf }: WrittenSubnets): Judgement[] {
  return internalSubnetProperties.flatMap((property) => {
    const path = pathOf(property);
    const text = readValue(resource.properties, path);
    if (values[property] === undefined || values[property] === text) return [];
    const { problem, remedy } = parsePrefix(text);
    if (problem === undefined) return [];
    return [
      violated({
        resource: resource.origin,
        path,
        message: problem,
        fix: remedy,
        level: Level.Warning,
      }),
    ];
  });
}

/** Two internal subnets that are one; of pairs that stand for one subnet anyway something else is said. */
function sameSubnet({ resource, values, pathOf }: WrittenSubnets): Judgement[] {
  const prefixes = new Map(
    internalSubnetProperties.map((property) => [property, prefixOf(values[property])]),
  );
  return internalSubnetProperties.flatMap((property, position) =>
    internalSubnetProperties
      .slice(0, position)
      .filter((other) => {
        const text = prefixes.get(property);
        return text !== undefined && text === prefixes.get(other) && !isPair(property, other);
      })
      .map((other) =>
        violated({
          resource: resource.origin,
          path: pathOf(property),
          message: `${internalSubnet(other).name} and ${internalSubnet(property).name} are the same`,
          fix: "write two different subnets",
        }),
      ),
  );
}

const prefixOf = (value: unknown): string | undefined =>
  typeof value === "string" ? readPrefix(value)?.text : undefined;

const isPair = (a: InternalSubnetProperty, b: InternalSubnetProperty): boolean =>
  internalSubnet(a).sameAs === b || internalSubnet(b).sameAs === a;
