import { readBlock, subtract, type Prefix } from "../../address";
import { onceForEach } from "../../collections";
import {
  EgressFirewallRuleType,
  firewallNameFaults,
  firewallSpecFaults,
  firstUnapplied,
  isDropping,
  nodeRuleFaults,
  ruleFaults,
  ruleListFaults,
  viewsOfEntries,
  type RuleView,
  type Unapplied,
} from "../../objects/egressFirewallRules";
import type { Release } from "../../requirements/release";
import { isStored } from "../../resources/oneObject";
import { entriesOf, isGiven, type Place, propertyOf, readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isPatch } from "../../resources/resourceTypes";
import { doubtfulVersion } from "../../resources/storedObject";
import { packets } from "../packets/packetSet";
import type { UnknownPart } from "./traffic";
import { Action, anyRule, type Clause, type Filter } from "./filter";
import {
  exactly,
  nothingSure,
  somePort,
  together,
  UNRESTRICTED,
  type KnownServices,
} from "./policySelection";

/** The action of a rule; undefined if it is unknown, or the API server refuses it. */
function actionOf(type: Place): Action | undefined {
  if (type.value === EgressFirewallRuleType.Allow) return Action.Allow;
  return isDropping(type) ? Action.Deny : undefined;
}

/** The addresses of an egress firewall rule whose destination is not a CIDR block. */
export type AddressesOfNames = (rule: RuleView) => readonly Prefix[] | undefined;

/** The rules of an egress firewall, from whatever resource. */
export interface FirewallRules {
  /** The resource that contains them. */
  resource: Resource;
  views: readonly RuleView[];
  /** The path of the list, if the list is unknown. */
  unknownList?: string;
  /** Why the API server refuses the object, or OVN-Kubernetes applies none of the rules. */
  unapplied?: Unapplied;
}

/** The rules of an EgressFirewall object. Cached, because many flows meet one firewall. */
export const rulesOfFirewall = onceForEach((resource: Resource): FirewallRules => {
  const list = readValue(resource.properties, LIST);
  const views = viewsOfEntries(list);
  const unapplied = unappliedObject(resource, views);
  return {
    resource,
    views,
    ...(list === UNKNOWN && { unknownList: LIST }),
    ...(unapplied && { unapplied }),
  };
});

/** The same rules in a cluster of a release, whose API server may refuse the object. */
export function rulesInRelease(rules: FirewallRules, release: Release | undefined): FirewallRules {
  const { views, unapplied } = rules;
  const tooOld = firstUnapplied(
    views.flatMap((view) => nodeRuleFaults(view, release)),
    views.length,
  );
  return unapplied?.isRefused || !tooOld ? rules : { ...rules, unapplied: tooOld };
}

/** Why the API server refuses rules, so that those of an earlier object stay in force. What a cluster has stored is not refused. */
export const refusalOf = ({ resource, unapplied }: FirewallRules): Unapplied | undefined =>
  unapplied?.isRefused && !isStored(resource) ? unapplied : undefined;

/** A missing name is left out: a component or a patch may state it elsewhere. */
function unappliedObject(firewall: Resource, views: readonly RuleView[]): Unapplied | undefined {
  const { type, properties } = firewall;
  const [name, list] = ["metadata.name", LIST].map((path) => readValue(properties, path));
  const isUnseen = list === undefined && isPatch(type);
  const faults = [
    ...(isGiven(name) ? firewallNameFaults(name) : []),
    ...firewallSpecFaults(readValue(properties, "spec")),
    ...(isUnseen ? [] : ruleListFaults({ path: LIST, value: list })),
    ...views.flatMap(ruleFaults),
  ];
  const faulty = doubtfulVersion(firewall) ?? firstUnapplied(faults, views.length);
  return faulty ?? (isUnseen ? UNSEEN_LIST : undefined);
}

const LIST = "spec.egress";

/** A patch without a list leaves that of its object as it is. */
const UNSEEN_LIST: Unapplied = {
  path: LIST,
  reason: "the plan does not show the egress firewall that is patched",
};

/**
 * The filter of an egress firewall for packets that leave pods of its namespace: the first rule that matches decides, and packets
 * that no rule matches are allowed. Destinations in the cluster network are exempt from rules with addresses. An unknown list may have
 * any effect, and so may an object that is refused or not applied: it is unknown whether its rules apply or those of an earlier object.
 */
export function firewallRulesFilter(
  { resource, views, unknownList, unapplied }: FirewallRules,
  clusterNetwork: readonly Prefix[] | undefined,
  addressesOf: AddressesOfNames = () => undefined,
): Filter {
  const written = unapplied ? [] : views.map((view) => clauseOf(resource, view, clusterNetwork, addressesOf));
  const hidden = unapplied ?? (unknownList === undefined ? undefined : { path: unknownList });
  return {
    clauses: hidden ? [...written, anyRule({ resource, ...hidden })] : written,
    otherwise: Action.Allow,
  };
}

/** The destinations of a rule, certain and possible. Without `possible`: anywhere. */
interface Destination {
  sure: readonly Prefix[];
  possible?: readonly Prefix[];
  unknown: readonly UnknownPart[];
}

function clauseOf(
  resource: Resource,
  view: RuleView,
  clusterNetwork: readonly Prefix[] | undefined,
  addressesOf: AddressesOfNames,
): Clause {
  const services = servicesOf(view);
  const to = destinationOf(view, clusterNetwork, addressesOf);
  const action = actionOf(view.type);
  const places = [
    ...services.unknown,
    ...to.unknown,
    ...(action === undefined ? [{ path: view.type.path }] : []),
  ];
  const sure = packets({ services: services.sure, destinations: to.sure });
  const isSure = services.sure === services.possible && to.sure === to.possible;
  return {
    resource,
    path: view.path,
    actions: action === undefined ? [Action.Allow, Action.Deny] : [action],
    sure,
    possible: isSure
      ? sure
      : packets({ services: services.possible, ...(to.possible && { destinations: to.possible }) }),
    unknown: places.map((place) => ({ resource, ...place })),
  };
}

function destinationOf(
  view: RuleView,
  clusterNetwork: readonly Prefix[] | undefined,
  addressesOf: AddressesOfNames,
): Destination {
  const { cidr, dnsName, nodes, path, value } = view;
  if (value === UNKNOWN || cidr.value === UNKNOWN) return { sure: [], unknown: [{ path: cidr.path }] };
  if (isGiven(cidr.value)) return blockOf(cidr, clusterNetwork);
  const isSaid = [dnsName, ...nodes].some((place) => isGiven(place.value));
  const known = isSaid ? addressesOf(view) : undefined;
  if (known) return { sure: known, possible: known, unknown: [] };
  if (isGiven(dnsName.value)) {
    const name = typeof dnsName.value === "string" ? dnsName.value : "the name";
    return { sure: [], unknown: [{ path: dnsName.path, reason: `the addresses of ${name} are not known` }] };
  }
  const node = nodes.find((place) => isGiven(place.value));
  const reason = node ? "the addresses of the selected nodes are not known" : "unknown kind of destination";
  return { sure: [], unknown: [{ path: node?.path ?? `${path}.to`, reason }] };
}

function blockOf({ path, value }: Place, clusterNetwork: readonly Prefix[] | undefined): Destination {
  const prefix = typeof value === "string" ? readBlock(value) : undefined;
  if (!prefix) return { sure: [], possible: [], unknown: [] };
  if (clusterNetwork) {
    const matched = subtract([prefix], clusterNetwork);
    return { sure: matched, possible: matched, unknown: [] };
  }
  const reason = "addresses of the cluster network are exempt, but the cluster network is not known";
  return { sure: [], possible: [prefix], unknown: [{ path, reason }] };
}

function servicesOf({ ports, value }: RuleView): KnownServices {
  if (value === UNKNOWN || ports.value === UNKNOWN) return nothingSure(ports.path);
  const entries = entriesOf(ports.value);
  if (entries.length === 0) return UNRESTRICTED;
  return together(
    entries.map((entry, position) => {
      const path = `${ports.path}[${position}]`;
      const [port, protocol] = [propertyOf(entry, "port"), propertyOf(entry, "protocol")];
      if (typeof protocol !== "string") return nothingSure(path);
      if (port === UNKNOWN) return somePort(protocol, path);
      return typeof port === "number" ? exactly(protocol, path, port, port) : exactly(protocol, path);
    }),
  );
}
