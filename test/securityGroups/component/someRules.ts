import { Prefix, readPrefix } from "../../../src/address";
import type { PlannedRule, RulePeer } from "../../../src/components/hostRules/plannedRule";
import { Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import { View } from "../../../src/flows/model";

/** A rule of the control-plane hosts for TCP 6443, with changes; its flow is named after its peer. */
export function ruleFor(peer: RulePeer, more: Partial<PlannedRule> = {}): PlannedRule {
  return {
    role: Role.ControlPlane,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    ports: { from: 6443, to: 6443 },
    peer,
    flows: [`flow of ${peer.kind === "prefix" ? peer.prefix.text : peer.kind}`],
    requirements: ["cp-in-kas"],
    views: [View.Documented],
    purposes: ["Nodes call the API server"],
    documents: [],
    notes: [],
    ...more,
  };
}

export const prefix = (block: Prefix): RulePeer => ({ kind: "prefix", prefix: block });
export const cidr = (text: string): RulePeer => prefix(readPrefix(text)!);

/** A prefix list, whose maximum number of entries the user may have stated. */
export const list = (key: string, maxEntries?: number): RulePeer => ({
  kind: "reference",
  reference: {
    kind: "prefixList",
    path: `peers.workers.prefixLists.${key}.id`,
    slug: `pl-workers-${key}`,
    text: `prefix list workers.${key}`,
    ...(maxEntries === undefined ? { weight: 1, uncounted: true } : { weight: maxEntries }),
  },
});
