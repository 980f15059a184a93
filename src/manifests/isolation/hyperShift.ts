import {
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  POD_LABEL,
  POLICY_GROUP,
  VIRT_LAUNCHER,
} from "../../requirements/networkPolicies";
import { PORT } from "../../requirements/ports";
import { LISTENER, type Listener } from "../../requirements/publishedServices";
import { port } from "../../requirements/requirement";
import { Direction, Platform, Protocol, PublishingType, Service } from "../../requirements/vocabulary";
import type { Resource } from "../../resources/resource";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { nodeApiServerPort, servingPods } from "../../topology/publishedPorts";
import { servedByManagementRouter } from "../../topology/routers";
import { LabelSelectorOperator, type PlainLabelSelector } from "../labelSelector";
import { policyPort, type PolicyPeer, type PolicyRule } from "./networkPolicy";
import { policyResource } from "./policyResource";

/** A policy that HyperShift writes by itself, as far as packets of documented flows go. */
interface OwnPolicy {
  name: string;
  pods: PlainLabelSelector;
  ingress?: (topology: NormalizedTopology) => PolicyRule;
  egress?: (topology: NormalizedTopology) => readonly PolicyRule[];
  /** Absent: always. */
  when?: (topology: NormalizedTopology) => boolean;
}

const podsOf = ({ app }: Listener): PlainLabelSelector => ({ matchLabels: { [POD_LABEL.app]: app } });
const from = (peer: PolicyPeer) => (): PolicyRule => ({ peers: [peer] });
const group = (value: string): PolicyPeer => ({
  namespaceSelector: { matchLabels: { [NAMESPACE_LABEL.policyGroup]: value } },
});
const anybodyAt = (numbers: readonly number[]): PolicyRule => ({
  ports: numbers.map((number) => policyPort(port(number))),
});
/** A policy that lets everybody reach pods where they listen. */
const opening = (name: string, ...listeners: [Listener, ...Listener[]]): OwnPolicy => ({
  name,
  pods: podsOf(listeners[0]),
  ingress: () => anybodyAt(listeners.map(({ port: number }) => number)),
});
const published =
  (service: Service, type: PublishingType) =>
  ({ services }: NormalizedTopology) =>
    services[service].type === type;

const PRIVATE_ROUTER: ReadonlySet<Platform> = new Set([Platform.AWS, Platform.Azure, Platform.GCP]);
const TRANSPORTS = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp] as const;
const SAME_NAMESPACE: PolicyPeer = { podSelector: {} };

const policies: readonly OwnPolicy[] = [
  { name: "same-namespace", pods: {}, ingress: from(SAME_NAMESPACE) },
  { name: "openshift-monitoring", pods: {}, ingress: from(group(POLICY_GROUP.monitoring)) },
  {
    name: "openshift-ingress",
    pods: {},
    ingress: from(group(POLICY_GROUP.ingress)),
    when: servedByManagementRouter,
  },
  {
    name: "kas",
    pods: podsOf(LISTENER.apiServer),
    ingress: (topology) =>
      anybodyAt([
        ...servingPods(topology, Service.APIServer).map(({ port: number }) => number),
        nodeApiServerPort(topology),
      ]),
  },
  {
    ...opening("private-router", LISTENER.routerHttp, LISTENER.router),
    when: ({ platform }) => PRIVATE_ROUTER.has(platform),
  },
  ...[PublishingType.NodePort, PublishingType.LoadBalancer].map((type) => ({
    ...opening(`${type.toLowerCase()}-oauth`, LISTENER.oauth),
    when: published(Service.OAuthServer, type),
  })),
  {
    ...opening("nodeport-ignition", LISTENER.ignitionServer),
    when: published(Service.Ignition, PublishingType.NodePort),
  },
  {
    ...opening("nodeport-ignition-proxy", LISTENER.ignitionProxy),
    when: published(Service.Ignition, PublishingType.NodePort),
  },
  {
    ...opening("nodeport-konnectivity", LISTENER.konnectivity),
    when: published(Service.Konnectivity, PublishingType.NodePort),
  },
  {
    ...opening("nodeport-konnectivity-kas", LISTENER.konnectivityInApiServer),
    when: published(Service.Konnectivity, PublishingType.NodePort),
  },
  {
    name: VIRT_LAUNCHER,
    pods: { matchLabels: { [POD_LABEL.kubevirt]: VIRT_LAUNCHER } },
    ingress: () => ({ ports: TRANSPORTS.map((protocol) => ({ protocol })) }),
    when: ({ platform }) => platform === Platform.KubeVirt,
  },
  {
    name: "management-kas",
    pods: {
      matchExpressions: [{ key: POD_LABEL.needsManagementApi, operator: LabelSelectorOperator.DoesNotExist }],
    },
    egress: ({ managementClusterCidrs }) => [
      { peers: [SAME_NAMESPACE] },
      { peers: [{ ipBlock: { cidr: "0.0.0.0/0", except: managementClusterCidrs.map(({ text }) => text) } }] },
      {
        peers: [{ namespaceSelector: { matchLabels: { [NAMESPACE_LABEL.name]: MANAGEMENT_NAMESPACE.dns } } }],
        ports: [Protocol.Tcp, Protocol.Udp].map((protocol) => policyPort(port(PORT.openshiftDns), protocol)),
      },
    ],
    when: ({ platform }) => platform === Platform.AWS,
  },
];

/** The policies that HyperShift writes into the namespace of a hosted control plane by itself; no plan shows them. */
export const hyperShiftResources = (topology: NormalizedTopology): Resource[] =>
  policies
    .filter(({ when }) => when?.(topology) !== false)
    .map(({ name, pods, ingress, egress }) =>
      policyResource(
        {
          name,
          pods,
          ...(ingress && { [Direction.Ingress]: [ingress(topology)] }),
          ...(egress && { [Direction.Egress]: egress(topology) }),
        },
        topology.controlPlaneNamespace,
      ),
    );
