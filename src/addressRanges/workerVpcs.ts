import { append, onceForEach } from "../collections";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import type { JudgedResources } from "../gate/judgedResources";
import { Platform, Role } from "../requirements/vocabulary";
import { isFilled, readText } from "../resources/read";
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

/** What a HostedCluster says of that VPC, with the property of the VPC that says the same. */
const SAID: readonly { inObject: string; inVpc: string }[] = [
  { inObject: NAMED, inVpc: "id" },
  { inObject: "spec.platform.aws.region", inVpc: "region" },
];

/** Whether a VPC may hold the workers of a cluster: as far as both are known, it is what the cluster's object says. */
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
