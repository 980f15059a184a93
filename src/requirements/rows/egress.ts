import { OKD_NETWORKING, OCP_NETWORKING, HYPERSHIFT_PORTS, OCP_PROXY, HYPERSHIFT, at } from "../documents";
import { PORT } from "../ports";
import { NODE_EGRESS, port, requirement } from "../requirement";
import { Direction, Perspective, Platform, Protocol, Zone } from "../vocabulary";

const https = { ports: port(PORT.https), protocol: Protocol.Tcp, component: "HTTPS" };
const httpsDestinations = [Zone.ContainerRegistry, Zone.Routes, Zone.ExternalHttps];
const dns = { ports: port(PORT.dns), component: "DNS", destinations: [Zone.DnsServers], tls: false };

const fromControlPlane = {
  direction: Direction.Egress,
  perspective: Perspective.ControlPlane,
  documents: [
    at(OKD_NETWORKING, "Table 4. Common egress ports"),
    at(OKD_NETWORKING, "Example firewall configuration"),
    at(OCP_NETWORKING, "14.2.2. Egress requirements"),
    at(OCP_NETWORKING, "14.2.3. Example firewall configuration"),
    at(HYPERSHIFT_PORTS, "Common Egress Ports"),
    at(HYPERSHIFT_PORTS, "Firewall Configuration Example"),
  ],
};

const controlPlaneDns = {
  ...fromControlPlane,
  ...dns,
  purpose: "Control-plane components resolve names",
  upstream:
    "On an OpenShift management cluster network policies have to name 5353, the port of the DNS pods.",
  documents: [
    ...fromControlPlane.documents,
    at(OKD_NETWORKING, "Control plane workloads that need to access external services"),
    at(OCP_NETWORKING, "14.3.1. Control plane workloads that need to access external services"),
    at(OCP_PROXY, "Control plane workloads that need to access external services"),
  ],
};

const fromWorkers = {
  direction: Direction.Egress,
  perspective: Perspective.Worker,
  documents: NODE_EGRESS,
};

const workerDns = { ...fromWorkers, ...dns, purpose: "Nodes resolve names" };

const dnsPods = {
  direction: Direction.Egress,
  perspective: Perspective.ControlPlane,
  ports: port(PORT.openshiftDns),
  component: "openshift-dns",
  purpose: "Control-plane pods resolve names at the DNS pods of an OpenShift management cluster",
  destinations: [Zone.OpenShiftDnsNamespace],
  upstream: "Network policies match ports after service translation: 5353 on OpenShift, 53 elsewhere.",
  documents: [at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/network_policies.go")],
};

/** The egress of the control plane and the nodes, except calls to the published services. */
export const egress = [
  requirement({
    ...fromControlPlane,
    ...https,
    id: "cp-out-443",
    purpose: "Control-plane components pull images and call routes and HTTPS services outside",
    destinations: httpsDestinations,
  }),
  requirement({
    ...fromControlPlane,
    id: "cp-out-6443",
    ports: port(PORT.apiServer),
    protocol: Protocol.Tcp,
    component: "kube-apiserver of the management cluster",
    purpose: "Control-plane components call the API of the management cluster",
    destinations: [Zone.ManagementApi],
  }),
  requirement({ ...controlPlaneDns, id: "cp-out-dns-tcp", protocol: Protocol.Tcp }),
  requirement({ ...controlPlaneDns, id: "cp-out-dns-udp", protocol: Protocol.Udp }),
  requirement({
    ...fromWorkers,
    ...https,
    id: "wk-out-443",
    purpose: "Nodes pull images, and reach routes and HTTPS services outside",
    destinations: httpsDestinations,
  }),
  requirement({ ...workerDns, id: "wk-out-dns-tcp", protocol: Protocol.Tcp }),
  requirement({ ...workerDns, id: "wk-out-dns-udp", protocol: Protocol.Udp }),
  requirement({ ...dnsPods, id: "up-openshift-dns-tcp", protocol: Protocol.Tcp }),
  requirement({ ...dnsPods, id: "up-openshift-dns-udp", protocol: Protocol.Udp }),
  requirement({
    direction: Direction.Egress,
    perspective: Perspective.ControlPlane,
    id: "up-metrics-9092",
    platforms: [Platform.AWS],
    ports: port(PORT.thanos),
    protocol: Protocol.Tcp,
    component: "thanos-querier",
    purpose: "The cluster version operator reads metrics of the management cluster",
    destinations: [Zone.MonitoringNamespaces],
    upstream: "On ROSA it asks port 9090 of another Prometheus.",
    documents: [at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/network_policies.go")],
  }),
];
