import type { PolicyEvent } from "@pulumi/pulumi/automation";
import Table from "cli-table3";
import colors from "picocolors";

import { plain } from "./outcome";

/** A rule as `HostedControlPlaneSecurityGroups` puts it out. */
export interface RuleLine {
  role: string;
  direction: string;
  protocol: string;
  ports: string;
  peer: string;
  purpose: string;
  documents: string[];
}

/** Columns share the terminal's width; prose gets what the short columns leave. */
function widths(shares: readonly number[]): number[] {
  const columns = Math.max(100, Math.min(process.stdout.columns ?? 140, 180));
  const available = columns - shares.length - 1;
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => Math.floor((available * share) / total));
}

/** The rules that were created: who may talk to whom on which port, why, and which document says so. */
export function ruleTable(rules: readonly RuleLine[]): string {
  const table = new Table({
    head: ["group", "direction", "port", "peers", "why", "document"],
    style: { head: inColour("bold"), border: inColour("grey"), compact: true },
    colWidths: widths([13, 9, 15, 20, 46, 34]),
    wordWrap: true,
  });
  for (const { rule, peers } of byFlow(rules)) {
    const port = `${rule.ports}/${rule.protocol}`;
    table.push([rule.role, rule.direction, port, peers.join("\n"), rule.purpose, rule.documents[0] ?? ""]);
  }
  return table.toString();
}

/** The table colours itself whether or not anybody sees colours. */
const inColour = (style: string): string[] => (colors.isColorSupported ? [style] : []);

/** AWS takes one rule a peer; readers want one line a flow. */
function byFlow(rules: readonly RuleLine[]): { rule: RuleLine; peers: string[] }[] {
  const flows = new Map<string, { rule: RuleLine; peers: string[] }>();
  for (const rule of rules) {
    const key = [rule.role, rule.direction, rule.protocol, rule.ports, rule.purpose].join();
    const flow = flows.get(key) ?? { rule, peers: [] };
    flow.peers.push(rule.peer);
    flows.set(key, flow);
  }
  return [...flows.values()];
}

/** What the gate found, grouped by rule, each group with the resources it speaks of. */
export function findingList(events: readonly PolicyEvent[]): string {
  const rules = [...new Set(events.map((event) => event.policyName))].sort();
  return rules
    .map((rule) => {
      const lines = events
        .filter((event) => event.policyName === rule)
        .map((event) => indent(plain(event.message), "      "));
      return [`  ${colors.red("✗")} ${colors.bold(rule)}`, ...lines].join("\n");
    })
    .join("\n");
}

function indent(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => `${by}${line}`)
    .join("\n");
}
