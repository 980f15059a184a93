import { makesPods } from "./pods";
import {
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
  isNetworkPolicy,
  isNode,
  isNodePool,
  isService,
  OUR_COMPONENTS,
  TYPE,
} from "./resourceTypes";

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
  ...kubernetesJudges,
];

/**
 * Whether some rule judges resources of a type. What rules only read beside others, such as namespaces and ConfigMaps, is
 * not judged.
 */
export const isJudged = (type: string): boolean => kinds.some((holds) => holds(type));
