import { enclosedBy, type Family, meeting, type Prefix } from "../../address";
import type { JudgedCluster } from "../../gate/clusters";
import { nodePoolsOf } from "../../gate/guestCluster";
import type { JudgedResources } from "../../gate/judgedResources";
import { prefixText } from "../../gate/finding";
import { describeResource, type Judgement, Level, type Rule, violated } from "../../gate/rule";
import { at, OKD_NETWORKING, HYPERSHIFT } from "../../requirements/documents";
import { notPublicDocuments } from "../../requirements/implicitRanges";
import { Platform } from "../../requirements/vocabulary";
import { isGiven, isList } from "../../resources/read";
import { SUBNETS } from "../../resources/resourceTypes";
import { rangesAt } from "../../resources/vpcs";
import { entryPaths, isUnknown, isWhole, type NormalizedTopology } from "../../topology/normalizedTopology";
import { PUBLIC_BREAKS, PUBLIC_FIX, publicNetworks } from "../../topology/reservedRanges";
import { located } from "../inventory";
import { referredIn, workerVpcs } from "../workerVpcs";

const CODE = {
  missing: "machine-network-missing",
  workersOutside: "workers-outside-machine-network",
  outsideVpc: "machine-network-outside-vpc",
} as const;

/** Reports machine networks that are missing or do not match the location of the workers. */
export const machineNetwork: Rule = {
  id: "machine-network",
  title: "Machine network is missing or does not hold the workers",
  level: Level.Error,
  description:
    "Reports hosted clusters whose machine network is missing or does not match the location of their workers: worker blocks of the topology, subnets of the NodePools, and the VPC of the HostedCluster and of the workers' security groups.",
  details: [
    "HyperShift exempts only the machine network from the proxy.",
    "On AWS it also opens its security groups only to the machine network, and cannot create them without one.",
    "Other platforms lack only the exemption from the proxy, which is a warning.",
  ],
  documents: [
    at(HYPERSHIFT, "support/awsutil/sg.go"),
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
  ],
  remediation: "Write the CIDR blocks of the workers' subnets into spec.networking.machineNetwork.",
  judge: (judged) =>
    judged.clusters.flatMap((cluster) => {
      const { topology, partial } = cluster;
      if (!topology || partial || isUnknown(topology, "machineNetwork")) return [];
      if (topology.machineNetwork.length === 0) return isWritten(cluster) ? [] : missing(cluster, topology);
      return [
        ...(isWhole(topology, "machineNetwork") ? workersOutside(judged, cluster, topology) : []),
        ...workerVpcs(judged, cluster).flatMap((said) => outsideVpc(cluster, topology, said)),
      ];
    }),
};

/** Whether a machine network is written: if it cannot be read, `cidr-invalid` reports it. */
const isWritten = ({ raw: { machineNetwork: blocks } }: JudgedCluster): boolean =>
  isGiven(blocks) && !(isList(blocks) && blocks.length === 0);

function missing(cluster: JudgedCluster, { platform }: NormalizedTopology): Judgement[] {
  const isMade = cluster.sources.some(({ kind }) => kind === "object");
  if (platform !== Platform.AWS || !isMade) return [];
  const { resource, path } = cluster.locate("machineNetwork");
  return [
    violated({
      resource,
      path,
      code: CODE.missing,
      message: "missing: HyperShift cannot create the workers' security group, and no node joins",
    }),
  ];
}

/** A block that is stated to hold workers. */
interface WorkerBlock {
  name: string;
  prefix: Prefix;
  place: Pick<Judgement, "resource" | "path">;
}

function workersOutside(
  judged: JudgedResources,
  cluster: JudgedCluster,
  topology: NormalizedTopology,
): Judgement[] {
  const paths = entryPaths(topology, "workerCidrs", topology.workerCidrs.length);
  const stated = topology.workerCidrs.map((prefix, position) => {
    const { resource, path } = cluster.locate(paths[position]!);
    return { name: "the workers' block", prefix, place: { resource, path } };
  });
  const level = topology.platform === Platform.AWS ? Level.Error : Level.Warning;
  const isInside = enclosedBy(topology.machineNetwork);
  const families = new Set(topology.machineNetwork.map(({ family }) => family));
  return [...stated, ...poolSubnets(judged, topology)]
    .filter(({ prefix }) => families.has(prefix.family) && !isInside(prefix))
    .map(({ name, prefix, place }) =>
      violated({
        ...place,
        level,
        code: CODE.workersOutside,
        message: `${name} ${prefix.text} lies outside the machine network ${prefixText(topology.machineNetwork)} of ${cluster.key}`,
        fix: `write a machine network that contains ${prefix.text}`,
      }),
    );
}

/** The subnets of the cluster's NodePools, to the extent that both are in the stack. */
function poolSubnets(judged: JudgedResources, topology: NormalizedTopology): WorkerBlock[] {
  return nodePoolsOf(judged, topology).flatMap(({ resource: pool }) => {
    const path = "spec.platform.aws.subnet.id";
    const subnet = referredIn(judged, pool, path, SUBNETS);
    if (!subnet) return [];
    return rangesAt(subnet, ["cidrBlock"], describeResource(subnet)).map(({ prefix }) => ({
      name: `subnet ${subnet.name} of NodePool ${pool.name}`,
      prefix,
      place: { resource: pool.origin, path },
    }));
  });
}

/** Findings for machine networks that share no address with the workers' VPC, if every block of the VPC is known. */
function outsideVpc(
  cluster: JudgedCluster,
  topology: NormalizedTopology,
  { vpc, isSure }: ReturnType<typeof workerVpcs>[number],
): Judgement[] {
  if (!vpc.resource || vpc.unknown.length > 0) return [];
  const blocksAt = meeting(vpc.blocks);
  const own = (family: Family) =>
    vpc.blocks.flatMap(({ prefix }) => (prefix.family === family ? prefix : []));
  const blocksOf = { 4: own(4), 6: own(6) };
  const paths = entryPaths(topology, "machineNetwork", topology.machineNetwork.length);
  return topology.machineNetwork.flatMap((prefix, position) => {
    const blocks = blocksOf[prefix.family];
    if (blocks.length === 0 || blocksAt(prefix).length > 0) return [];
    const { resource, path } = cluster.locate(`${paths[position]}.cidr`);
    return [
      violated({
        resource,
        path,
        level: isSure ? Level.Error : Level.Warning,
        code: CODE.outsideVpc,
        message: `${prefix.text} lies outside VPC ${vpc.resource!.name}, ${prefixText(blocks)}, in which ${isSure ? "the workers" : "the security group of the workers"} of ${cluster.key} ${isSure ? "are" : "is"}`,
        fix: "write the blocks of the workers' subnets, or name the VPC that contains them",
      }),
    ];
  });
}

/** Reports networks inside the cluster that have addresses of Internet hosts. */
export const cidrPublic: Rule = {
  id: "cidr-public",
  title: "Network of the cluster has public addresses",
  level: Level.Warning,
  description:
    "Reports cluster and service networks, where set explicitly, with addresses outside the blocks that Internet hosts never use. Inside the cluster these addresses belong to pods and Services, so pods cannot reach the Internet hosts that have them.",
  documents: notPublicDocuments,
  remediation: `W${PUBLIC_FIX.slice(1)}.`,
  judge: (judged) =>
    judged.clusters.flatMap((cluster) =>
      cluster.topology
        ? publicNetworks(cluster.topology).map((range) => {
            const { name, prefix, origin, at: path } = located(cluster, range);
            const message = `${name} ${prefix.text} of ${cluster.key} has public addresses: ${PUBLIC_BREAKS}`;
            return violated({ resource: origin, path, message, witness: prefix.first() });
          })
        : [],
    ),
};
