import { ofKind, type OfKind, type PolicyPeer, type PolicyPort } from "../manifests";
import type { Pod, Scene } from "../scene";
import { podsInNamespaces, podsOf } from "../selection";
import { TIER, all, familyOf, type Writer } from "./acl";
import type { PortMatches } from "./ports";

type NetworkPolicy = OfKind<"NetworkPolicy">;

/** The priorities that ovn-kubernetes uses. */
const [ALLOW, DENY] = [1001, 1000];

const DIRECTIONS = {
  Ingress: { direction: "to-lport", at: "outport", far: "src" },
  Egress: { direction: "from-lport", at: "inport", far: "dst" },
} as const;
type PolicyType = keyof typeof DIRECTIONS;

/** Translates the NetworkPolicies of a scene: what each allows, and a denial of isolated pods for each namespace and direction. */
export function writeNetworkPolicies(writer: Writer, scene: Scene, portMatches: PortMatches): void {
  const policies = ofKind(scene.objects, "NetworkPolicy");
  for (const namespace of Object.keys(scene.namespaces))
    for (const type of ["Ingress", "Egress"] as const) {
      const here = policies.filter(
        ({ metadata, spec }) => metadata.namespace === namespace && typesOf(spec).includes(type),
      );
      if (here.length > 0) writeDenial(writer, type, isolated(scene, here));
      here.forEach((policy) => writeRules(writer, scene, policy, type, portMatches));
    }
}

/** The API server defaults missing types; ovn-kubernetes reads nothing else. */
function typesOf({ policyTypes, egress }: NetworkPolicy["spec"]): string[] {
  if (policyTypes && policyTypes.length > 0) return policyTypes;
  return egress && egress.length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
}

const selectedBy = (scene: Scene, { metadata, spec }: NetworkPolicy): Pod[] =>
  podsOf(scene, metadata.namespace, spec.podSelector);

const isolated = (scene: Scene, policies: readonly NetworkPolicy[]): Pod[] => [
  ...new Set(policies.flatMap((policy) => selectedBy(scene, policy))),
];

function writeDenial(writer: Writer, type: PolicyType, pods: readonly Pod[]): void {
  const { direction, at } = DIRECTIONS[type];
  const group = writer.group(pods);
  const entry = { group, direction, tier: TIER.namespaces };
  writer.add({ ...entry, priority: DENY, match: `${at} == @${group}`, action: "drop" });
  writer.add({ ...entry, priority: ALLOW, match: `${at} == @${group} && (arp || nd)`, action: "allow" });
}

function writeRules(
  writer: Writer,
  scene: Scene,
  policy: NetworkPolicy,
  type: PolicyType,
  portMatches: PortMatches,
): void {
  const { direction, at, far } = DIRECTIONS[type];
  const group = writer.group(selectedBy(scene, policy));
  for (const { peers, ports } of rulesOf(policy, type))
    for (const peer of peerMatches(writer, scene, policy, peers, far))
      for (const services of portMatches(ports, scene.pods)) {
        const match = all(peer, services, `${at} == @${group}`);
        writer.add({
          group,
          direction,
          tier: TIER.namespaces,
          priority: ALLOW,
          match,
          action: "allow-related",
        });
      }
}

function rulesOf(
  { spec }: NetworkPolicy,
  type: PolicyType,
): { peers: readonly PolicyPeer[]; ports: readonly PolicyPort[] }[] {
  return type === "Ingress"
    ? (spec.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, ports }))
    : (spec.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, ports }));
}

/** An empty list means all peers; each CIDR block gets its own match, all pods together one address set. */
function peerMatches(
  writer: Writer,
  scene: Scene,
  policy: NetworkPolicy,
  peers: readonly PolicyPeer[],
  far: "src" | "dst",
): string[] {
  if (peers.length === 0) return ["(ip4 || ip6)"];
  const blocks = peers.flatMap(({ ipBlock }) => ipBlock ?? []);
  const selectors = peers.filter(({ ipBlock }) => ipBlock === undefined);
  const pods = selectors.flatMap(({ namespaceSelector, podSelector }) =>
    namespaceSelector
      ? podsInNamespaces(scene, namespaceSelector, podSelector)
      : podsOf(scene, policy.metadata.namespace, podSelector),
  );
  return [
    ...blocks.map(({ cidr, except = [] }) => {
      const field = `${familyOf(cidr)}.${far}`;
      return all(`${field} == ${cidr}`, except.length > 0 ? `${field} != {${except.join(", ")}}` : "");
    }),
    ...(selectors.length > 0
      ? [
          writer.among(
            far,
            pods.flatMap(({ addresses }) => Object.values(addresses)),
          ),
        ]
      : []),
  ];
}
