import { readPrefix } from "../../address";
import { NAMESPACE_LABEL } from "../../requirements/networkPolicies";
import { Direction, Protocol } from "../../requirements/vocabulary";
import { selects } from "../labelSelector";
import { droppedBy, type Dropped, type FlowEnd } from "./allows";
import type { EgressFlow } from "./egress";
import type { Labels, PacketPolicy } from "./networkPolicy";
import { distinctLabels } from "./senders";

/** A flow that policies would cut, with an example of what they drop. */
export interface CutFlow {
  flow: EgressFlow;
  /** Labels of a pod that could no longer send. */
  sender: Labels;
  dropped: Dropped;
}

/** The flows that leave the control plane and that policies would cut; `undefined` where too many labels play a part. */
export function cutFlows(
  policies: readonly PacketPolicy[],
  flows: readonly EgressFlow[],
  namespace: string,
): CutFlow[] | undefined {
  const isolating = policies.filter((policy) => policy[Direction.Egress] !== undefined);
  const senders = distinctLabels([...isolating, ...flows].map(({ pods }) => pods));
  const own = { [NAMESPACE_LABEL.name]: namespace };
  const required = flows.filter(({ optional }) => !optional);
  return senders && required.flatMap((flow) => cutOf(isolating, flow, senders, own));
}

/** The first pod that could no longer send. */
function cutOf(
  policies: readonly PacketPolicy[],
  flow: EgressFlow,
  senders: readonly Labels[],
  own: Labels,
): CutFlow[] {
  for (const sender of senders) {
    if (!selects(flow.pods, sender) || !policies.some(({ pods }) => selects(pods, sender))) continue;
    const dropped = flow.missing === undefined ? droppedOf(policies, flow, sender, own) : {};
    if (dropped) return [{ flow, sender, dropped }];
  }
  return [];
}

function droppedOf(
  policies: readonly PacketPolicy[],
  flow: EgressFlow,
  pod: Labels,
  own: Labels,
): Dropped | undefined {
  const ports = flow.ports.length > 0 ? flow.ports : [{ protocol: Protocol.Any, range: undefined }];
  for (const { protocol, range } of ports)
    for (const end of endsOf(flow)) {
      const packets = { direction: Direction.Egress, pod, end, protocol, ...(range && { ports: range }) };
      const dropped = droppedBy(policies, own, packets);
      if (dropped) return dropped;
    }
  return undefined;
}

const everywhere = ["0.0.0.0/0", "::/0"].map((cidr) => readPrefix(cidr)!);

/** A pod that nothing is known of, and all addresses, stand for anybody. */
const endsOf = ({ podEnds, prefixes, anybody }: EgressFlow): FlowEnd[] => [
  ...podEnds,
  ...(prefixes.length > 0 ? [{ prefixes }] : []),
  ...(anybody ? [{ labels: {}, namespace: {} }, { prefixes: everywhere }] : []),
];
