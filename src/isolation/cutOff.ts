import { judgeTraffic, podsIn, type Labels, type PodTraffic } from "../reachability/isolation";
import type { AddressEnd } from "../reachability/filters";
import type { Packet } from "../reachability/packets";
import { Proof } from "../reachability/proof";
import { NAMESPACE_LABEL } from "../requirements/networkPolicies";
import { Direction, Protocol } from "../requirements/vocabulary";
import { isMap, type PropertyMap } from "../resources/places";
import type { Resource } from "../resources/resource";
import type { EgressFlow } from "./egress";
import { selectorValue } from "./policyResource";

/** A flow that policies would cut, with an example of what they drop. */
export interface CutFlow {
  flow: EgressFlow;
  /** Labels of a pod that could no longer send. */
  sender: Labels;
  /** What it could no longer send; absent where nobody says where that goes. */
  dropped?: Packet;
  /** Whether the example's address says something: it does where addresses are asked. */
  isAddressed: boolean;
}

/** The flows that leave the control plane and that policies would cut; `undefined` where too many labels play a part. */
export function cutFlows(
  policies: readonly Resource[],
  flows: readonly EgressFlow[],
  namespace: string,
): CutFlow[] | undefined {
  const required = flows.filter(({ optional }) => !optional);
  const cut = required.map((flow) => cutOf(policies, flow, namespace));
  return cut.includes(undefined) ? undefined : cut.flatMap((found) => found ?? []);
}

/** The first packets of a flow that are dropped, whichever pod sends them. What goes to nobody knows whom, no rule lets out. */
function cutOf(policies: readonly Resource[], flow: EgressFlow, namespace: string): CutFlow[] | undefined {
  const isMissing = flow.missing !== undefined;
  const standing = isMissing ? policies.map(withoutRules) : policies;
  for (const traffic of egressTraffic(flow, namespace)) {
    const judged = judgeTraffic(standing, namespace, traffic);
    if (!judged) return undefined;
    const { pod: sender, verdict } = judged;
    if (verdict.proof === Proof.Proved) continue;
    const dropped = verdict.proof === Proof.Refuted && !isMissing ? verdict.packet : undefined;
    return [{ flow, sender, ...(dropped && { dropped }), isAddressed: traffic.prefixes !== undefined }];
  }
  return [];
}

const withoutRules = (policy: Resource): Resource => ({
  ...policy,
  properties: { ...policy.properties, spec: { ...specOf(policy), egress: [] } },
});

const specOf = ({ properties: { spec } }: Resource): PropertyMap => (isMap(spec) ? spec : {});

const OUTSIDE: AddressEnd = { kind: "addresses" };

/** The packets of a flow, for each of its other ends. What has no port may be of any protocol. */
export function egressTraffic(flow: EgressFlow, namespace: string): PodTraffic[] {
  const { podEnds, prefixes, anybody, missing, ports } = flow;
  const services =
    ports.length > 0
      ? ports.map(({ protocol, range }) => ({ protocol, ports: range }))
      : [{ protocol: Protocol.Any }];
  const to = (end: PodTraffic["end"]): PodTraffic => ({
    direction: Direction.Egress,
    pods: selectorValue(flow.pods),
    end,
    services,
  });
  const own = { [NAMESPACE_LABEL.name]: namespace };
  return [
    ...podEnds.map(({ namespace: other }) => to(podsIn(other ?? own))),
    ...(prefixes.length > 0 ? [{ ...to(OUTSIDE), prefixes }] : []),
    ...(anybody ? [to(podsIn({})), to(OUTSIDE)] : []),
    ...(missing !== undefined && prefixes.length === 0 ? [to(OUTSIDE)] : []),
  ];
}
