import { makesPods } from "./kubernetesObject";
import {
  OUR_COMPONENTS,
  TYPE,
  isAddressPlan,
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isClusterProxy,
  isEgressFirewall,
  isEgressIp,
  isEgressRouter,
  isHostedCluster,
  isMachineConfigPool,
  isNetwork,
  isNetworkAttachment,
  isNetworkPolicy,
  isNode,
  isNodePool,
  isService,
} from "./resourceTypes";
import type { Resource } from "./resource";

const awsTypes: ReadonlySet<string> = new Set(Object.values(TYPE));

/** Which objects of Kubernetes are judged. */
export const kubernetesJudges: readonly ((type: string) => boolean)[] = [
  isHostedCluster,
  isNodePool,
  isNetwork,
  isClusterProxy,
  isMachineConfigPool,
  isEgressFirewall,
  isEgressIp,
  isEgressRouter,
  isNetworkAttachment,
  isNode,
  isNetworkPolicy,
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isService,
  makesPods,
];

const kinds: readonly ((type: string) => boolean)[] = [
  (type) => awsTypes.has(type),
  (type) => type.startsWith(OUR_COMPONENTS),
  isAddressPlan,
  ...kubernetesJudges,
];

/**
 * Whether some rule judges resources of a type. What rules only read beside others, such as namespaces and ConfigMaps, is
 * not judged.
 */
export const isJudged = (type: string): boolean => kinds.some((holds) => holds(type));

/** What providers call a thing that lets packets pass or stops them, a rule or an entry of one included. */
const FILTER =
  /(SecurityGroup|SecGroup|SecurityRule|Firewall|NetworkAcl|NetworkPolicy|PrefixList)(V\d)?(Policy)?(Ingress|Egress)?(Rule|Entry)?(Patch)?$/;

/**
 * How many resources there are of each type that by its name filters packets and that nothing here reads, such as
 * `aws-native:ec2:SecurityGroup`: what they open or stop is in no answer. Components are left out: their children are
 * there by themselves.
 */
export function unreadFilters(resources: readonly Resource[]): ReadonlyMap<string, number> {
  // Plans have many resources of few types.
  const types = [...new Set(resources.map(({ type }) => type))];
  const counts = new Map(types.filter(isUnread).map((type) => [type, 0]));
  if (counts.size === 0) return counts;
  const parents = new Set(resources.map(({ parent }) => parent));
  for (const { type, origin } of resources) {
    const count = counts.get(type);
    if (count !== undefined && !parents.has(origin.urn ?? "")) counts.set(type, count + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 0));
}

const isUnread = (type: string): boolean => FILTER.test(type) && !isJudged(type);
