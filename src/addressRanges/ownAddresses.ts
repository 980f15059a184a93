import { meeting, type Prefix, prefixOf } from "../address";
import { parseAddress } from "../address/parse";
import { onceForEach, onceIn } from "../collections";
import { routerAttachments } from "../egressRouter/attachments";
import { guestScope } from "../gate/guestCluster";
import type { JudgedResources } from "../gate/judgedResources";
import { type Judgement, violated } from "../gate/rule";
import { addressPools } from "../resources/addressPools";
import { entriesOf, propertyOf, read, readValue } from "../resources/read";
import type { PropertyValue, Resource } from "../resources/resource";
import { isEgressIp, isEgressRouter, isNode } from "../resources/resourceTypes";
import type { PlacedRange } from "../resources/vpcs";

/** A single address that an object has for itself in the networks of the nodes. */
export interface OwnAddress {
  resource: Resource;
  /** Where the object says it. */
  path: string;
  prefix: Prefix;
  /** The address as text, by which two are the same. */
  key: string;
  /** Of an egress router: the interface of the nodes that it uses; undefined where nothing says it. */
  router?: { master: PropertyValue | undefined };
}

/** The addresses of nodes, EgressIP objects and egress routers, in this order. */
export const ownAddresses = onceForEach((judged: JudgedResources): readonly OwnAddress[] => {
  const listed = (holds: (type: string) => boolean, list: string) =>
    judged
      .ofKind(holds)
      .flatMap((resource) =>
        read(resource.properties, list).flatMap(({ path, value }) => ownAddress(resource, path, value)),
      );
  return [
    ...listed(isNode, "status.addresses[].address"),
    ...listed(isEgressIp, "spec.egressIPs[]"),
    ...judged.ofKind(isEgressRouter).flatMap((router) => {
      const [first] = entriesOf(readValue(router.properties, "spec.addresses"));
      const master = readValue(router.properties, "spec.networkInterface.macvlan.master");
      return ownAddress(router, "spec.addresses[0].ip", propertyOf(first, "ip"), { master });
    }),
    ...routerAttachments(judged).flatMap(({ resource, plugin }) => {
      const [first] = entriesOf(readValue(plugin, "ip.addresses"));
      return ownAddress(resource, "spec.config", first, {
        master: readValue(plugin, "interfaceArgs.master"),
      });
    }),
  ];
});

/** The pools of each cluster; many may say one block, and the first of them is named. */
const poolsMeeting = onceForEach((judged: JudgedResources) => {
  const scoped = new Map<string, Map<string, PlacedRange>>();
  for (const pool of addressPools(judged).blocks)
    onceIn(
      onceIn(scoped, guestScope(judged, pool.resource).key, () => new Map<string, PlacedRange>()),
      pool.prefix.text,
      () => pool,
    );
  return new Map([...scoped].map(([scope, pools]) => [scope, meeting([...pools.values()])]));
});

/** Addresses that load balancers of the same cluster may get, too. */
export const inPools = (judged: JudgedResources, holds: (own: OwnAddress) => boolean): Judgement[] =>
  ownAddresses(judged)
    .filter(holds)
    .flatMap(({ resource, path, prefix, key }) => {
      const [pool] = poolsMeeting(judged).get(guestScope(judged, resource).key)?.(prefix) ?? [];
      if (!pool) return [];
      return violated({
        resource: resource.origin,
        path,
        message: `${key} lies in ${pool.name}, and a load balancer may get it`,
        fix: "choose an address that nothing else has, or take it out of the pool",
        witness: key,
      });
    });

function ownAddress(
  resource: Resource,
  path: string,
  value: PropertyValue | undefined,
  router?: OwnAddress["router"],
): OwnAddress[] {
  // Source addresses of routers have the prefix length of their subnet.
  const { address } = parseAddress(typeof value === "string" ? value.split("/")[0] : undefined);
  return address
    ? [{ resource, path, prefix: prefixOf(address), key: address.text, ...(router && { router }) }]
    : [];
}
