import { readBlock } from "../address";
import { parseAddress, prefixFaults } from "../address/parse";
import { onceForEach } from "../collections";
import type { Fault } from "../fault";
import { EGRESS_SINCE } from "../requirements/egressSupport";
import { LIMIT } from "../requirements/limits";
import { EGRESS_FIREWALL_NAME, isLabelName } from "../requirements/names";
import type { Release } from "../requirements/release";
import { entriesOf, isGiven, isList, isMap, propertyOf, type Place } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { tooOldFaults } from "./egressCluster";
import { labelSelectorFaults, unreadableSelectorFaults } from "./labelSelector";
import {
  labelFaults,
  PROPERTY_DROPPED,
  shownText,
  UNKNOWN_PROPERTY,
  unknownKeyFaults,
  wordFaults,
} from "./places";
import { leaf, list, needed, object, port, shapeFaults, word } from "./shape";

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

/** Whether OVN-Kubernetes with DNSNameResolver reads a name, or the domain of a wildcard. The API also accepts single labels. */
export const isUnderDomain = (dnsName: string): boolean => {
  const domain = isWildcard(dnsName) ? dnsName.slice("*.".length) : dnsName;
  const labels = domain.toLowerCase().replace(/\.$/, "").split(".");
  return labels.length > 1 && labels.every(isLabelName);
};

/** The rules of a component's args: `rules[3].cidr`. */
export function viewsOfRules(rules: PropertyValue | undefined, path = "rules"): RuleView[] {
  return entriesOf(rules).map((rule, position) => {
    const root = `${path}[${position}]`;
    const at = (key: string): Place => ({ path: `${root}.${key}`, value: propertyOf(rule, key) });
    const destinations = ["cidr", "dnsName", "nodeLabels", "nodeSelector"];
    const [nodeLabels, nodeSelector] = [at("nodeLabels"), at("nodeSelector")];
    return {
      path: root,
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

/** The consequence of a fault for its firewall. Without a code, the API server refuses the object. */
export const FIREWALL_CODE = {
  unapplied: "firewall-unapplied",
  drops: "firewall-rule-drops",
  unmatched: "firewall-rule-unmatched",
  idle: "firewall-rule-idle",
} as const;

/** States what OVN-Kubernetes does with an object because of one of its rules. */
export const appliesNothing = (count: number): string =>
  count > 1 ? `applies none of the object's ${count} rules` : "does not apply the object";

const CONSEQUENCES: Readonly<Record<string, (count: number) => string>> = {
  [UNKNOWN_PROPERTY]: () => PROPERTY_DROPPED,
  [FIREWALL_CODE.unapplied]: (count) => `because of this, OVN-Kubernetes ${appliesNothing(count)}`,
  [FIREWALL_CODE.drops]: () => "the API server accepts it, and OVN-Kubernetes drops what the rule matches",
  [FIREWALL_CODE.unmatched]: () => "the API server accepts it, and OVN-Kubernetes matches no traffic with it",
  [FIREWALL_CODE.idle]: () => "OVN-Kubernetes ignores the rule",
};

/** A fault of an EgressFirewall object with its consequence. `count` is the number of the object's rules. */
export const withConsequence = ({ problem, code = "" }: Fault, count: number): string =>
  `${problem}: ${CONSEQUENCES[code]?.(count) ?? "the API server refuses the object"}`;

/** Faults with which OVN-Kubernetes applies the other rules of the object. */
const APPLIED: ReadonlySet<string | undefined> = new Set([
  FIREWALL_CODE.drops,
  FIREWALL_CODE.unmatched,
  FIREWALL_CODE.idle,
]);

/** A place because of which it is unknown whether these rules apply or those of an earlier object. */
export interface Unapplied {
  path: string;
  reason: string;
  /** True if the API server refuses the object, because of this or of another place: an earlier object then stays in force. */
  isRefused?: true;
}

/** The first fault with which rules are refused or not applied. Cached, because those of a component meet several endpoints. */
export const unappliedRules = onceForEach((views: readonly RuleView[]): Unapplied | undefined =>
  firstUnapplied(views.flatMap(ruleFaults), views.length),
);

/** The first of these faults with which an object is refused or not applied. Those that another rule reports do no such harm. */
export function firstUnapplied(faults: readonly Fault[], count: number): Unapplied | undefined {
  const harmful = faults.filter(({ code, rule }) => rule === undefined && !APPLIED.has(code));
  const [fault] = harmful;
  const isRefused = harmful.some(({ code }) => code === undefined);
  const reason = fault && withConsequence(fault, count);
  return fault && { path: fault.path, reason: reason!, ...(isRefused && { isRefused }) };
}

/**
 * Faults of a rule for nodes in a release without such rules: its API server drops the selector, which leaves the rule without a
 * destination, and refuses the object.
 */
export function nodeRuleFaults({ nodes }: RuleView, release: Release | undefined): Fault[] {
  const given = nodes.find(({ value }) => isGiven(value) && value !== UNKNOWN);
  if (!given) return [];
  return tooOldFaults(given.path, "rules for nodes come", EGRESS_SINCE.firewallNodeSelector, release);
}

/** Faults of the name of an EgressFirewall object. */
export function firewallNameFaults(name: PropertyValue | undefined): Fault[] {
  if (name === UNKNOWN || name === EGRESS_FIREWALL_NAME) return [];
  const problem = isGiven(name) ? `${shownText(name)} is not the name of an egress firewall` : "missing";
  return [{ path: "metadata.name", problem, remedy: `write ${EGRESS_FIREWALL_NAME}` }];
}

/** Unknown properties beside the rules of an EgressFirewall object. */
export const firewallSpecFaults = (spec: PropertyValue | undefined): Fault[] =>
  isMap(spec) ? unknownKeyFaults("spec", spec, ["egress"]) : [];

/** Faults of the list of rules itself; none if it is not known yet. */
export function ruleListFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value))
    return [{ path, problem: "missing", remedy: "write a list of rules, first match wins" }];
  if (value === UNKNOWN || isList(value)) return [];
  return [{ path, problem: `${shownText(value)} is not a list`, remedy: "write a list of rules" }];
}

/** Faults of one rule, with their consequences as codes. */
export function ruleFaults(rule: RuleView): Fault[] {
  if (rule.value === UNKNOWN) return [];
  if (!isMap(rule.value))
    return [{ path: rule.path, problem: "is not a rule", remedy: "write type and a destination" }];
  return [
    ...unknownKeyFaults(rule.path, rule.value, rule.keys),
    ...looseWordFaults(TYPE, rule.type),
    ...destinationFaults(rule),
    ...shapeFaults(ports, rule.ports),
  ];
}

/** A word, and the pattern of the API for it, in which each anchor holds for one alternative only: `Allowed` and `TCPX` match. */
interface LooseWord {
  words: readonly string[];
  pattern: RegExp;
  /** The consequence of another word that matches. */
  code: string;
}

const TYPE: LooseWord = {
  words: Object.values(EgressFirewallRuleType),
  pattern: /^Allow|Deny$/,
  code: FIREWALL_CODE.drops,
};
const PROTOCOL: LooseWord = {
  words: Object.values(EgressFirewallProtocol),
  pattern: /^TCP|UDP|SCTP$/,
  code: FIREWALL_CODE.unmatched,
};

const looseWordFaults = ({ words, pattern, code }: LooseWord, place: Place): Fault[] =>
  coded(wordFaults(place, words), matches(pattern, place.value) ? code : undefined);

const matches = (pattern: RegExp, value: PropertyValue | undefined): value is string =>
  typeof value === "string" && pattern.test(value);

const coded = (faults: readonly Fault[], code: string | undefined): Fault[] =>
  faults.map((fault) => ({ ...(code !== undefined && { code }), ...fault }));

const ports = list(
  object({
    port: needed(port, "a protocol needs a port"),
    protocol: needed({
      ...word(PROTOCOL.words, "a port needs "),
      ...leaf((place) => looseWordFaults(PROTOCOL, place)),
    }),
  }),
  { remedy: "write a list of port and protocol" },
);

/** Whether OVN-Kubernetes drops what a rule of this type matches: it allows only `Allow`, and the API accepts other words. */
export const isDropping = ({ value }: Place): boolean =>
  value !== EgressFirewallRuleType.Allow && matches(TYPE.pattern, value);

function destinationFaults(rule: RuleView): Fault[] {
  const { path, value, keys, cidr, dnsName, nodeLabels, nodeSelector, nodes, destinations } = rule;
  // Only objects have a separate property for the destination.
  const to = keys.includes("to") ? propertyOf(value, "to") : undefined;
  if (to === UNKNOWN) return [];
  const unknown = isMap(to)
    ? unknownKeyFaults(
        `${path}.to`,
        to,
        destinations.map((key) => key.slice("to.".length)),
      )
    : [];
  const given = [cidr, dnsName, ...nodes].filter((place) => isGiven(place.value));
  if (given.length !== 1) {
    const problem = given.length === 0 ? "has no destination" : "has more than one destination";
    return [...unknown, { path, problem, remedy: `write exactly one of ${destinations.join(", ")}` }];
  }
  return [
    ...unknown,
    ...blockFaults(cidr),
    ...dnsNameFaults(dnsName),
    ...coded(labelFaults(nodeLabels), FIREWALL_CODE.unapplied),
    ...selectorFaults(nodeSelector),
  ];
}

/** OVN-Kubernetes reads a block with host bits, and ignores an empty text: the rule then has no destination. */
function blockFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const faults = prefixFaults(path, value);
  if (typeof value !== "string") return faults;
  if (readBlock(value)) return faults.map((fault) => ({ ...fault, rule: "cidr-invalid" }));
  return coded(faults, value === "" ? FIREWALL_CODE.unmatched : FIREWALL_CODE.unapplied);
}

/** A selector that OVN-Kubernetes cannot read leaves the object unapplied; the API accepts any operator, key and value. */
function selectorFaults(place: Place): Fault[] {
  const unreadable = unreadableSelectorFaults(place);
  return unreadable.length > 0
    ? coded(unreadable, FIREWALL_CODE.unapplied)
    : coded(labelSelectorFaults(place), FIREWALL_CODE.idle);
}

const dnsPattern = /^(\*\.)?([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$/;

function dnsNameFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const isAccepted = matches(dnsPattern, value);
  const { address } = parseAddress(value);
  if (address) {
    const remedy = `write it as CIDR block ${address.text}/${address.family === 4 ? 32 : 128}`;
    const fault = { path, problem: `${address.text} is an address`, remedy };
    return coded([fault], isAccepted ? FIREWALL_CODE.unmatched : undefined);
  }
  const isUnread = isWildcard(value) && !isUnderDomain(value);
  if (isAccepted && !isUnread && isResolvable(value)) return [];
  const remedy = "write a host name without scheme, port or path, optionally with a leading *.";
  const fault = { path, problem: `${shownText(value)} is not a DNS name`, remedy };
  const code = isUnread ? FIREWALL_CODE.unapplied : FIREWALL_CODE.unmatched;
  return coded([fault], isAccepted ? code : undefined);
}

/** Whether a name that the API accepts is short enough for DNS, and so are its labels. */
const isResolvable = (dnsName: string): boolean =>
  dnsName.length <= LIMIT.hostnameLength.max &&
  dnsName.split(".").every((part) => part.length <= LIMIT.labelLength);

/** Whether OVN-Kubernetes with DNSNameResolver refuses a name, without wildcard, that the API accepts. */
export const isRefusedByResolver = (dnsName: PropertyValue | undefined): boolean =>
  matches(dnsPattern, dnsName) && !isWildcard(dnsName) && !isUnderDomain(dnsName);
