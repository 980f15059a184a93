import { additionalRuleKey } from "../../gate/securityGroupRules";
import type { Fault } from "../../fault";
import { Direction, Protocol, Role } from "../../requirements/vocabulary";
import { givenPeerFaults, rulePeerOf, type GivenPeer } from "./rulePeers";
import {
  countFaults,
  familyFaults,
  formerKeyFaults,
  isGiven,
  isRecord,
  keyFaults,
  oneOfFaults,
  shown,
} from "./givenValues";
import type { PlannedRule } from "./plannedRule";

/** A rule that the user adds, as far as its values are known. Mirrors the component's `AdditionalSecurityGroupRule`. */
export interface AdditionalRule extends GivenPeer {
  role: Role;
  direction: Direction;
  protocol: Protocol;
  fromPort?: number;
  toPort?: number;
  description: string;
}

const ROLES: readonly Role[] = [Role.ControlPlane, Role.Workers];
const PROTOCOLS = Object.values(Protocol);
const PROTOCOLS_WITH_PORTS: readonly Protocol[] = [Protocol.Tcp, Protocol.Udp];

/** The user's rules, planned; call it when `additionalRuleFaults` finds nothing. */
export function plannedAdditionalRules(rules: Readonly<Record<string, AdditionalRule>> = {}): PlannedRule[] {
  return Object.entries(rules)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, rule]) => plannedAdditionalRule(key, rule));
}

/** One rule of the user, planned. */
export function plannedAdditionalRule(key: string, rule: AdditionalRule): PlannedRule {
  return {
    role: rule.role,
    direction: rule.direction,
    protocol: rule.protocol,
    ...portsOf(rule),
    peer: rulePeerOf(`additionalRules.${key}`, "rule", key, rule),
    flows: [additionalRuleKey(key)],
    requirements: [],
    views: [],
    purposes: [rule.description],
    documents: [],
    notes: [],
  };
}

function portsOf({ fromPort, toPort }: AdditionalRule): Pick<PlannedRule, "ports"> {
  return typeof fromPort === "number" ? { ports: { from: fromPort, to: toPort ?? fromPort } } : {};
}

/** Where the user's rules go, and how they may name their peers. */
interface RulePlace {
  name: string;
  peerFaults: (path: string, rule: Readonly<Record<string, unknown>>) => Fault[];
}
const SECURITY_GROUP: RulePlace = { name: "a security group", peerFaults: givenPeerFaults };

/** What is wrong with the shape of the user's rules; ids and CIDR blocks are judged when they are known. */
export function additionalRuleFaults(rules: unknown, place: RulePlace = SECURITY_GROUP): Fault[] {
  if (!isGiven(rules)) return [];
  if (!isRecord(rules)) {
    return [
      {
        path: "additionalRules",
        problem: "is not an object",
        remedy: "write rules under keys of your choice",
      },
    ];
  }
  return Object.entries(rules).flatMap(([key, rule]) => {
    const path = `additionalRules.${key}`;
    if (!isRecord(rule))
      return [{ path, problem: "is not an object", remedy: "write role, direction, protocol and a peer" }];
    return [
      ...keyFaults(path, key),
      ...oneOfFaults(`${path}.role`, rule.role, ROLES),
      ...oneOfFaults(`${path}.direction`, rule.direction, Object.values(Direction)),
      ...oneOfFaults(`${path}.protocol`, rule.protocol, PROTOCOLS),
      ...portFaults(path, rule, place),
      ...place.peerFaults(path, rule),
      ...familyFaults(`${path}.family`, rule.family, rule.cidr),
      ...formerKeyFaults(`${path}.formerKey`, rule.formerKey, Object.keys(rules)),
      ...descriptionFaults(`${path}.description`, rule.description),
    ];
  });
}

function portFaults(
  path: string,
  { protocol, fromPort, toPort }: Readonly<Record<string, unknown>>,
  place: RulePlace,
): Fault[] {
  const withoutPorts = PROTOCOLS.filter((one) => !PROTOCOLS_WITH_PORTS.includes(one));
  if (withoutPorts.some((one) => one === protocol)) {
    const given = Object.entries({ fromPort, toPort }).filter(([, port]) => isGiven(port));
    return given.map(([name]) => ({
      path: `${path}.${name}`,
      problem: `${shown(protocol)} has no ports in ${place.name}`,
      remedy: `take it out, or use protocol ${PROTOCOLS_WITH_PORTS.join(", ")}`,
    }));
  }
  if (!isGiven(fromPort) && isGiven(toPort)) {
    return [
      {
        path: `${path}.fromPort`,
        problem: "missing beside toPort",
        remedy: "write the first port of the range",
      },
    ];
  }
  const numbers = Object.entries({ fromPort, toPort }).filter(([, port]) => isGiven(port));
  const wrong = numbers.flatMap(([name, port]) => countFaults(`${path}.${name}`, port, 0, 65535));
  if (wrong.length > 0 || !isGiven(toPort) || Number(fromPort) <= Number(toPort)) return wrong;
  return [
    {
      path: `${path}.toPort`,
      problem: `${shown(toPort)} is less than fromPort ${shown(fromPort)}`,
      remedy: "write the last port of the range",
    },
  ];
}

function descriptionFaults(path: string, description: unknown): Fault[] {
  if (typeof description === "string" && description.trim() !== "") return [];
  return [{ path, problem: "missing", remedy: "say in a sentence who talks to whom, and why" }];
}
