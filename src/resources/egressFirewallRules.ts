import { isLabelName } from "../requirements/names";
import { entriesOf, propertyOf, type Place } from "./read";
import type { PropertyValue } from "./resource";

/** What a rule of an egress firewall does with the traffic that it matches. */
export const EgressFirewallRuleType = {
  /** Lets the traffic pass. */
  Allow: "Allow",
  /** Drops the traffic. */
  Deny: "Deny",
} as const;
export type EgressFirewallRuleType = (typeof EgressFirewallRuleType)[keyof typeof EgressFirewallRuleType];

/** The transport of a port in an egress firewall. */
export const EgressFirewallProtocol = {
  /** Transmission Control Protocol. */
  TCP: "TCP",
  /** User Datagram Protocol. */
  UDP: "UDP",
  /** Stream Control Transmission Protocol. */
  SCTP: "SCTP",
} as const;
export type EgressFirewallProtocol = (typeof EgressFirewallProtocol)[keyof typeof EgressFirewallProtocol];

/** One rule of an egress firewall, wherever it was written: its values and where they stand. */
export interface RuleView {
  path: string;
  value: PropertyValue;
  type: Place;
  cidr: Place;
  dnsName: Place;
  /** A map of labels of nodes; only in our args. */
  nodeLabels: Place;
  /** A label selector of nodes. */
  nodeSelector: Place;
  /** The two above. */
  nodes: readonly Place[];
  ports: Place;
  /** Properties that a rule has here. */
  keys: readonly string[];
  /** What to write to choose a destination: `cidr, dnsName, nodeLabels`. */
  destinations: readonly string[];
}

/** Whether a DNS name stands for all names under another: `*.example.com`. */
export const isWildcard = (dnsName: PropertyValue | undefined): dnsName is string =>
  typeof dnsName === "string" && dnsName.startsWith("*.");

/** Whether OVN-Kubernetes reads a wildcard where it reads any: the API takes one of all names of a top-level domain, too. */
export const isUnderDomain = (wildcard: string): boolean => {
  const labels = wildcard.toLowerCase().slice("*.".length).replace(/\.$/, "").split(".");
  return labels.length > 1 && labels.every(isLabelName);
};

/** The rules of a component's args: `rules[3].cidr`. */
export function viewsOfRules(rules: PropertyValue | undefined, path = "rules"): RuleView[] {
  return entriesOf(rules).map((rule, position) => {
    const at = (key: string): Place => ({
      path: `${path}[${position}].${key}`,
      value: propertyOf(rule, key),
    });
    const destinations = ["cidr", "dnsName", "nodeLabels", "nodeSelector"];
    const [nodeLabels, nodeSelector] = [at("nodeLabels"), at("nodeSelector")];
    return {
      path: `${path}[${position}]`,
      value: rule,
      type: at("type"),
      cidr: at("cidr"),
      dnsName: at("dnsName"),
      nodeLabels,
      nodeSelector,
      nodes: [nodeLabels, nodeSelector],
      ports: at("ports"),
      keys: ["type", ...destinations, "ports"],
      destinations,
    };
  });
}

/** The rules of an EgressFirewall object: `spec.egress[3].to.cidrSelector`. */
export function viewsOfEntries(egress: PropertyValue | undefined, path = "spec.egress"): RuleView[] {
  return entriesOf(egress).map((entry, position) => {
    const root = `${path}[${position}]`;
    const at = (key: string): Place => ({ path: `${root}.${key}`, value: propertyOf(entry, key) });
    const to = at("to");
    const inTo = (key: string): Place => ({ path: `${root}.to.${key}`, value: propertyOf(to.value, key) });
    const nodeSelector = inTo("nodeSelector");
    return {
      path: root,
      value: entry,
      type: at("type"),
      cidr: inTo("cidrSelector"),
      dnsName: inTo("dnsName"),
      nodeLabels: { path: nodeSelector.path, value: undefined },
      nodeSelector,
      nodes: [nodeSelector],
      ports: at("ports"),
      keys: ["type", "to", "ports"],
      destinations: ["to.cidrSelector", "to.dnsName", "to.nodeSelector"],
    };
  });
}
