import { OKD_NETWORKING, OCP_NETWORKING, HYPERSHIFT_PORTS, at, HYPERSHIFT } from "../documents";
import { PORT } from "../ports";
import { NODE_EGRESS, port, requirement } from "../requirement";
import {
  Direction,
  Perspective,
  Phase,
  Platform,
  Protocol,
  PublishingType,
  Service,
  Zone,
} from "../vocabulary";

const fromJoiningNodes = {
  direction: Direction.Ingress,
  perspective: Perspective.ControlPlane,
  service: Service.Ignition,
  protocol: Protocol.Tcp,
  sources: [Zone.Workers],
  publicAllowed: false,
  phase: Phase.Bootstrap,
  tls: true,
};

const proxy = {
  ...fromJoiningNodes,
  publishing: [PublishingType.NodePort],
  ports: port(PORT.ignitionProxy),
  component: "ignition-server-proxy",
  purpose: "Joining nodes fetch their configuration from the ignition proxy",
  upstream: "A pod port behind port 443 of the service; a host's packet filter sees the node port.",
};

/** Ignition: the configuration that joining nodes fetch. It contains keys and certificates. */
export const ignition = [
  requirement({
    ...fromJoiningNodes,
    id: "cp-in-ign-9090",
    publishing: [PublishingType.NodePort, PublishingType.Route],
    ports: port(PORT.ignitionServer),
    component: "ignition-server",
    purpose: "Joining nodes fetch their configuration from the ignition server",
    note: "The OKD and OCP documents contradict themselves: NodePort or Route in the table of common ports, only NodePort in the example; HyperShift's does not list the port.",
    upstream:
      "A pod port behind port 443 of the service. Nodes ask the ignition proxy; only on IBM Cloud the node port leads here.",
    documents: [
      at(OKD_NETWORKING, "Table 1. Common ingress ports"),
      at(OKD_NETWORKING, "Example firewall configuration"),
      at(OCP_NETWORKING, "14.2.1. Ingress requirements"),
      at(OCP_NETWORKING, "14.2.3. Example firewall configuration"),
    ],
  }),
  requirement({
    ...proxy,
    id: "cp-in-ignproxy-agent",
    platforms: [Platform.Agent],
    documents: [
      at(OKD_NETWORKING, "Table 2. Platform-specific ingress port configurations"),
      at(OCP_NETWORKING, "14.2.1. Ingress requirements"),
      at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, Agent"),
    ],
  }),
  requirement({
    ...proxy,
    id: "cp-in-ignproxy-none",
    platforms: [Platform.None],
    documents: [
      at(OKD_NETWORKING, "Table 2. Platform-specific ingress port configurations"),
      at(OCP_NETWORKING, "14.2.1. Ingress requirements"),
      at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, None"),
    ],
  }),
  requirement({
    ...proxy,
    id: "cp-in-ignproxy-nodeport",
    platforms: [
      Platform.AWS,
      Platform.Azure,
      Platform.GCP,
      Platform.PowerVS,
      Platform.KubeVirt,
      Platform.OpenStack,
    ],
    upstreamRejects: [Platform.AWS, Platform.Azure],
    note: "Never on IBM Cloud, where the proxy is not deployed.",
    documents: [
      at(OKD_NETWORKING, "Example firewall configuration"),
      at(OCP_NETWORKING, "14.2.3. Example firewall configuration"),
      at(HYPERSHIFT_PORTS, "Service Publishing Strategy Determines Additional Ports"),
    ],
  }),
  requirement({
    id: "wk-out-ignproxy",
    direction: Direction.Egress,
    perspective: Perspective.Worker,
    platforms: [Platform.Agent, Platform.None],
    publishing: [PublishingType.NodePort],
    service: Service.Ignition,
    ports: port(PORT.ignitionProxy),
    protocol: Protocol.Tcp,
    component: "ignition-server-proxy",
    purpose: "Joining nodes fetch their configuration from the ignition proxy",
    destinations: [Zone.ControlPlane],
    phase: Phase.Bootstrap,
    upstream: "Nodes dial the node port.",
    documents: NODE_EGRESS,
  }),
];

/** The document that requires that the ignition ports are closed after the nodes have joined. */
export const bootstrapSource = at(HYPERSHIFT_PORTS, "Sensitive Data Warning");

/** The source of the NodePool fields that state how nodes are created. */
export const nodePoolSource = at(HYPERSHIFT, "api/hypershift/v1beta1/nodepool_types.go");

/** A condition of a NodePool that must hold when no node is about to join. */
export interface NodePoolCondition {
  type: string;
  wanted: "True" | "False";
  /** What its absence from the NodePool means; undefined: unknown. */
  absent?: boolean;
}

/** HyperShift sets the last three only during or after a roll-out. */
export const nodePoolConditions: readonly NodePoolCondition[] = [
  { type: "Ready", wanted: "True" },
  { type: "AllMachinesReady", wanted: "True" },
  { type: "AllNodesHealthy", wanted: "True" },
  { type: "UpdatingVersion", wanted: "False", absent: true },
  { type: "UpdatingConfig", wanted: "False", absent: true },
  { type: "UpdatingPlatformMachineTemplate", wanted: "False", absent: true },
];
