import type { Prefix } from "../address";
import { HYPERSHIFT, at, describeReference } from "../requirements/documents";
import {
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  POD_LABEL,
  POLICY_GROUP,
  VIRT_LAUNCHER,
} from "../requirements/networkPolicies";
import type { PortRange, Requirement } from "../requirements/requirement";
import { requirementOf } from "../requirements/requirements";
import {
  Direction,
  EndpointAccess,
  Platform,
  Protocol,
  PublishingType,
  Service,
} from "../requirements/vocabulary";
import { controlPlaneEgress } from "../flows/required/controlPlane";
import { holds } from "../flows/required/fromRow";
import { publishedEndpoint } from "../flows/peers";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { dialledPorts, servedByManagementRouter } from "../topology/publishing";
import type { FlowPeer } from "../flows/model";
import { LabelSelectorOperator } from "../resources/kubernetesObject";
import type { PlainLabelSelector } from "../objects/labelSelector";
import { policyName, policyPort, type IsolationPolicy, type PolicyPeer } from "./networkPolicy";
import type { Labels } from "../reachability/isolation/podTraffic";

/** The kind of cluster on which hosted control planes run; it decides where its DNS servers are found. */
export const ManagementCluster = {
  /** OpenShift: DNS pods listen on port 5353 in the namespace openshift-dns. */
  OpenShift: "OpenShift",
  /** Any other Kubernetes: port 53, wherever the DNS servers are. */
  Kubernetes: "Kubernetes",
} as const;
export type ManagementCluster = (typeof ManagementCluster)[keyof typeof ManagementCluster];

/** Pods that are asked: those of a namespace with these labels. */
export interface AskedPods {
  /** Absent: the control plane's own namespace. */
  namespace?: Labels;
}

/** What pods of the control plane send, and must be able to send when their egress is denied. */
export interface EgressFlow {
  key: string;
  purpose: string;
  requirements: readonly string[];
  documents: readonly string[];
  notes: readonly string[];
  /** The pods that send. */
  pods: PlainLabelSelector;
  /** Namespaces whose pods are asked. */
  podEnds: readonly AskedPods[];
  /** Addresses that are asked. */
  prefixes: readonly Prefix[];
  /** True: anybody is asked. */
  anybody?: boolean;
  /** Empty: every protocol and port. */
  ports: readonly { protocol: Protocol; range: PortRange }[];
  /** True: only clusters that ask for it send it, so that nothing is cut without it. */
  optional?: boolean;
  /** The property of the topology that does not say the addresses. */
  missing?: string;
  /** The property of the topology for want of which every address is asked. */
  wouldNarrow?: string;
}

type Particulars = Pick<EgressFlow, "key"> & Partial<EgressFlow>;

/** The flow that rows demand, with what the topology adds. */
function flowOf(rows: readonly Requirement[], particulars: Particulars): EgressFlow {
  const [first] = rows;
  return {
    purpose: first?.purpose ?? "",
    requirements: rows.map(({ id }) => id),
    documents: [...new Set(rows.flatMap((row) => row.documents.map(describeReference)))],
    notes: [],
    pods: {},
    podEnds: [],
    prefixes: [],
    ports: rows.flatMap(({ protocol, ports }) => (ports ? [{ protocol, range: ports }] : [])),
    ...particulars,
  };
}

/** Everything that pods of the control plane send. Nothing goes straight to workers: konnectivity is a tunnel that they dial. */
export function egressFlows(
  topology: NormalizedTopology,
  managementCluster: ManagementCluster,
): EgressFlow[] {
  const pods = controlPlanePods(topology);
  return [
    flowOf([requirementOf("iso-same-ns")], { key: "same-namespace", pods, podEnds: [{}] }),
    { ...dns(managementCluster), pods },
    ...addressed(topology).map((flow) => ({ ...flow, pods })),
    ...publishedApi(topology).map((flow) => ({ ...flow, pods })),
    ...metrics(topology),
  ];
}

/** Virtual machines are compute nodes: what they send is theirs, and HyperShift keeps them off the management cluster. */
const controlPlanePods = ({ platform }: NormalizedTopology): PlainLabelSelector =>
  platform === Platform.KubeVirt
    ? {
        matchExpressions: [
          { key: POD_LABEL.kubevirt, operator: LabelSelectorOperator.NotIn, values: [VIRT_LAUNCHER] },
        ],
      }
    : {};

/** The key of what asks DNS, which is in another place on each kind of management cluster. */
export const DNS = "dns";

function dns(managementCluster: ManagementCluster): EgressFlow {
  if (managementCluster === ManagementCluster.Kubernetes)
    return flowOf([requirementOf("cp-out-dns-tcp"), requirementOf("cp-out-dns-udp")], {
      key: DNS,
      anybody: true,
    });
  return flowOf([requirementOf("up-openshift-dns-tcp"), requirementOf("up-openshift-dns-udp")], {
    key: DNS,
    podEnds: [{ namespace: { [NAMESPACE_LABEL.name]: MANAGEMENT_NAMESPACE.dns } }],
    notes: ["Network policies see ports after service translation: 5353, not 53."],
  });
}

/** The key of what asks the management cluster's API. */
export const MANAGEMENT_API = "management-api";

/** What leaves for addresses: the management cluster's API, and HTTPS. */
function addressed(topology: NormalizedTopology): EgressFlow[] {
  return controlPlaneEgress(topology)
    .filter(({ key }) => key === "https" || key === MANAGEMENT_API)
    .map(({ key, requirement, peers }) =>
      flowOf([requirementOf(requirement)], {
        key,
        ...whereTo(peers),
        ...(key === "https" && { podEnds: managementRouters(topology) }),
      }),
    );
}

const managementRouters = (topology: NormalizedTopology): AskedPods[] =>
  servedByManagementRouter(topology)
    ? [{ namespace: { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.ingress } }]
    : [];

/** The control-plane-operator asks the API server for its health where nodes and users reach it, private endpoints apart. */
function publishedApi(topology: NormalizedTopology): EgressFlow[] {
  const range = dialledPorts(topology, Service.APIServer);
  if (topology.endpointAccess === EndpointAccess.Private || !range) return [];
  return [
    flowOf([], {
      key: "published-api",
      purpose: "The control-plane-operator asks the published API server for its health",
      documents: [
        describeReference(
          at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/kas/healthcheck.go"),
        ),
      ],
      ports: [{ protocol: Protocol.Tcp, range }],
      ...whereTo([publishedEndpoint(topology, Service.APIServer)]),
      ...(topology.services[Service.APIServer].type === PublishingType.Route && {
        podEnds: managementRouters(topology),
      }),
    }),
  ];
}

function metrics(topology: NormalizedTopology): EgressFlow[] {
  const row = requirementOf("up-metrics-9092");
  if (!holds(row, topology)) return [];
  return [
    flowOf([row], {
      key: "metrics",
      optional: true,
      pods: {
        matchExpressions: [{ key: POD_LABEL.needsMetricsServer, operator: LabelSelectorOperator.Exists }],
      },
      podEnds: [{ namespace: { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.monitoring } }],
    }),
  ];
}

/** Addresses that are asked, and the properties that would say them. */
function whereTo(peers: readonly FlowPeer[]): Pick<EgressFlow, "prefixes" | "missing" | "wouldNarrow"> {
  const unsaid = peers.find(({ prefixes }) => prefixes === undefined);
  const guessed = peers.find(
    ({ prefixes, assumed }) => assumed && prefixes?.some(({ length }) => length === 0),
  );
  return {
    prefixes: peers.flatMap(({ prefixes }) => prefixes ?? []),
    ...(unsaid && { missing: unsaid.input }),
    ...(guessed && { wouldNarrow: guessed.input }),
  };
}

/** The policies that deny what leaves the control plane, and allow each flow. */
export function egressPolicies(
  topology: NormalizedTopology,
  flows: readonly EgressFlow[],
): IsolationPolicy[] {
  const deny: IsolationPolicy = {
    name: policyName("deny-egress"),
    pods: controlPlanePods(topology),
    [Direction.Egress]: [],
    purpose: "Nothing leaves pods of the control plane but what another policy lets out",
    requirements: [],
    documents: [],
    notes: [],
  };
  return [deny, ...flows.map(policyOf)];
}

function policyOf(flow: EgressFlow): IsolationPolicy {
  const { key, pods, ports, anybody, purpose, requirements, documents, notes } = flow;
  const rule = {
    ...(!anybody && { peers: peersOf(flow) }),
    ...(ports.length > 0 && { ports: ports.map(({ range, protocol }) => policyPort(range, protocol)) }),
  };
  return {
    name: policyName(`egress-${key}`),
    pods,
    [Direction.Egress]: [rule],
    purpose,
    requirements,
    documents,
    notes,
  };
}

const peersOf = ({ podEnds, prefixes }: EgressFlow): PolicyPeer[] => [
  ...podEnds.map(({ namespace }) =>
    namespace ? { namespaceSelector: { matchLabels: namespace } } : { podSelector: {} },
  ),
  ...prefixes.map(({ text }) => ({ ipBlock: { cidr: text } })),
];
