import { Direction, oppositeDirection } from "../../requirements/vocabulary";
import type { EndVerdict } from "../../reachability/flows";
import { nameOfAcl } from "../../reachability/path/aclGuards";
import { UNKNOWN } from "../../resources/resource";
import type { NetworkAcl, NetworkAclRule } from "../../resources/networkAcls";
import type { PacketPart } from "../../gate/packetParts";
import { namedFlows, wordsOf, type Peering } from "./missingFlow";
import { violated, type Judgement } from "../../gate/rule";
import { prefixText } from "../../gate/wording";

/** Whether the packets of a flow are meant, or the answers to them. */
export type Asked = "calls" | "answers";

/** A flow that a network ACL before the hosts drops, or whose answers it drops: it keeps no state. */
export function blockedByAcl(
  peering: Peering,
  acl: NetworkAcl,
  asked: Asked,
  { decision }: EndVerdict,
  part: PacketPart,
  refuted: readonly string[],
): Judgement {
  const { flow, peer } = peering;
  const isInbound = flow.direction === Direction.Ingress;
  const direction = asked === "calls" ? flow.direction : oppositeDirection(flow.direction);
  const { them, us, what, witness } = wordsOf(peering, part, direction);
  const clause = decision?.clause;
  const rule = acl.rules.find(({ resource, path }) => resource === clause?.resource && path === clause.path);
  const [from, to] = isInbound ? [them, us] : [us, them];
  const dropped =
    asked === "calls"
      ? `what ${from} send to ${to} at ${what}`
      : `the answers that ${to} send to ${from} at ${what}`;
  const why = rule ? `${numberText(rule)} denies it` : "no rule allows it";
  const before = rule && rule.number !== UNKNOWN ? `, with a number below ${rule.number}` : "";
  const side = direction === Direction.Ingress ? "inbound" : "outbound";
  const peers = peer.prefixes ? prefixText(part.prefixes) : them;
  return violated({
    code: asked === "calls" ? "acl-drops-flow" : "acl-drops-answers",
    ...namedFlows(peering, refuted),
    resource: (clause?.resource ?? acl.resource)?.origin ?? {},
    path: clause?.path === undefined || clause.path === "" ? direction : clause.path,
    message: `${nameOfAcl(acl)} drops ${dropped}: ${why}. ${flow.purpose}`,
    witness: asked === "calls" ? witness : `${witness}, an answer`,
    fix: `allow ${what} ${direction === Direction.Ingress ? "from" : "to"} ${peers} in its ${side} rules${before}; HostedControlPlaneNetworkAcls makes rules for flows and their answers`,
    requirement: flow.requirement,
    documents: flow.documents,
  });
}

const numberText = ({ number }: NetworkAclRule): string => (number === UNKNOWN ? "a rule" : `rule ${number}`);
