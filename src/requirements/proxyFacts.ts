import { D0, D1, D3, HYPERSHIFT, at } from "./documents";
import type { DocumentedFact } from "./ipsec";
import { implicitRangeOf } from "./implicitRanges";
import { PORT } from "./ports";
import { proxiedWorkloads, sourcesOfWorkload } from "./proxiedWorkloads";
import { NODE_API_PORT } from "./publishedServices";

/** The version of Ignition's configuration that HyperShift writes. */
export const IGNITION_VERSION = "3.2.0";

const fromNodes = (heading: string) => [at(D0, heading), at(D1, heading), at(D3, heading)];
const ignition = fromNodes("Compute nodes that need to access an ignition endpoint");
const apiServer = fromNodes("Compute nodes that need to access the API server");
const controlPlane = fromNodes("Control plane workloads that need to access external services");
const localProxy = at(HYPERSHIFT, "kube-apiserver-proxy (haproxy or kubernetes-default-proxy)");
const [address, addressV6] = ["advertise-address", "advertise-address-v6"].map(
  (id) => implicitRangeOf(id).cidr.split("/")[0],
);

/** Id of the fact that compute nodes have to reach the proxy. */
export const NODES_REACH_PROXY = "proxy-nodes";

/** What is known of the proxy of a hosted cluster, as sentences. */
export const proxyFacts: readonly DocumentedFact[] = [
  {
    id: "proxy-settings",
    statement:
      "spec.configuration.proxy of the HostedCluster holds the proxy of its nodes and of control-plane workloads that act for them. HyperShift adds to its noProxy what has to go past it: the machine, cluster and service networks, .svc, .cluster.local, and the metadata address on AWS and Azure.",
    documents: [...controlPlane, at(HYPERSHIFT, "support/globalconfig/proxy.go")],
  },
  {
    id: NODES_REACH_PROXY,
    statement: "Compute nodes reach the proxy at the port that its URL names, or at that of its scheme.",
    documents: [...ignition, ...apiServer],
  },
  {
    id: "proxy-trust-bundle",
    statement:
      "Certificates of a proxy that inspects TLS stand in the ConfigMap that spec.configuration.proxy.trustedCA names, and in that of spec.additionalTrustBundle.",
    documents: [at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go")],
  },
  {
    id: "proxy-dns",
    statement: `A proxy carries only HTTP and HTTPS: port ${PORT.dns} to the DNS servers stays open, TCP and UDP.`,
    documents: controlPlane,
  },
  ...proxiedWorkloads.map((workload) => ({
    id: `proxy-workload-${workload.name}`,
    statement: `${workload.name} ${workload.purpose}. Its way: ${workload.route}.`,
    documents: sourcesOfWorkload(workload),
  })),
  {
    id: "proxy-compute-nodes",
    statement:
      "Control-plane workloads reach the proxy through a compute node: without one their requests fail.",
    documents: controlPlane,
  },
  {
    id: "proxy-ignition",
    statement: `Joining nodes take the proxy from their user data: ignition.proxy of Ignition ${IGNITION_VERSION}, in which noProxy is a list. The text in the documents' sample is something that Ignition cannot read.`,
    documents: ignition,
  },
  {
    id: "proxy-node-api-haproxy",
    statement: `At ${address} or ${addressV6}, port ${NODE_API_PORT} or networking.apiServer.port, each node answers for the API server. Without a proxy haproxy listens there and forwards connections as they are.`,
    documents: [...apiServer, localProxy],
  },
  {
    id: "proxy-node-api-through-proxy",
    statement:
      "With httpsProxy the control-plane-operator's own proxy listens there instead and goes through the cluster's proxy by CONNECT: where the control plane is reached over the Internet and no entry of noProxy covers the API server. Any entry with the word kubernetes in it counts as one that does.",
    documents: [...apiServer, localProxy, at(HYPERSHIFT, "support/util/networking.go")],
  },
];
