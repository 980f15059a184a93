import { SDN_MULTICAST_ANNOTATION, handTranslations } from "../requirements/migration";
import { annotationOf } from "../resources/objectText";
import { readText, readValue } from "../resources/read";
import { entriesOf, type PropertyMap } from "../objects/places";
import type { MigrationObjects } from "./objects";
import { plural } from "../plural";

/** An object of OpenShift SDN whose settings somebody has to write anew. */
export interface Translation {
  /** `EgressNetworkPolicy shop/default` */
  object: string;
  /** What it has that gets lost: `addresses 192.0.2.1`. */
  what: string;
  instead: string;
}

/** What of a cluster OVN-Kubernetes does not take over. Pods of egress routers are not among it: nothing marks them. */
export function translations({
  egressNetworkPolicies,
  netNamespaces,
  hostSubnets,
}: Pick<MigrationObjects, "egressNetworkPolicies" | "netNamespaces" | "hostSubnets">): Translation[] {
  return [
    ...egressNetworkPolicies.map((object) => ({
      object: `EgressNetworkPolicy ${nameOf(object)}`,
      what: plural(entriesOf(readValue(object, "spec.egress")).length, "rule"),
      instead: handTranslations.egressNetworkPolicy.instead,
    })),
    ...netNamespaces.flatMap((object) => [
      ...addresses("NetNamespace", object, handTranslations.netNamespaceAddresses.instead),
      ...multicast(object),
    ]),
    ...hostSubnets.flatMap((object) =>
      addresses("HostSubnet", object, handTranslations.hostSubnetAddresses.instead),
    ),
  ];
}

function addresses(kind: string, object: PropertyMap, instead: string): Translation[] {
  const all = [...entriesOf(object.egressIPs), ...entriesOf(object.egressCIDRs)];
  if (all.length === 0) return [];
  return [{ object: `${kind} ${nameOf(object)}`, what: `addresses ${all.map(String).join(", ")}`, instead }];
}

function multicast(object: PropertyMap): Translation[] {
  const value = annotationOf(object, SDN_MULTICAST_ANNOTATION);
  if (value !== "true") return [];
  const { instead } = handTranslations.multicast;
  return [{ object: `NetNamespace ${nameOf(object)}`, what: "multicast", instead }];
}

function nameOf(object: PropertyMap): string {
  const [namespace, name] = ["namespace", "name"].map((key) => readText(object, `metadata.${key}`));
  return typeof namespace === "string" ? `${namespace}/${String(name)}` : String(name);
}
