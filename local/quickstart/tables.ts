import type { PolicyEvent } from "@pulumi/pulumi/automation";
import Table from "cli-table3";
import colors from "picocolors";

import { plain } from "./outcome";

/** A rule as `HostedControlPlaneSecurityGroups` outputs it. */
export interface RuleLine {
  role: string;
  direction: string;
  protocol: string;
  ports: string;
  peer: string;
  purpose: string;
  documents: string[];
}

/** Widths of group, direction, port and peers without wrapping. */
const SHORT_COLUMNS = [15, 11, 17, 20];

/** Reason and document share the remaining width of the terminal. */
function columnWidths(): number[] {
  const terminal = Math.max(120, Math.min(process.stdout.columns ?? 150, 180));
  const borders = SHORT_COLUMNS.length + 3;
  const left = terminal - borders - SHORT_COLUMNS.reduce((sum, width) => sum + width, 0);
  const reason = Math.floor(left * 0.55);
  return [...SHORT_COLUMNS, reason, left - reason];
}

/** The rules that were created: which role may connect to which peers on which port, why, and according to which document. */
export function ruleTable(rules: readonly RuleLine[]): string {
  const table = new Table({
    head: ["group", "direction", "port", "peers", "why", "document"],
    style: { head: inColour("bold"), border: inColour("grey"), compact: true },
    colWidths: columnWidths(),
    wordWrap: true,
  });
  for (const { rule, peers } of byFlow(rules)) {
    const port = `${rule.ports}/${rule.protocol}`;
    table.push([rule.role, rule.direction, port, peers.join("\n"), rule.purpose, rule.documents[0] ?? ""]);
  }
  return table.toString();
}

/** Applied only if the output supports colours, because the table library always colours. */
const inColour = (style: string): string[] => (colors.isColorSupported ? [style] : []);

/** AWS has one rule for each peer; readers want one line for each flow. */
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

/** The findings of the gate, grouped by rule, each group with the resources concerned. */
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
