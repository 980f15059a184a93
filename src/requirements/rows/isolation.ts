import { OCP_NETWORKING, HYPERSHIFT_PORTS, at } from "../documents";
import { PORT } from "../ports";
import { port, requirement } from "../requirement";
import { Direction, Perspective, Protocol, Zone } from "../vocabulary";

const intoNamespace = {
  direction: Direction.Ingress,
  perspective: Perspective.ControlPlane,
  protocol: Protocol.Any,
  component: "*",
  publicAllowed: false,
};

/** The ingress that network policies of a hosted control plane namespace allow. */
export const isolation = [
  requirement({
    ...intoNamespace,
    id: "mg-to-hcp",
    component: "hypershift-operator, control-plane-operator",
    purpose: "Operators of the management cluster reach every pod of the hosted control plane namespace",
    sources: [Zone.ManagementOperators],
    documents: [at(HYPERSHIFT_PORTS, "Network Policy Considerations")],
  }),
  requirement({
    ...intoNamespace,
    id: "iso-same-ns",
    purpose: "Pods of a hosted control plane namespace talk to each other",
    sources: [Zone.SameNamespace],
    documents: [at(OCP_NETWORKING, "14.1.1. Control plane isolation")],
  }),
  requirement({
    ...intoNamespace,
    id: "iso-kas",
    ports: port(PORT.apiServer),
    protocol: Protocol.Tcp,
    component: "kube-apiserver",
    purpose: "Everybody reaches the tenant's API server pod",
    sources: [Zone.Any],
    publicAllowed: true,
    upstream: "The network policy names 2040 on IBM Cloud.",
    documents: [at(OCP_NETWORKING, "14.1.1. Control plane isolation")],
  }),
  requirement({
    ...intoNamespace,
    id: "iso-monitoring",
    purpose: "Monitoring of the management cluster reads metrics of the hosted control plane",
    sources: [Zone.MonitoringNamespaces],
    documents: [at(OCP_NETWORKING, "14.1.1. Control plane isolation")],
  }),
];
