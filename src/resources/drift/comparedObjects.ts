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

/** A kind of objects of which values are compared. */
export interface ComparedKind {
  isKind: (type: string) => boolean;
  /** What is compared. */
  paths: readonly string[];
  /** Where an object is that names no namespace; absent for kinds that are in none. */
  namespace?: string;
  /** Lists of rules: what a rule leaves out says something, too, because a rule without `from` lets everybody in. */
  rules?: readonly string[];
}

/** What belongs to the network of a HostedCluster: the rest is nothing that this package judges. */
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
  // Everywhere else a HostedCluster without a namespace is taken for one in this, and its packets are compared as such.
  { isKind: isHostedCluster, paths: HOSTED_CLUSTER_PATHS, namespace: DEFAULT_NAMESPACE },
  { isKind: isNetwork, paths: WHOLE },
  { isKind: isClusterProxy, paths: WHOLE },
  { isKind: isEgressIp, paths: WHOLE },
  { isKind: isEgressRouter, paths: WHOLE, namespace: API_NAMESPACE },
  { isKind: isEgressFirewall, paths: WHOLE, namespace: API_NAMESPACE, rules: ["spec.egress"] },
  { isKind: isNetworkPolicy, paths: WHOLE, namespace: API_NAMESPACE, rules: ["spec.ingress", "spec.egress"] },
];

/** How a kind is compared; undefined for kinds that are not. */
export const comparedKind = (type: string): ComparedKind | undefined =>
  KINDS.find(({ isKind }) => isKind(type));

/** Which object of a cluster a resource is, or is a patch on. */
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

/** Undefined for kinds that are not compared, and where name or namespace are not known. */
export function identityOf(resource: Pick<Resource, "type" | "properties">): Identity | undefined {
  const compared = comparedKind(resource.type);
  const [, group, version, kind] = TYPE.exec(resource.type) ?? [];
  if (!compared || group === undefined || version === undefined || kind === undefined) return undefined;
  // Not before here: properties of large plans are parsed only when they are read.
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
