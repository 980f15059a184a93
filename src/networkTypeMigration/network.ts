import { overlap, readPrefix, type Prefix } from "../address";
import type { Fault } from "../fault";
import { implicitRangeOf } from "../requirements/implicitRanges";
import { LIMIT } from "../requirements/limits";
import {
  OVERLAY_OVERHEAD,
  OVERLAY_PORT,
  SDN_MULTICAST_ANNOTATION,
  handTranslations,
  nodeMtuOf,
  overlayMtu,
  type MigratedType,
} from "../requirements/migration";
import { NetworkType } from "../requirements/vocabulary";
import { entriesOf, type PropertyMap, read, readNumber, readText, readValue } from "../resources/read";
import { condition, type Moment } from "./phases";
import { annotationOf } from "../resources/kubernetesObject";
import type { MigrationObjects } from "./cluster";
import { plural } from "../text";

const { OVNKubernetes: OVN, OpenShiftSDN: SDN } = NetworkType;
const settings = "spec.defaultNetwork";

/** The keys of the settings of each type in the operator's configuration. */
export const TYPE_SETTINGS: Readonly<Record<MigratedType, { config: string; port: string }>> = {
  [OVN]: { config: "ovnKubernetesConfig", port: "genevePort" },
  [SDN]: { config: "openshiftSDNConfig", port: "vxlanPort" },
};

/** The wanted MTU of the network; undefined if the MTU of the nodes is not stated. */
export function wantedMtu(moment: Moment): number | undefined {
  const { wishes, target, cluster } = moment;
  if (wishes.smallestNodeMtu !== undefined) return overlayMtu(wishes.smallestNodeMtu, target);
  const stated = settingOf(moment, target, "mtu");
  // Once this phase has written the MTU, the status may be that of either type.
  if (cluster.type === target && stated !== undefined) return stated;
  const nodes = nodeMtuNow(moment);
  return nodes === undefined ? undefined : overlayMtu(nodes, target);
}

/** The smallest MTU of the nodes, as derived from the MTU of the present cluster network. */
function nodeMtuNow({ cluster: { objects, statusType } }: Moment): number | undefined {
  const mtu = objects.config && readNumber(objects.config, "status.clusterNetworkMTU");
  if (typeof mtu !== "number" || mtu === 0) return undefined;
  return statusType === OVN || statusType === SDN ? nodeMtuOf(mtu, statusType) : undefined;
}

/** Reads a number from the settings of a type; undefined if the operator chooses it. */
export function settingOf(
  { cluster: { objects } }: Moment,
  type: MigratedType,
  name: string,
): number | undefined {
  const path = `${settings}.${TYPE_SETTINGS[type].config}.${name}`;
  const value = objects.operator && readNumber(objects.operator, path);
  return typeof value === "number" ? value : undefined;
}

/** The wanted port of a type's overlay network. */
export const wantedPort = ({ wishes }: Moment, type: MigratedType): number | undefined =>
  type === OVN ? wishes.genevePort : wishes.vxlanPort;

/** The overlay of the new network fits into the smallest MTU of the nodes. */
export const mtuFits = condition(
  `the MTU of the smallest node less ${OVERLAY_OVERHEAD[OVN]} bytes for OVN-Kubernetes, ${OVERLAY_OVERHEAD[SDN]} for OpenShift SDN, is a valid MTU of a network`,
  (moment) => {
    const path = "smallestNodeMtu";
    const mtu = wantedMtu(moment);
    if (mtu === undefined) {
      const problem =
        "missing, and the status of Network.config does not state the MTU of the cluster network";
      return [{ path, problem, remedy: "write the smallest MTU of the nodes" }];
    }
    const nodes = moment.cluster.type === moment.old ? nodeMtuNow(moment) : undefined;
    const smallest = nodeMtuOf(mtu, moment.target);
    if (nodes !== undefined && smallest > nodes) {
      const problem = `${smallest} is more than the ${nodes} bytes that the current cluster network assumes`;
      return [{ path, problem, remedy: `write ${nodes} or less` }];
    }
    const isV6 = networksOf(moment).some(({ prefix }) => prefix.family === 6);
    const least = isV6 ? LIMIT.mtu.minWithIpv6 : LIMIT.mtu.min;
    if (mtu >= least && mtu <= LIMIT.mtu.max) return [];
    const problem = `${smallest} leaves the cluster network an MTU of ${mtu}, which must be from ${least} to ${LIMIT.mtu.max}`;
    return [{ path, problem, remedy: "check the MTU of the nodes" }];
  },
);

/** The two overlay networks use different ports. */
export const portsDiffer = condition(
  `the Geneve port (${OVERLAY_PORT[OVN]} by default) and the VXLAN port (${OVERLAY_PORT[SDN]}) differ`,
  (moment) => {
    const [geneve, vxlan] = ([OVN, SDN] as const).map(
      (type) =>
        wantedPort(moment, type) ?? settingOf(moment, type, TYPE_SETTINGS[type].port) ?? OVERLAY_PORT[type],
    );
    if (geneve !== vxlan) return [];
    const path = TYPE_SETTINGS[moment.target].port;
    const problem = `UDP ${geneve} is the port of both Geneve and OpenShift SDN's VXLAN`;
    return [{ path, problem, remedy: "choose another port" }];
  },
);

/** A range of the cluster, with its name for messages. */
interface NamedRange {
  name: string;
  prefix: Prefix;
}

const join = implicitRangeOf("ovn-join");

/** No range of the cluster overlaps one of OVN-Kubernetes or a hybrid network; a new cluster network overlaps no service or node. */
export const rangesApart = condition(
  `cluster network, service network and nodes have no address in ${join.cidr} or in a hybrid network`,
  (moment) => {
    const { cluster } = moment;
    const networks = networksOf(moment);
    const nodes = cluster.nodes.flatMap(({ name, addresses }) =>
      addresses.flatMap((address) =>
        ranges(`node ${name}`, [`${address}/${address.includes(":") ? 128 : 32}`]),
      ),
    );
    const hybrid = `${settings}.ovnKubernetesConfig.hybridOverlayConfig.hybridClusterNetwork[].cidr`;
    const taken = [
      ...ranges(join.name, [join.cidr]),
      ...ranges("the hybrid network", valuesAt(cluster.objects.operator, hybrid)),
    ];
    const services = ranges("the service network", valuesAt(cluster.objects.config, "spec.serviceNetwork[]"));
    return [
      ...[...networks, ...services, ...nodes].flatMap((range) => conflicts(range, taken)),
      ...(moment.wishes.clusterNetwork
        ? networks.flatMap((range) => conflicts(range, [...services, ...nodes]))
        : []),
    ];
  },
);

/** The cluster network after the phase. */
function networksOf({ wishes, cluster }: Moment): NamedRange[] {
  const cidrs =
    wishes.clusterNetwork?.map(({ cidr }) => cidr) ??
    valuesAt(cluster.objects.config, "spec.clusterNetwork[].cidr");
  return ranges("the cluster network", cidrs);
}

const valuesAt = (object: Parameters<typeof read>[0], path: string): unknown[] =>
  read(object, path).map(({ value }) => value);

const ranges = (name: string, cidrs: readonly unknown[]): NamedRange[] =>
  cidrs.flatMap((cidr) => {
    const prefix = typeof cidr === "string" ? readPrefix(cidr) : undefined;
    return prefix ? [{ name, prefix }] : [];
  });

const conflicts = (range: NamedRange, others: readonly NamedRange[]): Fault[] =>
  others
    .filter(({ prefix }) => overlap(prefix, range.prefix))
    .map((other) => ({
      path: range.name,
      problem: `${range.prefix.text} overlaps ${other.name} ${other.prefix.text}`,
      remedy: range.name === "the cluster network" ? "write another one as clusterNetwork" : "move it first",
    }));

/** An object of OpenShift SDN whose settings the user must rewrite by hand. */
export interface Translation {
  /** `EgressNetworkPolicy shop/default` */
  object: string;
  /** What is lost: `addresses 192.0.2.1`. */
  what: string;
  instead: string;
}

/** Lists what OVN-Kubernetes does not take over of a cluster, except for pods of egress routers: nothing marks them. */
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
