import { additionalRuleKey } from "../../gate/securityGroupRules";
import { type Fields, needed, object, type Relation, type Shape } from "../../objects/shape";
import { Direction, Protocol, Role } from "../../requirements/vocabulary";
import { givenPeer, onePeer, rulePeerOf, type GivenPeer } from "./rulePeers";
import {
  family,
  familyFaults,
  formerKey,
  named,
  orderFaults,
  plainText,
  plainWord,
  portRange,
  valueText,
} from "./givenValues";
import type { PlannedRule } from "./plannedRule";
import { isRecord } from "../../collections";
import { isGiven } from "../../resources/read";

/** A user's rule, to the extent that its values are known. Mirrors the component's `AdditionalSecurityGroupRule`. */
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

/** The user's rules, planned. Call it only if their shape has no faults. */
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

/** Where the user's rules apply, and how they may name their peers. */
interface RulePlace {
  name: string;
  peer: Fields;
  relations: readonly Relation[];
}
const SECURITY_GROUP: RulePlace = { name: "a security group", peer: givenPeer, relations: [onePeer] };

/** The shape of the user's rules; ids and CIDR blocks are judged when they are known. */
export const additionalRuleShape = (
  rules: unknown,
  { name, peer, relations }: RulePlace = SECURITY_GROUP,
): Shape =>
  named(
    object(
      {
        role: needed(plainWord(ROLES)),
        direction: needed(plainWord(Object.values(Direction))),
        protocol: needed(plainWord(PROTOCOLS)),
        ...portRange,
        ...peer,
        family,
        formerKey: formerKey(isRecord(rules) ? Object.keys(rules) : []),
        description: needed(plainText("describe in a sentence who connects to whom, and why")),
      },
      {
        remedy: "write role, direction, protocol and a peer",
        relations: [portsOfProtocol(name), orderFaults, ...relations, familyFaults],
      },
    ),
    "write rules under keys of your choice",
  );

const portsOfProtocol =
  (place: string): Relation =>
  (path, { protocol, fromPort, toPort }) => {
    const hasPorts = PROTOCOLS_WITH_PORTS.some((one) => one === protocol);
    if (!hasPorts && PROTOCOLS.some((one) => one === protocol))
      return Object.entries({ fromPort, toPort }).flatMap(([name, port]) =>
        isGiven(port)
          ? [
              {
                path: `${path}.${name}`,
                problem: `${valueText(protocol)} has no ports in ${place}`,
                remedy: `remove it, or use protocol ${PROTOCOLS_WITH_PORTS.join(", ")}`,
              },
            ]
          : [],
      );
    if (isGiven(fromPort) || !isGiven(toPort)) return [];
    const problem = "missing, although toPort is set";
    return [{ path: `${path}.fromPort`, problem, remedy: "write the first port of the range" }];
  };
