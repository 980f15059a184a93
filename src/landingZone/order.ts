import * as pulumi from "@pulumi/pulumi";
import { EGRESS_FIREWALL_API_VERSION, EGRESS_FIREWALL_KIND } from "../egressFirewall/egressFirewall";
import { DENY_INGRESS } from "../isolation/ingress";
import { HOSTED_CLUSTER_API_VERSION, HOSTED_CLUSTER_KIND } from "../objects/hostedClusterReference";
import { TYPE } from "../resources/resourceTypes";
import { LandingZonePart } from "./hostedClusterLandingZoneArgs";
import { PartTarget, type Part, type ZoneContext } from "./parts/part";

/** Order and life of a HostedCluster that a landing zone makes, and of what surrounds it. */
export interface Order {
  /** Options for the component of a part. */
  optionsOf: (part: Pick<Part, "part" | "target">) => pulumi.ComponentResourceOptions;
  /** What waits for a HostedCluster waits no more: every part is made. */
  close: () => void;
}

const HOSTED_CLUSTER = `kubernetes:${HOSTED_CLUSTER_API_VERSION}:${HOSTED_CLUSTER_KIND}`;
const OWN_COMPONENTS = "hypershift-network:";
const NETWORK_POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
const EGRESS_FIREWALL = `kubernetes:${EGRESS_FIREWALL_API_VERSION}:${EGRESS_FIREWALL_KIND}`;
const GROUP_ON_ENDPOINT = "aws:ec2/securityGroupAssociation:SecurityGroupAssociation";

/** Filters that do not need the cluster, so it comes up behind them, and goes before them. */
const AHEAD: ReadonlySet<string> = new Set([
  TYPE.securityGroup,
  TYPE.ingressRule,
  TYPE.egressRule,
  TYPE.networkAcl,
  TYPE.networkAclRule,
  TYPE.networkAclAssociation,
]);

/**
 * Makes the HostedCluster after its filters and lets it go before them; what can exist only after it waits for it. Filters of a
 * cluster that is kept are kept with it.
 *
 * What is deleted first stops a destroy when it is protected, before anything else is gone: that is the cluster, and among what
 * depends on it each object that nothing else depends on. Rules are not protected, so that single ones can go: they are kept
 * by what depends on them, and by `deletedWith` where their whole component goes.
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
    // HyperShift makes the namespace, unless this program does.
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

/** How a filter of a cluster that is kept is kept with it, `component` being the one that it is a child of. */
function keptLife(
  type: string,
  props: { metadata?: { name?: unknown } },
  component: pulumi.Resource | undefined,
): pulumi.ResourceOptions {
  const together = { deletedWith: component };
  if (type === TYPE.securityGroup || type === TYPE.networkAcl) return KEPT;
  // After all other policies, which it depends on.
  if (type === NETWORK_POLICY) return props.metadata?.name === DENY_INGRESS ? KEPT : together;
  if (type === GROUP_ON_ENDPOINT || type === EGRESS_FIREWALL) return { ...together, protect: true };
  return AHEAD.has(type) ? together : {};
}
