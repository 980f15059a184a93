import { describeReference, type DocumentReference } from "../requirements/documents";
import {
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  POD_LABEL,
  POLICY_GROUP,
  VIRT_LAUNCHER,
  networkPolicySource,
} from "../requirements/networkPolicies";
import { LISTENER, documentedRows, type Listener } from "../requirements/publishedServices";
import { port as singlePort, type Requirement } from "../requirements/requirement";
import { requirementOf } from "../requirements/requirements";
import { Direction, Phase, Platform, Protocol, PublishingType, Service } from "../requirements/vocabulary";
import { holds } from "../flows/required/fromRow";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { hasOwnRouter, servedByManagementRouter } from "../topology/publishing";
import { LabelSelectorOperator } from "../resources/kubernetesObject";
import type { PlainLabelSelector } from "../objects/labelSelector";
import {
  policyPort,
  policyName,
  type IsolationPolicy,
  type PolicyPeer,
  type PolicyPort,
} from "./networkPolicy";

/** Options that decide about the policies in addition to the topology. */
export interface IngressOptions {
  /** Namespaces of the management cluster's operators. Default: HyperShift's. */
  operatorNamespaces?: readonly string[] | undefined;
}

/** One policy that allows ingress. */
interface Allowance {
  key: string;
  pods: PlainLabelSelector;
  /** Sources. Default: everybody. */
  from?: (options: IngressOptions) => readonly PolicyPeer[];
  /** Rows that require it. If none of them holds for the cluster, there is no policy. */
  rows: readonly string[];
  /** True: the rows hold whenever `when` is true. */
  beyondRows?: boolean;
  /** Condition of the policy. Default: always. */
  when?: (topology: NormalizedTopology) => boolean;
  /** Default: the ports of the rows, or every port if the rows have none. Empty: every port. */
  ports?: readonly PolicyPort[];
  /** Additional ports. */
  morePorts?: (topology: NormalizedTopology) => readonly number[];
  /** Default: the purpose of the first row. */
  purpose?: string;
  documents?: readonly DocumentReference[];
  notes?: readonly string[];
}

const everyPod: PlainLabelSelector = {};
const pods = ({ app }: Listener): PlainLabelSelector => ({ matchLabels: { [POD_LABEL.app]: app } });
const namespaces = (label: string, value: string): PolicyPeer => ({
  namespaceSelector: { matchLabels: { [label]: value } },
});
const publishes =
  (service: Service, ...types: PublishingType[]) =>
  ({ services }: NormalizedTopology) =>
    types.some((type) => services[service].type === type);
const apiServer = {
  key: "kube-apiserver",
  pods: pods(LISTENER.apiServer),
  // The port on which API servers of old releases listen.
  morePorts: ({ apiServerPort }: NormalizedTopology) => (apiServerPort === undefined ? [] : [apiServerPort]),
};

const FIREWALL =
  "Restrict sources in the firewall: HyperShift's own policy allows every source, policies are additive, and load balancers and node ports hide the addresses of clients.";

/** Every policy that allows ingress, in the order of the tables. */
const allowances: readonly Allowance[] = [
  {
    key: "same-namespace",
    pods: everyPod,
    from: () => [{ podSelector: {} }],
    rows: ["iso-same-ns"],
  },
  {
    ...apiServer,
    rows: ["iso-kas"],
    when: ({ platform }) => platform !== Platform.IBMCloud,
    notes: ["The port of the pods, to which those of load balancers and node ports lead."],
  },
  { ...apiServer, rows: ["cp-in-kas-ibm"] },
  {
    key: "monitoring",
    pods: everyPod,
    from: () => [namespaces(NAMESPACE_LABEL.policyGroup, POLICY_GROUP.monitoring)],
    rows: ["iso-monitoring"],
  },
  {
    key: "operators",
    pods: everyPod,
    from: ({ operatorNamespaces = [MANAGEMENT_NAMESPACE.hyperShift] }) =>
      operatorNamespaces.map((namespace) => namespaces(NAMESPACE_LABEL.name, namespace)),
    rows: ["mg-to-hcp"],
    notes: ["The control-plane-operator runs in the namespace itself."],
  },
  {
    key: "ingress-router",
    pods: everyPod,
    from: () => [namespaces(NAMESPACE_LABEL.policyGroup, POLICY_GROUP.ingress)],
    rows: ["cp-in-route-443"],
    ports: [],
    when: servedByManagementRouter,
    purpose: "The management cluster's router reaches the services that are published by Route",
    documents: [networkPolicySource],
  },
  {
    key: "private-router",
    pods: pods(LISTENER.router),
    rows: ["cp-in-private-router-http", "cp-in-private-router-https"],
    beyondRows: true,
    when: hasOwnRouter,
    purpose: "Nodes and users reach the router of the control plane",
    notes: [
      "HyperShift writes such a policy on AWS, Azure and GCP only; on other platforms the router of a cluster whose API server has a Route with a host name is cut off without this one.",
    ],
  },
  {
    key: "oauth",
    pods: pods(LISTENER.oauth),
    rows: ["up-oauth-pod"],
    when: publishes(Service.OAuthServer, PublishingType.NodePort, PublishingType.LoadBalancer),
  },
  {
    key: "konnectivity",
    // Releases differ in whether the konnectivity server has pods of its own.
    pods: {
      matchExpressions: [
        {
          key: POD_LABEL.app,
          operator: LabelSelectorOperator.In,
          values: [LISTENER.konnectivityInApiServer.app, LISTENER.konnectivity.app],
        },
      ],
    },
    rows: documentedRows(Service.Konnectivity),
    notes: ["HyperShift writes such a policy for NodePort only, none for LoadBalancer.", FIREWALL],
  },
  {
    key: "ignition-proxy",
    pods: pods(LISTENER.ignitionProxy),
    rows: documentedRows(Service.Ignition),
    notes: [FIREWALL],
  },
  {
    key: "ignition-server",
    pods: pods(LISTENER.ignitionServer),
    rows: ["cp-in-ign-9090"],
    when: publishes(Service.Ignition, PublishingType.NodePort),
    notes: [FIREWALL],
  },
  {
    key: "virt-launcher",
    pods: { matchLabels: { [POD_LABEL.kubevirt]: VIRT_LAUNCHER } },
    rows: [],
    ports: [Protocol.Tcp, Protocol.Udp, Protocol.Sctp].map((protocol) => ({ protocol })),
    when: ({ platform }) => platform === Platform.KubeVirt,
    purpose: "Everybody reaches the virtual machines, which are the compute nodes",
    documents: [networkPolicySource],
  },
];

/** The name of the deny policy that every isolation has. */
export const DENY_INGRESS = policyName("deny-ingress");

/** Denies all ingress that no other policy allows. */
const denyIngress: IsolationPolicy = {
  name: DENY_INGRESS,
  pods: everyPod,
  [Direction.Ingress]: [],
  purpose: "Nothing comes into the namespace but what another policy lets in",
  requirements: [],
  documents: [describeReference(requirementOf("iso-same-ns").documents[0]!)],
  notes: ["Kubelet probes still reach pods on their own node: network policies do not block them."],
};

/** The policies that allow ingress into the namespace, and the one that denies the rest. */
export function ingressPolicies(topology: NormalizedTopology, options: IngressOptions): IsolationPolicy[] {
  return [denyIngress, ...allowances.flatMap((allowance) => allowingPolicy(allowance, topology, options))];
}

function allowingPolicy(
  allowance: Allowance,
  topology: NormalizedTopology,
  options: IngressOptions,
): IsolationPolicy[] {
  const { key, pods: selected, from, rows, when, purpose, documents = [], notes = [] } = allowance;
  const demanded = demandedRows(allowance, topology);
  if (when?.(topology) === false || (rows.length > 0 && demanded.length === 0)) return [];
  const ports = openPorts(allowance, demanded, topology);
  const rule = { ...(from && { peers: from(options) }), ...(ports.length > 0 && { ports }) };
  return [
    {
      name: policyName(key),
      pods: selected,
      [Direction.Ingress]: [rule],
      purpose: purpose ?? demanded[0]!.purpose,
      requirements: demanded.map(({ id }) => id),
      documents: [
        ...new Set([...demanded.flatMap((row) => row.documents), ...documents].map(describeReference)),
      ],
      notes,
    },
  ];
}

function demandedRows({ rows, beyondRows }: Allowance, topology: NormalizedTopology): Requirement[] {
  return rows
    .map(requirementOf)
    .filter((row) => topology.bootstrap || row.phase !== Phase.Bootstrap)
    .filter((row) => beyondRows || holds(row, topology));
}

function openPorts(
  { ports, morePorts }: Allowance,
  demanded: readonly Requirement[],
  topology: NormalizedTopology,
): PolicyPort[] {
  if (ports) return [...ports];
  const documented = demanded.flatMap(({ ports: range }) => range ?? []);
  const more = (morePorts?.(topology) ?? []).map(singlePort);
  const added = more.filter(({ from }) => !documented.some((range) => range.from === from));
  return [...documented, ...added].map((range) => policyPort(range));
}
