import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import { API_NAMESPACE, nameOf, textAt } from "../kubernetesObject";
import {
  isClusterProxy,
  isEgressFirewall,
  isEgressIp,
  isEgressRouter,
  isHostedCluster,
  isNetwork,
  isNetworkPolicy,
} from "../resourceTypes";
import { readValue } from "../read";
import { type Resource, UNKNOWN } from "../resource";

/** A kind of object whose values are compared. */
export interface ComparedKind {
  isKind: (type: string) => boolean;
  /** The paths that are compared. */
  paths: readonly string[];
  /** The namespace of an object that names none; absent for cluster-scoped kinds. */
  namespace?: string;
  /** Lists of rules, in which omitted fields count too, because a rule without `from` allows every source. */
  rules?: readonly string[];
}

/** The network settings of a HostedCluster, the only part that this package judges. */
const HOSTED_CLUSTER_PATHS = [
  "spec.networking",
  "spec.services",
  "spec.configuration.proxy",
  "spec.operatorConfiguration.clusterNetworkOperator",
  "spec.additionalTrustBundle",
  "spec.platform.aws.endpointAccess",
  "spec.platform.gcp.endpointAccess",
];
const WHOLE = ["spec"];

const KINDS: readonly ComparedKind[] = [
  // The namespace that the rest of this package, such as the comparison of packets, assumes for a HostedCluster without one.
  { isKind: isHostedCluster, paths: HOSTED_CLUSTER_PATHS, namespace: DEFAULT_NAMESPACE },
  { isKind: isNetwork, paths: WHOLE },
  { isKind: isClusterProxy, paths: WHOLE },
  { isKind: isEgressIp, paths: WHOLE },
  { isKind: isEgressRouter, paths: WHOLE, namespace: API_NAMESPACE },
  { isKind: isEgressFirewall, paths: WHOLE, namespace: API_NAMESPACE, rules: ["spec.egress"] },
  { isKind: isNetworkPolicy, paths: WHOLE, namespace: API_NAMESPACE, rules: ["spec.ingress", "spec.egress"] },
];

/** How a kind is compared; undefined for kinds that are not compared. */
export const comparedKind = (type: string): ComparedKind | undefined =>
  KINDS.find(({ isKind }) => isKind(type));

/** The object of a cluster that a resource is or patches. */
export interface Identity {
  /** Group, kind, namespace and name. */
  key: string;
  group: string;
  kind: string;
  version: string;
  /** `HostedCluster clusters/tenant-a` */
  object: string;
}

const TYPE = /^kubernetes:(.*)\/([^/:]+):([^:]+?)(?:Patch)?$/;

/** The identity of a resource's object; undefined for kinds that are not compared, or if name or namespace is unknown. */
export function identityOf(resource: Pick<Resource, "type" | "properties">): Identity | undefined {
  const compared = comparedKind(resource.type);
  const [, group, version, kind] = TYPE.exec(resource.type) ?? [];
  if (!compared || group === undefined || version === undefined || kind === undefined) return undefined;
  // Reads properties only here, because those of large plans are parsed on first access.
  const { properties } = resource;
  const name = nameOf(properties);
  if (name === "" || readValue(properties, "metadata.namespace") === UNKNOWN) return undefined;
  const namespace = compared.namespace && (textAt(properties, "metadata.namespace") || compared.namespace);
  return {
    key: [group, kind, namespace, name].join(" "),
    group,
    kind,
    version,
    object: `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
  };
}
