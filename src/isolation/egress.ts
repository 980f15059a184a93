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
import { publicApi } from "../flows/peers";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { dialledPorts, servedByManagementRouter } from "../topology/publishing";
import { type FlowPeer, neededPeers } from "../flows/model";
import { LabelSelectorOperator } from "../resources/kubernetesObject";
import type { PlainLabelSelector } from "../objects/labelSelector";
import { policyName, policyPort, type IsolationPolicy, type PolicyPeer } from "./networkPolicy";
import type { Labels } from "../reachability/isolation/podTraffic";

/** The kind of the management cluster, which decides where its DNS servers are. */
export const ManagementCluster = {
  /** OpenShift: DNS pods listen on port 5353 in the namespace openshift-dns. */
  OpenShift: "OpenShift",
  /** Any other Kubernetes: DNS servers listen on port 53 at any address. */
  Kubernetes: "Kubernetes",
} as const;
export type ManagementCluster = (typeof ManagementCluster)[keyof typeof ManagementCluster];

/** Destination pods: the pods of the namespaces with these labels. */
export interface AskedPods {
  /** Default: the control plane's own namespace. */
  namespace?: Labels;
}

/** A flow that pods of the control plane send, and that must pass when their egress is denied. */
export interface EgressFlow {
  key: string;
  purpose: string;
  requirements: readonly string[];
  documents: readonly string[];
  notes: readonly string[];
  /** The pods that send. */
  pods: PlainLabelSelector;
  /** Namespaces of the destination pods. */
  podEnds: readonly AskedPods[];
  /** Destination addresses. */
  prefixes: readonly Prefix[];
  /** The addresses to which it sends, if they are not all of `prefixes`. */
  needed?: readonly Prefix[];
  /** Whether the destination is anybody. */
  anybody?: boolean;
  /** Protocols and ports. Empty: every protocol and port. */
  ports: readonly { protocol: Protocol; range: PortRange }[];
  /** True if only clusters that opt in send it, so that nothing is cut without it. */
  optional?: boolean;
  /** The property of the topology that should state the addresses and does not. */
  missing?: string;
  /** The property of the topology whose absence makes every address a destination. */
  wouldNarrow?: string;
}

type Particulars = Pick<EgressFlow, "key"> & Partial<EgressFlow>;

/** The flow that rows require, with what the topology adds. */
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

/** Every flow that pods of the control plane send. None goes straight to workers: konnectivity is a tunnel that workers dial. */
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

/** Excludes virtual machines: they are compute nodes with flows of their own, and HyperShift keeps them off the management cluster. */
const controlPlanePods = ({ platform }: NormalizedTopology): PlainLabelSelector =>
  platform === Platform.KubeVirt
    ? {
        matchExpressions: [
          { key: POD_LABEL.kubevirt, operator: LabelSelectorOperator.NotIn, values: [VIRT_LAUNCHER] },
        ],
      }
    : {};

/** The key of the DNS flow, whose destination depends on the kind of management cluster. */
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

/** The key of the flow to the management cluster's API. */
export const MANAGEMENT_API = "management-api";

/** The flows to addresses: the management cluster's API, and HTTPS. */
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

/** The control-plane-operator's health checks of the API server where nodes and users reach it. None with private endpoints. */
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
      ...whereTo(publicApi(topology)),
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

/** Destination addresses of peers, and the properties of the topology that are missing for them. */
function whereTo(
  peers: readonly FlowPeer[],
): Pick<EgressFlow, "prefixes" | "needed" | "missing" | "wouldNarrow"> {
  const asked = neededPeers(peers);
  const unsaid = asked.find(({ prefixes }) => prefixes === undefined);
  const guessed = peers.find(
    ({ prefixes, assumed }) => assumed && prefixes?.some(({ length }) => length === 0),
  );
  return {
    prefixes: peers.flatMap(({ prefixes }) => prefixes ?? []),
    ...(peers.some(({ needed }) => needed) && {
      needed: asked.flatMap(({ prefixes }) => prefixes ?? []),
    }),
    ...(unsaid && { missing: unsaid.input }),
    ...(guessed && { wouldNarrow: guessed.input }),
  };
}

/** The policy that denies egress of the control plane, and one policy that allows each flow. */
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
