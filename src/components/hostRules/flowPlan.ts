import type { Fault } from "../../fault";
import { onceForEach } from "../../resources/onceForEach";
import { normalizeTopology, type NormalizedOrFaults } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { flowKey, type RequiredFlow } from "../../flows/model";
import { everyFlowKey, choiceFaults, chosenFlows, strangeKeyFaults, type FlowChoice } from "./flowSelection";
import type { PlannedRule } from "./plannedRule";
import { publicFaults, type ResolvedPeer } from "./rulePeers";

/** How a component gets from a topology to the flows that its rules are about. */
export interface FlowSource extends FlowChoice {
  /** What is wrong with its other inputs. */
  inputFaults: readonly Fault[];
  /** What is wrong with its other inputs for this topology. */
  mismatches?: (topology: NormalizedTopology) => Fault[];
  /** Why a topology is none for this component. */
  refusals?: (topology: NormalizedTopology) => Fault[];
  /** The flows that are its business. */
  flowsOf: (topology: NormalizedTopology) => RequiredFlow[];
  /** The ends of a flow, with the peers of its rules. */
  resolve: (flow: RequiredFlow, topology: NormalizedTopology) => ResolvedPeer[];
}

/** The flows that get rules, with their peers, or why there are none. */
export interface FlowPlan {
  /** The topology with its defaults; absent where the inputs have faults. */
  topology?: NormalizedTopology;
  /** The flows that get rules. */
  flows: readonly RequiredFlow[];
  resolved: readonly ResolvedPeer[];
  /** Everything that is wrong with the inputs. */
  faults: readonly Fault[];
  /** What the topology says in a way that is probably not meant. */
  notes: readonly string[];
}

/** The topology among the inputs of a component. Those are its own copy, of which plans are made several times: it is read once. */
export const topologyAmong = onceForEach(
  ({ topology }: { readonly topology?: unknown }): NormalizedOrFaults => normalizeTopology(topology),
);

/** Lets the user choose among the flows of a topology and finds their peers. */
export function planFlows({ topology, faults, warnings }: NormalizedOrFaults, source: FlowSource): FlowPlan {
  const refused = (wrong: readonly Fault[]): FlowPlan => ({
    flows: [],
    resolved: [],
    faults: wrong,
    notes: [],
  });
  const mismatches = topology ? (source.mismatches?.(topology) ?? []) : [];
  const wrong = [...faults, ...source.inputFaults, ...mismatches];
  if (!topology) return refused([...wrong, ...strangeKeyFaults(() => everyFlowKey(source.flowsOf), source)]);
  const refusals = source.refusals?.(topology) ?? [];
  if (refusals.length > 0) return refused([...wrong, ...refusals]);
  // A key stays valid when the bootstrap phase ends.
  const choice = choiceFaults(
    source.flowsOf(topology.bootstrap ? topology : { ...topology, bootstrap: true }),
    source,
  );
  if (wrong.length > 0) return refused([...wrong, ...choice]);
  const flows = chosenFlows(source.flowsOf(topology), source);
  const resolved = flows.flatMap((flow) => source.resolve(flow, topology));
  return {
    topology,
    flows,
    resolved,
    faults: [...choice, ...publicFaults(resolved)],
    notes: warnings.map(({ path, problem, remedy }) => `${path} ${problem}; ${remedy}`),
  };
}

/** One rule for each peer of one end of a flow. */
export function rulesOf({ flow, peers }: ResolvedPeer): PlannedRule[] {
  const { role, direction, protocol, ports, requirement, view, purpose, documents, notes } = flow;
  return peers.map((peer) => ({
    role,
    direction,
    protocol,
    ...(ports && { ports }),
    peer,
    flows: [flowKey(flow)],
    requirements: [requirement],
    views: [view],
    purposes: [purpose],
    documents,
    notes,
  }));
}
