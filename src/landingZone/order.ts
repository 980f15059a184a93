import * as pulumi from "@pulumi/pulumi";
import { EGRESS_FIREWALL_API_VERSION, EGRESS_FIREWALL_KIND } from "../egressFirewall/egressFirewall";
import { DENY_INGRESS } from "../isolation/ingress";
import { HOSTED_CLUSTER_API_VERSION, HOSTED_CLUSTER_KIND } from "../objects/hostedClusterReference";
import { TYPE } from "../resources/resourceTypes";
import { LandingZonePart } from "./hostedClusterLandingZoneArgs";
import { PartTarget, type Part, type ZoneContext } from "./parts/part";

/** Order and lifecycle of a HostedCluster that a landing zone creates, and of what surrounds it. */
export interface Order {
  /** Options for the component of a part. */
  optionsOf: (part: Pick<Part, "part" | "target">) => pulumi.ComponentResourceOptions;
  /** Ends the wait for a HostedCluster, once every part is created. */
  close: () => void;
}

const HOSTED_CLUSTER = `kubernetes:${HOSTED_CLUSTER_API_VERSION}:${HOSTED_CLUSTER_KIND}`;
const OWN_COMPONENTS = "hypershift-network:";
const NETWORK_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
const EGRESS_FIREWALL = `kubernetes:${EGRESS_FIREWALL_API_VERSION}:${EGRESS_FIREWALL_KIND}`;
const GROUP_ON_ENDPOINT = "aws:ec2/securityGroupAssociation:SecurityGroupAssociation";

/** Filters that do not need the cluster: they are created before it and deleted after it. */
const AHEAD: ReadonlySet<string> = new Set([
  TYPE.securityGroup,
  TYPE.ingressRule,
  TYPE.egressRule,
  TYPE.networkAcl,
  TYPE.networkAclRule,
  TYPE.networkAclAssociation,
]);

/**
 * Creates the HostedCluster after its filters and deletes it before them; what can exist only after the cluster waits for it.
 * If the cluster is kept, its filters are kept with it.
 *
 * A protected resource that is deleted first stops a destroy before anything else is gone. That is the cluster and, among its
 * dependents, each object that nothing else depends on. Rules are not protected, so that single rules can be deleted: their
 * dependents keep them, and `deletedWith` keeps them when their whole component is deleted.
 */
export function orderAround({ args, made }: ZoneContext): Order {
  if (!made.has(LandingZonePart.HostedCluster)) return { optionsOf: () => ({}), close: () => undefined };
  const isKept = args.hostedCluster?.deletable !== true;
  const ahead: pulumi.Resource[] = [];
  let close: (cluster: pulumi.Resource[]) => void;
  const cluster = new Promise<pulumi.Resource[]>((resolve) => (close = resolve));

  const childOf =
    (isAhead: (type: string) => boolean): pulumi.ResourceTransformation =>
    ({ resource, type, props, opts }) => {
      if (type.startsWith(OWN_COMPONENTS)) return undefined;
      const first = isAhead(type);
      if (first) ahead.push(resource);
      const life = isKept ? keptLife(type, props, opts.parent) : {};
      return { props, opts: pulumi.mergeOptions(opts, first ? life : { ...life, dependsOn: cluster }) };
    };
  const hostedCluster: pulumi.ResourceTransformation = ({ resource, type, props, opts }) => {
    if (type !== HOSTED_CLUSTER) return undefined;
    close([resource]);
    return { props, opts: pulumi.mergeOptions(opts, { dependsOn: ahead }) };
  };
  const ofPart = ({ part, target }: Pick<Part, "part" | "target">) => {
    if (part === LandingZonePart.HostedCluster) return hostedCluster;
    if (target === PartTarget.HostedCluster) return childOf(() => false);
    if (target === PartTarget.Aws) return childOf((type) => AHEAD.has(type));
    // HyperShift creates the namespace, unless this program does.
    if (part === LandingZonePart.Isolation) return childOf(() => args.isolation?.namespace !== undefined);
    return undefined;
  };
  return {
    optionsOf: (part) => {
      const transformation = ofPart(part);
      return transformation ? { transformations: [transformation] } : {};
    },
    close: () => close([]),
  };
}

const KEPT: pulumi.ResourceOptions = { protect: true, retainOnDelete: true };

/** Options that keep a filter with its cluster. `component` is the parent of the filter. */
function keptLife(
  type: string,
  props: { metadata?: { name?: unknown } },
  component: pulumi.Resource | undefined,
): pulumi.ResourceOptions {
  const together = { deletedWith: component };
  if (type === TYPE.securityGroup || type === TYPE.networkAcl) return KEPT;
  // Deny-ingress comes after all other policies, on which it depends.
  if (type === NETWORK_POLICY) return props.metadata?.name === DENY_INGRESS ? KEPT : together;
  if (type === GROUP_ON_ENDPOINT || type === EGRESS_FIREWALL) return { ...together, protect: true };
  return AHEAD.has(type) ? together : {};
}
