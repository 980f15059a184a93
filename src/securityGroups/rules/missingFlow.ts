import { Direction, oppositeDirection } from "../../requirements/vocabulary";
import { describeServices } from "../../reachability/packets/service";
import { read } from "../../resources/read";
import { type Origin, type Resource, UNKNOWN } from "../../resources/resource";
import { flowKey, type FlowPeer, type RequiredFlow } from "../../flows/model";
import { type PacketPart, servicesText } from "../../gate/refutedFlows";
import type { JudgedCluster } from "../../gate/clusters";
import { describeResource, type Judgement, violated } from "../../gate/rule";
import { hostOf, HOSTS, prefixText, zoneText } from "../../gate/finding";
import type { EndVerdict } from "../../reachability/flows/groupFilter";
import { nameOfAcl } from "../../reachability/path/guards";
import type { NetworkAcl, NetworkAclRule } from "../../resources/networkAcls";

/** A flow with one of its peers, and the cluster that needs it. */
export interface Peering {
  flow: RequiredFlow;
  peer: FlowPeer;
  cluster: JudgedCluster;
}

/** The groups that have to let a flow pass. */
export interface MissingAt {
  /** The group that findings are shown at. */
  holder: Origin;
  /** The components that made the groups or their rules. */
  components: readonly Resource[];
}

/** A flow that no rule of the hosts' groups lets pass, at some ports to or from some addresses. */
export function missingFinding(
  peering: Peering,
  at: MissingAt,
  part: PacketPart,
  refuted: readonly string[],
): Judgement {
  const { flow } = peering;
  const { them, us, what, witness } = wordsOf(peering, part);
  const isIngress = flow.direction === Direction.Ingress;
  const leaver = disabler(flow, at.components);
  const blocked = isIngress ? `${them} reach ${us} at ${what}` : `${us} reach ${them} at ${what}`;
  return violated({
    resource: at.holder,
    path: flow.direction,
    message: [
      `no rule lets ${blocked}${peering.peer.prefixes ? "" : ", whatever the addresses"}`,
      flow.purpose,
      ...(leaver ? [`${describeResource(leaver)} leaves it out: disabledRules has ${flowKey(flow)}`] : []),
    ].join(". "),
    witness,
    fix: leaver
      ? `take ${flowKey(flow)} out of disabledRules, or allow ${what} by another group of these hosts`
      : wayOut(peering, what, part),
    requirement: flow.requirement,
    documents: flow.documents,
    // Where no flow is refuted, packets are missing that the documents' tables show and that no host sees.
    code: refuted.length > 0 ? "flow-not-allowed" : "documented-not-allowed",
    ...namedFlows(peering, refuted),
  });
}

/** The flows of `prove` that a finding on a flow's packets is about, and the place. */
const namedFlows = ({ flow, cluster }: Peering, refuted: readonly string[]) => ({
  cluster: cluster.key,
  ...(refuted.length > 0 && { flow: refuted }),
  hop: flowKey(flow),
});

/** The words for a part of a flow, or of the answers to it, that is dropped in some direction. */
export function wordsOf(
  { flow, peer, cluster }: Peering,
  { services, prefixes }: PacketPart,
  direction = flow.direction,
) {
  const [first] = peer.prefixes ? prefixes : [];
  const zone = zoneText(peer.zone);
  const host = first ? hostOf(first) : "any address";
  const port = flow.ports
    ? describeServices({ from: services[0]!.from, to: services[0]!.from })[0]
    : flow.protocol;
  return {
    /** `workers 10.0.0.0/16` */
    them: first ? `${zone} ${prefixText(prefixes)}` : zone,
    /** `control-plane hosts of clusters/tenant-a` */
    us: `${HOSTS[flow.role]} of ${cluster.key}`,
    /** `TCP 443, TCP 6443` */
    what: servicesText(services),
    witness:
      direction === Direction.Ingress
        ? `${host} -> ${HOSTS[flow.role]}, ${port}`
        : `${HOSTS[flow.role]} -> ${host}, ${port}`,
  };
}

function wayOut({ flow, peer }: Peering, what: string, { prefixes }: PacketPart): string {
  const side = flow.direction === Direction.Ingress ? "from" : "to";
  return peer.prefixes
    ? `allow ${what} ${side} ${prefixText(prefixes)}; HostedControlPlaneSecurityGroups makes this rule`
    : `allow ${what} ${side} ${zoneText(peer.zone)}, and write their CIDR blocks as ${peer.input} of the topology; HostedControlPlaneSecurityGroups then makes this rule`;
}

/** The component that was told to make no rule for a flow. */
const disabler = (flow: RequiredFlow, components: readonly Resource[]): Resource | undefined =>
  components.find(({ properties }) =>
    read(properties, "disabledRules[]").some(({ value }) => value === flowKey(flow)),
  );

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
      ? `packets from ${from} to ${to} at ${what}`
      : `the answers from ${to} to ${from} at ${what}`;
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
