import { ofKind, type EgressFirewallSpec, type OfKind } from "../manifests";
import { CLUSTER_NETWORK, NODES } from "../network";
import type { Scene } from "../scene";
import { podsOf, selects } from "../selection";
import { TIER, all, familyOf, type Writer } from "./acl";

type Rule = EgressFirewallSpec["egress"][number];

/** Priority of the first rule; each later rule is one lower. */
const FIRST = 10_000;

/** Translates the egress firewalls of a scene, each on the ports of all pods in its namespace. */
export function writeEgressFirewalls(writer: Writer, scene: Scene): void {
  ofKind(scene.objects, "EgressFirewall").forEach((firewall) => writeFirewall(writer, scene, firewall));
}

function writeFirewall(writer: Writer, scene: Scene, { metadata, spec }: OfKind<"EgressFirewall">): void {
  const group = writer.group(podsOf(scene, metadata.namespace));
  spec.egress.forEach((rule, position) => {
    const targets = targetsOf(writer, scene, rule);
    if (targets.length === 0) return;
    writer.add({
      group,
      // Not at the sending port: it matches when the packet is about to leave the switch.
      direction: "to-lport",
      tier: TIER.namespaces,
      priority: FIRST - position,
      match: all(`(${targets.join(" || ")})`, `inport == @${group}`, services(rule.ports ?? [])),
      action: rule.type === "Allow" ? "allow" : "drop",
    });
  });
}

/** Excludes the cluster network from CIDR blocks, but not from nodes or names. */
function targetsOf(writer: Writer, scene: Scene, { to }: Rule): string[] {
  if (to.nodeSelector) {
    const nodes = NODES.filter(({ labels }) => selects(to.nodeSelector ?? {}, labels));
    return nodes
      .flatMap(({ addresses }) => Object.values(addresses))
      .map((address) => `${familyOf(address)}.dst == ${address}`);
  }
  if (to.cidrSelector !== undefined) {
    const field = `${familyOf(to.cidrSelector)}.dst`;
    const exempt = CLUSTER_NETWORK.filter((block) => familyOf(block) === familyOf(to.cidrSelector ?? ""));
    return [all(`${field} == ${to.cidrSelector}`, ...exempt.map((block) => `${field} != ${block}`))];
  }
  return [writer.among("dst", Object.values(scene.names[to.dnsName ?? ""] ?? {}))];
}

function services(ports: readonly { protocol: string; port?: number }[]): string {
  const matches = ports.map(({ protocol, port }) => {
    const name = protocol.toLowerCase();
    return port === undefined ? name : `(${name} && ${name}.dst == ${port})`;
  });
  return matches.length === 0 ? "" : `(${matches.join(" || ")})`;
}
