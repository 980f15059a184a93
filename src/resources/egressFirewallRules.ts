import { isLabelName } from "../requirements/names";
import { entriesOf, propertyOf, type Place } from "./read";
import type { PropertyValue } from "./resource";

/** What a rule of an egress firewall does with the traffic that it matches. */
export const EgressFirewallRuleType = {
  /** Allows the traffic. */
  Allow: "Allow",
  /** Drops the traffic. */
  Deny: "Deny",
} as const;
export type EgressFirewallRuleType = (typeof EgressFirewallRuleType)[keyof typeof EgressFirewallRuleType];

/** The transport protocol of a port in an egress firewall. */
export const EgressFirewallProtocol = {
  /** Transmission Control Protocol. */
  TCP: "TCP",
  /** User Datagram Protocol. */
  UDP: "UDP",
  /** Stream Control Transmission Protocol. */
  SCTP: "SCTP",
} as const;
export type EgressFirewallProtocol = (typeof EgressFirewallProtocol)[keyof typeof EgressFirewallProtocol];

/** One rule of an egress firewall, from component args or an EgressFirewall object: its values and their paths. */
export interface RuleView {
  path: string;
  value: PropertyValue;
  type: Place;
  cidr: Place;
  dnsName: Place;
  /** A map of node labels; only in the args of our component. */
  nodeLabels: Place;
  /** A label selector for nodes. */
  nodeSelector: Place;
  /** Those of the two above that a rule can have in this form. */
  nodes: readonly Place[];
  ports: Place;
  /** Properties that a rule can have in this form. */
  keys: readonly string[];
  /** Properties that choose a destination: `cidr, dnsName, nodeLabels`. */
  destinations: readonly string[];
}

/** Whether a DNS name is a wildcard for all names under a domain: `*.example.com`. */
export const isWildcard = (dnsName: PropertyValue | undefined): dnsName is string =>
  typeof dnsName === "string" && dnsName.startsWith("*.");

/** Whether OVN-Kubernetes, if it supports wildcards, supports this one: the API also accepts one for a whole top-level domain. */
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
