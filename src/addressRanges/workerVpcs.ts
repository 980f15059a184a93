import { append, onceForEach } from "../collections";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import type { JudgedResources } from "../gate/judgedResources";
import { Platform, Role } from "../requirements/vocabulary";
import { readText } from "../resources/read";
import type { Resource } from "../resources/resource";
import { keyOf, vpcKey } from "../resources/resourceIndex";
import { VPCS } from "../resources/resourceTypes";
import type { Vpc } from "../resources/vpcs";

/** A VPC that is said to be the one of a cluster's workers. */
interface SaidVpc {
  vpc: Vpc;
  /** Whether the HostedCluster says it, in whose VPC HyperShift makes the machines. A security group may be another one's. */
  isSure: boolean;
}

/**
 * The VPCs of the plan that are said to be those of a cluster's workers: by its object, and by the security groups of its workers,
 * which can only be attached to machines there. Elsewhere than on AWS such groups stand in the management cluster's VPC, or in none.
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

/** Where a HostedCluster names the VPC of its workers. */
const NAMED = "spec.platform.aws.cloudProviderConfig.vpc";

/** Whether a VPC may be the one that the object of a cluster names: its id is the same, or one of the two is not known. */
export function mayBeNamed(judged: JudgedResources, cluster: JudgedCluster, key: string): boolean {
  const named = readText(objectOf(cluster)?.properties, NAMED);
  const vpc = judged.vpcs.get(key)?.resource;
  const id = vpc ? readText(vpc.properties, "id") : key;
  return typeof named !== "string" || named === "" || typeof id !== "string" || id === "" || id === named;
}

const vpcsOfGroups = onceForEach((judged: JudgedResources): ReadonlyMap<JudgedCluster, string[]> => {
  const keys = new Map<JudgedCluster, string[]>();
  for (const { group, role, cluster } of judged.groupsInRoles()) {
    const key = role === Role.Workers && group.resource && vpcKey(judged.index, group.resource, "vpcId");
    if (typeof key === "string") append(keys, cluster, [key]);
  }
  return keys;
});

/** What an object names by an id: of one that is to be made no id is known, only what the object was made from. */
export function referredIn(
  { index }: JudgedResources,
  object: Resource,
  path: string,
  types: ReadonlySet<string>,
): Resource | undefined {
  const value = readText(object.properties, path);
  if (value === undefined) return undefined;
  const source = index.only(index.madeFrom(object, "spec", types), value);
  return typeof value === "string" ? (index.named(value, types) ?? source) : source;
}
