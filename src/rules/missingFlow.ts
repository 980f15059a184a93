import type { Prefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { read } from "../resources/read";
import type { Origin, Resource } from "../resources/resource";
import type { SecurityGroupRule } from "../resources/securityGroups";
import { flowKey, type FlowPeer, type RequiredFlow } from "../topology/requiredFlow";
import type { JudgedCluster } from "./clusters";
import type { Gap, RoleOf } from "./coverage";
import { describeResource, violated, type Judgement } from "./rule";
import { HOSTS, hostOf, portText, prefixText, zoneText } from "./wording";

/** One end of a flow and the rules of the hosts that it has to pass. */
export interface Peering {
  flow: RequiredFlow;
  peer: FlowPeer;
  rules: readonly SecurityGroupRule[];
  roleOf: RoleOf;
  holder: Origin;
  isWhole: boolean;
  cluster: JudgedCluster;
  /** The components that made the groups or their rules. */
  components: readonly Resource[];
}

/** A flow that no rule lets pass, at some ports to or from some addresses; to or from any where there are none. */
export function missingFinding(peering: Peering, { ports, prefixes }: Gap): Judgement {
  const { flow, peer, holder, cluster } = peering;
  const isIngress = flow.direction === Direction.Ingress;
  const what = flow.ports ? `${flow.protocol} ${portText(ports)}` : flow.protocol;
  const [first] = prefixes;
  const zone = zoneText(peer.zone);
  const them = first ? `${zone} ${prefixText(prefixes)}` : zone;
  const us = `${HOSTS[flow.role]} of ${cluster.key}`;
  const host = first ? hostOf(first) : "any address";
  const port = flow.ports ? `${flow.protocol} ${ports.from}` : flow.protocol;
  const leaver = disabler(peering);
  const blocked = isIngress ? `${them} reach ${us} at ${what}` : `${us} reach ${them} at ${what}`;
  return violated({
    resource: holder,
    path: flow.direction,
    message: [
      `no rule lets ${blocked}${first ? "" : ", whatever the addresses"}`,
      flow.purpose,
      ...(leaver ? [`${describeResource(leaver)} leaves it out: disabledRules has ${flowKey(flow)}`] : []),
    ].join(". "),
    witness: isIngress
      ? `${host} -> ${HOSTS[flow.role]}, ${port}`
      : `${HOSTS[flow.role]} -> ${host}, ${port}`,
    fix: leaver
      ? `take ${flowKey(flow)} out of disabledRules, or allow ${what} by another group of these hosts`
      : wayOut(peering, what, prefixes),
    requirement: flow.requirement,
    documents: flow.documents,
  });
}

function wayOut({ flow, peer }: Peering, what: string, prefixes: readonly Prefix[]): string {
  const side = flow.direction === Direction.Ingress ? "from" : "to";
  return prefixes.length > 0
    ? `allow ${what} ${side} ${prefixText(prefixes)}; HostedControlPlaneSecurityGroups makes this rule`
    : `allow ${what} ${side} ${zoneText(peer.zone)}, and write their CIDR blocks as ${peer.input} of the topology; HostedControlPlaneSecurityGroups then makes this rule`;
}

/** The component that was told to make no rule for a flow. */
const disabler = ({ flow, components }: Peering): Resource | undefined =>
  components.find(({ properties }) =>
    read(properties, "disabledRules[]").some(({ value }) => value === flowKey(flow)),
  );
