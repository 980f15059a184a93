import { ofKind, type AdminPeer, type AdminPort, type OfKind } from "../manifests";
import type { Pod, Scene } from "../scene";
import { podsInNamespaces } from "../selection";
import { TIER, all, type Acl, type Writer } from "./acl";
import { named } from "./ports";

type AdminPolicy = OfKind<"AdminNetworkPolicy" | "BaselineAdminNetworkPolicy">;

/** Priority of the first rule: policies are a hundred apart, and the rules of a policy have consecutive priorities. */
const [ADMIN_FIRST, RULES_OF_ONE, BASELINE_FIRST] = [30_000, 100, 1750];

const ACTION: Readonly<Record<string, Acl["action"]>> = {
  Allow: "allow-related",
  Deny: "drop",
  Pass: "pass",
};
const PROTOCOLS = ["tcp", "udp", "sctp"];

/** Translates the AdminNetworkPolicies and the baseline of a scene. */
export function writeAdminPolicies(writer: Writer, scene: Scene): void {
  const policies: readonly AdminPolicy[] = [
    ...ofKind(scene.objects, "AdminNetworkPolicy"),
    ...ofKind(scene.objects, "BaselineAdminNetworkPolicy"),
  ];
  policies.forEach((policy) => writePolicy(writer, scene, policy));
}

function writePolicy(writer: Writer, scene: Scene, { kind, spec }: AdminPolicy): void {
  const group = writer.group(podsMeant(scene, spec.subject));
  const isBaseline = kind === "BaselineAdminNetworkPolicy";
  const first = isBaseline ? BASELINE_FIRST : ADMIN_FIRST - (spec.priority ?? 0) * RULES_OF_ONE;
  const tier = isBaseline ? TIER.baseline : TIER.admin;
  const write = (
    rules: readonly { action: string; peers: readonly AdminPeer[]; ports?: readonly AdminPort[] }[],
    direction: Acl["direction"],
  ) => {
    const [at, far] = direction === "to-lport" ? (["outport", "src"] as const) : (["inport", "dst"] as const);
    rules.forEach(({ action, peers, ports = [] }, position) => {
      const peer = writer.among(far, addressesOf(scene, peers));
      for (const services of portMatches(ports, scene.pods)) {
        const match = all(`${at} == @${group}`, peer, services);
        writer.add({ group, direction, tier, priority: first - position, match, action: ACTION[action]! });
      }
    });
  };
  write(
    (spec.ingress ?? []).map(({ from, ...rule }) => ({ ...rule, peers: from })),
    "to-lport",
  );
  write(
    (spec.egress ?? []).map(({ to, ...rule }) => ({ ...rule, peers: to })),
    "from-lport",
  );
}

const podsMeant = (scene: Scene, { namespaces, pods }: Pick<AdminPeer, "namespaces" | "pods">): Pod[] =>
  namespaces
    ? podsInNamespaces(scene, namespaces)
    : pods
      ? podsInNamespaces(scene, pods.namespaceSelector, pods.podSelector)
      : [];

const addressesOf = (scene: Scene, peers: readonly AdminPeer[]): string[] =>
  peers.flatMap((peer) => [
    ...(peer.networks ?? []),
    ...podsMeant(scene, peer).flatMap(({ addresses }) => Object.values(addresses)),
  ]);

/** One match for each protocol with port numbers, and one for each named port; none for a name that no pod uses. */
function portMatches(ports: readonly AdminPort[], listeners: readonly Pod[]): string[] {
  if (ports.length === 0) return [""];
  return PROTOCOLS.flatMap((protocol) => {
    const matches = ports.flatMap(({ portNumber, portRange, namedPort }) => {
      if (portNumber?.protocol.toLowerCase() === protocol) return [`${protocol}.dst == ${portNumber.port}`];
      if (portRange?.protocol.toLowerCase() === protocol)
        return [`${portRange.start} <= ${protocol}.dst <= ${portRange.end}`];
      return named(namedPort, protocol, listeners);
    });
    return matches.length === 0 ? [] : [`${protocol} && (${matches.join(" || ")})`];
  });
}
