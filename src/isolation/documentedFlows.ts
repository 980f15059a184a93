import { podsIn, type PodTraffic } from "../reachability/isolation";
import { journeys } from "../flows";
import type { PodHop } from "../flows/model";
import { NAMESPACE_LABEL, POD_LABEL } from "../requirements/networkPolicies";
import { Direction, Protocol } from "../requirements/vocabulary";
import { requirementOf } from "../requirements/requirements";
import { describeReference } from "../requirements/documents";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { egressTraffic } from "./warnings";
import { ManagementCluster, egressFlows, egressPolicies } from "./egress";
import { ingressPolicies, type IngressOptions } from "./ingress";
import {
  policyName,
  policyPort,
  selectorValue,
  type IsolationPolicy,
  type PolicyPeer,
  type PolicyRule,
} from "./networkPolicy";

/** A documented flow of a hosted control plane's pods, and the policy that lets it pass and nothing else. */
export interface DocumentedFlow {
  policy: IsolationPolicy;
  direction: Direction;
  traffic: readonly PodTraffic[];
  /** Why other addresses may stand in place of those that the flow has here: then only what all of them lose is lost. */
  addresses?: string;
}

/** Every documented flow into pods of a hosted control plane, and what they send. */
export const documentedFlows = (topology: NormalizedTopology): DocumentedFlow[] => [
  ...inboundFlows(topology),
  ...outOfPods(topology),
];

/** Every documented flow into pods of a hosted control plane. */
export const inboundFlows = (
  topology: NormalizedTopology,
  options: IngressOptions = {},
): DocumentedFlow[] => [...intoPods(topology, options), ...routedFlows(topology)];

const ROUTED = policyName("ingress-router");
const HIDDEN =
  "node ports and load balancers put other addresses in the place of the clients', and it is not stated which";

/** What policies of this package let in. The router's way stands below, service by service. */
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
    services: ports?.map(({ protocol, port, endPort = port }) => ({
      protocol,
      ...(port !== undefined && endPort !== undefined && { ports: { from: port, to: endPort } }),
    })) ?? [{ protocol: Protocol.Any }],
  }));

const endOf = ({ namespaceSelector }: PolicyPeer, namespace: string) =>
  podsIn(namespaceSelector?.matchLabels ?? { [NAMESPACE_LABEL.name]: namespace });

/** The management cluster's router on its way to the pods behind each published service. */
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

/** What pods send, as far as the topology says where to. */
function outOfPods(topology: NormalizedTopology): DocumentedFlow[] {
  const flows = egressFlows(topology, ManagementCluster.OpenShift);
  const policies = egressPolicies(topology, flows);
  return flows
    .filter(({ optional, missing }) => !optional && missing === undefined)
    .map((flow): DocumentedFlow => {
      const narrower = flow.wouldNarrow;
      return {
        policy: policies.find(({ name }) => name === policyName(`egress-${flow.key}`))!,
        direction: Direction.Egress,
        traffic: egressTraffic(flow, topology.controlPlaneNamespace),
        ...(narrower !== undefined && {
          addresses: `${narrower} of the topology does not say which addresses`,
        }),
      };
    });
}
