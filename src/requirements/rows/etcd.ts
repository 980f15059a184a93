import { HYPERSHIFT, at } from "../documents";
import { PORT } from "../ports";
import { port, requirement } from "../requirement";
import { Direction, Perspective, Protocol, Zone } from "../vocabulary";

const etcdPort = (id: string, number: number, purpose: string, sources = [Zone.SameNamespace]) =>
  requirement({
    id,
    direction: Direction.Ingress,
    perspective: Perspective.ControlPlane,
    ports: port(number),
    protocol: Protocol.Tcp,
    component: "etcd",
    purpose,
    sources,
    publicAllowed: false,
    documents: [at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/v2/etcd")],
  });

/** etcd of a hosted control plane: nothing outside its namespace talks to it, except monitoring. */
export const etcd = [
  etcdPort("up-etcd-2379", PORT.etcdClient, "The API server reads and writes its state"),
  etcdPort("up-etcd-2380", PORT.etcdPeer, "Members of etcd replicate"),
  etcdPort("up-etcd-2381", PORT.etcdMetrics, "Monitoring reads etcd's metrics", [
    Zone.SameNamespace,
    Zone.MonitoringNamespaces,
  ]),
  etcdPort("up-etcd-9980", PORT.etcdHealth, "Probes ask for etcd's health"),
];
