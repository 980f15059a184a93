import { append, onceForEach } from "../collections";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import type { JudgedResources } from "../gate/judgedResources";
import { Platform, Role } from "../requirements/vocabulary";
import { isFilled, readText } from "../resources/read";
import type { Resource } from "../resources/resource";
import { keyOf, vpcKey } from "../resources/resourceIndex";
import { VPCS } from "../resources/resourceTypes";
import type { Vpc } from "../resources/vpcs";

/** A VPC that some input names as the VPC of a cluster's workers. */
interface SaidVpc {
  vpc: Vpc;
  /** Whether the HostedCluster names the VPC: HyperShift creates the machines there. A security group may belong to another cluster. */
  isSure: boolean;
}

/**
 * The VPCs of the plan that are named as VPCs of a cluster's workers: by its object, and by its workers' security groups, which can
 * only be attached to machines there. On platforms other than AWS such groups are in the management cluster's VPC, or in none.
 */
export function workerVpcs(judged: JudgedResources, cluster: JudgedCluster): SaidVpc[] {
  if (cluster.topology?.platform !== Platform.AWS) return [];
  const object = objectOf(cluster);
  const own = object && referredIn(judged, object, NAMED, VPCS);
  const keys = new Map([
    ...(vpcsOfGroups(judged).get(cluster) ?? []).map((key) => [key, false] as const),
    ...(own ? [[keyOf(own), true] as const] : []),
  ]);
  return [...keys].flatMap(([key, isSure]) => {
    const vpc = judged.vpcs.get(key);
    return vpc ? [{ vpc, isSure }] : [];
  });
}

/** The path at which a HostedCluster names the VPC of its workers. */
const NAMED = "spec.platform.aws.cloudProviderConfig.vpc";

/** What a HostedCluster states about that VPC, with the corresponding property of the VPC. */
const SAID: readonly { inObject: string; inVpc: string }[] = [
  { inObject: NAMED, inVpc: "id" },
  { inObject: "spec.platform.aws.region", inVpc: "region" },
];

/** Whether a VPC may hold the workers of a cluster: id and region match the cluster's object if both are known. */
export function mayHoldWorkers(judged: JudgedResources, cluster: JudgedCluster, key: string): boolean {
  const object = objectOf(cluster)?.properties;
  const vpc = judged.vpcs.get(key)?.resource?.properties ?? { id: key };
  return SAID.every(({ inObject, inVpc }) => {
    const [said, own] = [readText(object, inObject), readText(vpc, inVpc)];
    return !isFilled(said) || !isFilled(own) || said === own;
  });
}

const vpcsOfGroups = onceForEach((judged: JudgedResources): ReadonlyMap<JudgedCluster, string[]> => {
  const keys = new Map<JudgedCluster, string[]>();
  for (const { group, role, cluster } of judged.groupsInRoles()) {
    const key = role === Role.Workers && group.resource && vpcKey(judged.index, group.resource, "vpcId");
    if (typeof key === "string") append(keys, cluster, [key]);
  }
  return keys;
});

/** The resource that an object names by id. If it is not created yet, its id is unknown, and it is found by the object's dependencies. */
export function referredIn(
  { index }: JudgedResources,
  object: Resource,
  path: string,
  types: ReadonlySet<string>,
): Resource | undefined {
  const value = readText(object.properties, path);
  if (value === undefined) return undefined;
  const source = index.sourceOf(object, "spec", types, value);
  return typeof value === "string" ? (index.named(value, types) ?? source) : source;
}
