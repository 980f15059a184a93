import { journeys } from "../flows/journeys";
import { everyAddress } from "../flows/peers";
import type { PodHop } from "../flows/model";
import { NAMESPACE_LABEL, POD_LABEL } from "../requirements/networkPolicies";
import { Direction, Protocol } from "../requirements/vocabulary";
import { requirementOf } from "../requirements/requirements";
import { describeReference } from "../requirements/documents";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { egressTraffic } from "./warnings";
import { type EgressFlow, egressFlows, egressPolicies, MANAGEMENT_API, ManagementCluster } from "./egress";
import { type IngressOptions, ingressPolicies } from "./ingress";
import {
  type IsolationPolicy,
  policyName,
  type PolicyPeer,
  policyPort,
  policyResource,
  type PolicyRule,
  selectorValue,
} from "./networkPolicy";
import type { Fault } from "../fault";
import { excessText, ingressExcess, withLabels } from "../reachability/isolation/excess";
import { hyperShiftResources } from "../reachability/path/guards";
import { describeServices, service } from "../reachability/packets/service";
import type { Packet } from "../reachability/packets/example";
import { Proof } from "../reachability/proof/prove";
import { textOfSpec } from "../resources/oneObject";
import { read } from "../resources/read";
import type { Resource } from "../resources/resource";
import {
  isolatesPod,
  judgeTraffic,
  labelClasses,
  podSelectorOf,
  podsIn,
  type PodTraffic,
} from "../reachability/isolation/podTraffic";

/** A documented flow of a hosted control plane's pods, and the policy that allows exactly this flow. */
export interface DocumentedFlow {
  policy: IsolationPolicy;
  direction: Direction;
  traffic: readonly PodTraffic[];
  /** The key of the egress flow. Absent for ingress. */
  sends?: string;
  /** Why the packets may have other addresses than the flow has here. If set, the flow is lost only if all addresses lose it. */
  addresses?: string;
}

/** Every documented flow into and out of pods of a hosted control plane. */
export const documentedFlows = (topology: NormalizedTopology): DocumentedFlow[] => [
  ...inboundFlows(topology),
  ...outOfPods(topology),
];

/** Every documented flow into pods of a hosted control plane. */
const inboundFlows = (topology: NormalizedTopology, options: IngressOptions = {}): DocumentedFlow[] => [
  ...intoPods(topology, options),
  ...routedFlows(topology),
];

const ROUTED = policyName("ingress-router");
const HIDDEN = "node ports and load balancers replace the clients' addresses with others that are not stated";

/** The flows that policies of this package allow. The flows through the router follow below, one for each service. */
function intoPods(topology: NormalizedTopology, options: IngressOptions): DocumentedFlow[] {
  const { controlPlaneNamespace } = topology;
  return ingressPolicies(topology, options)
    .filter(({ name }) => name !== ROUTED)
    .flatMap((policy) =>
      (policy[Direction.Ingress] ?? []).map((rule) => ({
        policy,
        direction: Direction.Ingress,
        traffic: trafficOf(policy, rule, controlPlaneNamespace),
        ...(!rule.peers && { addresses: HIDDEN }),
      })),
    );
}

const trafficOf = (policy: IsolationPolicy, { peers, ports }: PolicyRule, namespace: string): PodTraffic[] =>
  (peers ?? [undefined]).map((peer) => ({
    direction: Direction.Ingress,
    pods: selectorValue(policy.pods),
    end: peer ? endOf(peer, namespace) : { kind: "addresses" },
    services: ports?.map(({ protocol, port, endPort }) => ({
      protocol,
      ...(port !== undefined && { ports: { from: port, to: endPort ?? port } }),
    })) ?? [{ protocol: Protocol.Any }],
  }));

const endOf = ({ namespaceSelector }: PolicyPeer, namespace: string) =>
  podsIn(namespaceSelector?.matchLabels ?? { [NAMESPACE_LABEL.name]: namespace }, namespace);

/** The flows from the management cluster's router to the pods behind each published service. */
function routedFlows(topology: NormalizedTopology): DocumentedFlow[] {
  const row = requirementOf("cp-in-route-443");
  return journeys(topology).flatMap(({ hops, title }) =>
    hops.flatMap((hop): DocumentedFlow[] => {
      if (hop.kind !== "pods" || hop.from === "addresses" || !hop.from.namespaceLabels) return [];
      const policy: IsolationPolicy = {
        ...routedPolicy(hop, hop.from.namespaceLabels),
        purpose: title,
        requirements: [row.id],
        documents: row.documents.map(describeReference),
      };
      const traffic = trafficOf(policy, policy[Direction.Ingress]![0]!, topology.controlPlaneNamespace);
      return [{ policy, direction: Direction.Ingress, traffic }];
    }),
  );
}

const routedPolicy = ({ app, ports }: PodHop, matchLabels: Readonly<Record<string, string>>) => ({
  name: ROUTED,
  pods: { matchLabels: { [POD_LABEL.app]: app } },
  [Direction.Ingress]: [
    { peers: [{ namespaceSelector: { matchLabels } }], ...(ports && { ports: [policyPort(ports)] }) },
  ],
  notes: [],
});

/** The flows that pods send. */
function outOfPods(topology: NormalizedTopology): DocumentedFlow[] {
  const flows = egressFlows(topology, ManagementCluster.OpenShift).flatMap((flow) => askedOf(flow, topology));
  const policies = egressPolicies(topology, flows);
  return flows
    .filter(({ optional }) => !optional)
    .map((flow): DocumentedFlow => {
      const unsaid = flow.missing ?? flow.wouldNarrow;
      return {
        policy: policies.find(({ name }) => name === policyName(`egress-${flow.key}`))!,
        direction: Direction.Egress,
        sends: flow.key,
        traffic: egressTraffic(flow, topology.controlPlaneNamespace),
        ...(unsaid !== undefined && {
          addresses: `${unsaid} of the topology does not state the addresses`,
        }),
      };
    });
}

/**
 * Replaces unstated addresses of the management cluster's API by every address. Other flows without stated addresses are left out:
 * pods may reach a published service at pods of the namespace, behind load balancers and node ports of the same cluster.
 */
function askedOf(flow: EgressFlow, topology: NormalizedTopology): EgressFlow[] {
  if (flow.missing === undefined) return [flow.needed ? { ...flow, prefixes: flow.needed } : flow];
  return flow.key === MANAGEMENT_API ? [{ ...flow, prefixes: everyAddress(topology) }] : [];
}

/** The policies of one namespace that are not created yet. */
export interface PlannedPolicies {
  /** The policies that follow from the topology. */
  own: readonly IsolationPolicy[];
  /** The policies that the user adds, which may allow anything. Undefined while they are not known yet. */
  others: readonly IsolationPolicy[] | undefined;
}

/**
 * Faults of policies in the ingress of pods: documented flows that they would cut, pods that they leave open, and traffic beyond the
 * documented flows that the policies from the topology allow. Empty if proved. `undefined` if the policies distinguish more pods than
 * can be enumerated.
 */
export function ingressFaults(
  { own, others }: PlannedPolicies,
  topology: NormalizedTopology,
  options: IngressOptions,
): Fault[] | undefined {
  const flows = inboundFlows(topology, options);
  const key = JSON.stringify([
    topology.controlPlaneNamespace,
    own,
    others ?? null,
    flows,
    hyperShiftResources(topology),
  ]);
  if (last?.key !== key) last = { key, faults: prove({ own, others }, flows, topology) };
  return last.faults;
}

/** The last result: components judge the same inputs before anything is created and again when all values are known. */
let last: { key: string; faults: Fault[] | undefined } | undefined;

function prove(
  { own, others }: PlannedPolicies,
  flows: readonly DocumentedFlow[],
  topology: NormalizedTopology,
): Fault[] | undefined {
  const { controlPlaneNamespace: namespace } = topology;
  const planned = own.map((policy) => policyResource(policy, namespace));
  const all = [...planned, ...(others ?? []).map((policy) => policyResource(policy, namespace))];
  // A policy that is not known yet may allow what other policies cut.
  const cut = others ? flows.map((flow) => cutFaults(all, flow, namespace)) : [];
  const open = openFaults(planned, namespace);
  const excess = excessFaults(planned, flows, topology);
  if (!open || !excess || cut.includes(undefined)) return undefined;
  return [...cut.flatMap((faults) => faults ?? []), ...open, ...excess];
}

const path = "topology";
const REPORT =
  "report this bug in hypershift-network with the topology: the policies derived from it are wrong";

/** The fault of the first packets of a flow that are dropped. */
function cutFaults(
  policies: readonly Resource[],
  { policy, traffic }: DocumentedFlow,
  namespace: string,
): Fault[] | undefined {
  for (const one of traffic) {
    const judged = judgeTraffic(policies, namespace, one);
    if (!judged) return undefined;
    const { pod, verdict } = judged;
    if (verdict.proof === Proof.Proved) continue;
    const isAny = one.services.some(({ protocol }) => protocol === Protocol.Any);
    const what = verdict.proof === Proof.Refuted && !isAny ? packetText(verdict.packet) : "any packet of it";
    const { purpose, requirements, name } = policy;
    const rows = requirements.length > 0 ? ` (${requirements.join(", ")})` : "";
    return [
      {
        path,
        problem: `would block this flow: ${purpose}${rows}: no policy allows ${what} into pods ${withLabels(pod)}, but ${name} should`,
        remedy: `add a policy to additionalPolicies, and ${REPORT}`,
      },
    ];
  }
  return [];
}

/** `TCP 6443` */
export const packetText = ({ protocol, port }: Packet): string =>
  describeServices(service(protocol, { from: port, to: port })).join();

/** The fault of pods that no policy isolates, which are therefore open to everybody. */
function openFaults(policies: readonly Resource[], namespace: string): Fault[] | undefined {
  const pods = labelClasses(policies.map(podSelectorOf));
  const open = pods?.find(
    (labels) => !policies.some((policy) => isolatesPod(policy, Direction.Ingress, namespace, labels)),
  );
  if (!open) return pods && [];
  return [{ path, problem: `would leave pods ${withLabels(open)} open to everybody`, remedy: REPORT }];
}

/** Faults of traffic that policies allow although no document requires it and HyperShift's own policies do not allow it. */
function excessFaults(
  policies: readonly Resource[],
  flows: readonly DocumentedFlow[],
  topology: NormalizedTopology,
): Fault[] | undefined {
  const { controlPlaneNamespace: namespace } = topology;
  const documented = flows.map(({ policy }) => policyResource(policy, namespace));
  const wanted = [...documented, ...hyperShiftResources(topology)];
  // A policy with the same spec as a documented one allows nothing else, so only the other policies are checked.
  const texts = new Set(wanted.map(textOfSpec));
  const own = policies.filter((policy) => !texts.has(textOfSpec(policy)) && !deniesAll(policy));
  const found = own.length === 0 ? [] : ingressExcess(own, wanted, namespace);
  return found?.map((excess) => {
    const { who, pod, services } = excessText(excess);
    const problem = `${excess.clause.resource.name} would let ${who} reach pods ${pod} on ${services}, which no document requires`;
    return { path, problem, remedy: REPORT };
  });
}

const deniesAll = ({ properties }: Resource): boolean => read(properties, "spec.ingress[]").length === 0;
