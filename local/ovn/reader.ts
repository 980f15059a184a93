import { readPrefix, type Prefix } from "../../src/address";
import { adminNetworkPolicyFilter, baselineFilter } from "../../src/reachability/filters/adminNetworkPolicy";
import { allowedBy } from "../../src/reachability/filters/decide";
import {
  type AddressesOfNames,
  firewallRulesFilter,
  rulesOfFirewall,
} from "../../src/reachability/filters/egressFirewall";
import { networkPolicyFilter } from "../../src/reachability/filters/networkPolicy";
import type { KnownLabels } from "../../src/resources/kubernetesObject";
import type { PolicyEnd } from "../../src/reachability/filters/policySelection";
import { contains, isEmpty, packets, type PacketSet } from "../../src/reachability/packets/packetSet";
import { service } from "../../src/reachability/packets/service";
import { Direction } from "../../src/requirements/vocabulary";
import { type LabelSelector, ofKind, resourceOf } from "./manifests";
import { CLUSTER_NETWORK, NODES } from "./network";
import { addressOf, podAt, type End, type Labels, type Packet, type Pod, type Scene } from "./scene";
import { selects } from "./selection";
import type { TraceResult } from "./trace";

/** The readers' verdict on a packet, from the sender's policies, its egress firewall, and the receiver's policies. */
export function read(scene: Scene, packet: Packet): TraceResult | "perhaps" {
  const [from, to] = [podAt(packet.from), podAt(packet.to)];
  const one = setOf(packet);
  const verdicts = [
    ...(from ? [policiesSay(scene, Direction.Egress, from, packet.to, one)] : []),
    ...(from ? [firewallSays(scene, from, one)] : []),
    ...(to ? [policiesSay(scene, Direction.Ingress, to, packet.from, one)] : []),
  ];
  if (verdicts.includes("denied")) return "denied";
  return verdicts.includes("perhaps") ? "perhaps" : "allowed";
}

const setOf = (packet: Packet): PacketSet =>
  packets({
    services: [service(packet.protocol, { from: packet.port, to: packet.port })],
    sources: prefixesOf([addressOf(packet.from, packet.family)]),
    destinations: prefixesOf([addressOf(packet.to, packet.family)]),
  });

/** Reads CIDR blocks and single addresses. */
const prefixesOf = (texts: readonly string[]): Prefix[] =>
  texts.flatMap(
    (text) => readPrefix(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`) ?? [],
  );

function policiesSay(
  scene: Scene,
  direction: Direction,
  pod: Pod,
  other: End,
  one: PacketSet,
): TraceResult | "perhaps" {
  const view = { direction, pod: podEnd(scene, pod), other: endOf(scene, other) };
  const [admin, namespaced, baseline] = (
    ["AdminNetworkPolicy", "NetworkPolicy", "BaselineAdminNetworkPolicy"] as const
  ).map((kind) => scene.objects.filter((object) => object.kind === kind).map(resourceOf));
  const filters = [
    adminNetworkPolicyFilter(admin!, view),
    networkPolicyFilter(namespaced!, view),
    baselineFilter(baseline!, view),
  ];
  return verdictOf(allowedBy(filters, one), one);
}

function firewallSays(scene: Scene, pod: Pod, one: PacketSet): TraceResult | "perhaps" {
  const filters = ofKind(scene.objects, "EgressFirewall")
    .filter(({ metadata }) => metadata.namespace === pod.namespace)
    .map((firewall) =>
      firewallRulesFilter(
        rulesOfFirewall(resourceOf(firewall)),
        prefixesOf(CLUSTER_NETWORK),
        addressesIn(scene),
      ),
    );
  return filters.length === 0 ? "allowed" : verdictOf(allowedBy(filters, one), one);
}

function verdictOf(
  { sure, possible }: { sure: PacketSet; possible: PacketSet },
  one: PacketSet,
): TraceResult | "perhaps" {
  if (contains(sure, one)) return "allowed";
  return isEmpty(possible) ? "denied" : "perhaps";
}

/** Resolves names and node selectors in firewall rules, for which the readers call back. */
const addressesIn =
  ({ names }: Scene): AddressesOfNames =>
  ({ dnsName, nodeSelector }) => {
    if (typeof dnsName.value === "string") return prefixesOf(Object.values(names[dnsName.value] ?? {}));
    const selector = nodeSelector.value as unknown as LabelSelector;
    const nodes = NODES.filter(({ labels }) => selects(selector, labels));
    return prefixesOf(nodes.flatMap(({ addresses }) => Object.values(addresses)));
  };

const complete = (labels: Labels = {}): KnownLabels => ({ labels, complete: true });

const podEnd = ({ namespaces }: Scene, { namespace, labels, ports }: Pod): PolicyEnd & { kind: "pod" } => ({
  kind: "pod",
  namespace,
  namespaceLabels: complete(namespaces[namespace]),
  labels: complete(labels),
  ports,
});

const endOf = (scene: Scene, end: End): PolicyEnd =>
  "pod" in end ? podEnd(scene, end.pod) : { kind: "addresses" };
