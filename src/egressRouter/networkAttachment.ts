import { EGRESS_SINCE } from "../requirements/egressReleases";
import type { Release } from "../requirements/release";
import { isOlder } from "../objects/egressCluster";
import { isGiven } from "../objects/places";
import type { PlainMacvlan, PlainRedirectRule } from "./egressRouter";

/** A router whose values are known and right. */
export interface PlainEgressRouter {
  name: string;
  /** Address and prefix length. */
  address: string;
  gateway: string;
  redirectRules?: readonly PlainRedirectRule[] | null;
  fallbackIp?: string | null;
  macvlan?: PlainMacvlan | null;
}

/** The CNI plug-in that gives a pod its second interface, and redirects what comes to it. */
export const EGRESS_ROUTER_PLUGIN = "egress-router";

/** The configuration of the egress-router CNI plug-in, as a NetworkAttachmentDefinition holds it. */
export function networkAttachmentConfig(router: PlainEgressRouter, release: Release | undefined): string {
  const { name, address, gateway, macvlan } = router;
  const args = {
    ...(isGiven(macvlan?.master) && { master: macvlan.master }),
    // The plug-in knows the modes in small letters alone.
    ...(isGiven(macvlan?.mode) && { mode: macvlan.mode.toLowerCase() }),
  };
  return JSON.stringify({
    cniVersion: "0.4.0",
    type: EGRESS_ROUTER_PLUGIN,
    name,
    ...(Object.keys(args).length > 0 && { interfaceType: "macvlan", interfaceArgs: args }),
    ip: { addresses: [address], destinations: destinations(router, release), gateway },
  });
}

/**
 * Where connections go, in the order in which the plug-in tries them: `PORT PROTOCOL ADDRESS [PORT THERE]`, and last the
 * address for all others. The plug-in of release 4.7 reads one address alone, and wants a prefix length behind it.
 */
function destinations(
  { redirectRules, fallbackIp }: PlainEgressRouter,
  release: Release | undefined,
): string[] {
  if (isOlder(release, EGRESS_SINCE.egressRouterDestinations) && isGiven(fallbackIp))
    return [`${fallbackIp}/${fallbackIp.includes(":") ? 128 : 32}`];
  const rules = (redirectRules ?? []).map(({ port, protocol, destinationIp, targetPort }) =>
    [port, protocol, destinationIp, targetPort].filter(isGiven).join(" "),
  );
  return [...rules, ...(isGiven(fallbackIp) ? [fallbackIp] : [])];
}

/** How the pod asks for the second interface. Naming the default route keeps those to the cluster network on the first one. */
export function networksAnnotation(name: string, gateway: string, release: Release | undefined): string {
  if (!release || isOlder(release, EGRESS_SINCE.egressRouterDefaultRoute)) return name;
  return JSON.stringify([{ name, "default-route": [gateway] }]);
}

/**
 * Changes whenever the configuration does: pods read it when they start, and never again. An import would load all of Node's
 * cryptography with every check.
 */
export const configDigest = (config: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(config).digest("hex").slice(0, 16);

/** The annotation that holds the digest. */
export const DIGEST_ANNOTATION = "hypershift-network/network-attachment";
