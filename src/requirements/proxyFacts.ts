import {
  at,
  OKD_NETWORKING,
  OCP_NETWORKING,
  OCP_PROXY,
  describeReference,
  type DocumentReference,
  HYPERSHIFT,
} from "./documents";
import { PORT } from "./ports";
import { Platform } from "./vocabulary";
import type { DocumentedFact } from "./networkOperator";
import { implicitRangeOf } from "./implicitRanges";
import { NODE_API_PORT } from "./publishedServices";

/** A workload of the hosted control plane that reaches outside through the data plane. */
export interface ProxiedWorkload {
  /** The workload: `oauth-openshift`. */
  name: string;
  /** What it requests outside. */
  purpose: string;
  /** The hops between the workload and the destination, joined by arrows. */
  route: string;
  /** Whether its requests use the proxy of the hosted cluster; other requests leave the data plane directly. */
  throughProxy: boolean;
  /** Whether the product documents name it; otherwise only HyperShift's source does. */
  documented: boolean;
  /** The environment variables of its container, which point to its sidecars. */
  environment: Readonly<Record<string, string>>;
  /** The documents that name it. */
  documents: string[];
}

const section = "Control plane workloads that need to access external services";
const code = at(HYPERSHIFT, "konnectivity proxy sidecars");
const named = [at(OKD_NETWORKING, section), at(OCP_PROXY, section), code];

/** The documents that name a workload. */
const sourcesOfWorkload = ({ documented }: Pick<ProxiedWorkload, "documented">): DocumentReference[] =>
  documented ? named : [code];

/** These requests enter the tunnel in the control plane and leave it on a compute node, which reaches the proxy. */
const throughProxy = (entry: string) => ({
  throughProxy: true,
  route: `${entry} -> konnectivity tunnel -> compute node -> proxy -> destination`,
});
const sidecar = throughProxy("konnectivity sidecar");
/** The SOCKS5 sidecar does not know the proxy: the compute node connects directly to the destination. */
const past = {
  throughProxy: false,
  route: "konnectivity SOCKS5 sidecar -> konnectivity tunnel -> compute node -> destination",
};

const local = (scheme: string, port: number) => `${scheme}://127.0.0.1:${port}`;
const http = (noProxy: string, port: number = PORT.konnectivityLocal) => ({
  HTTP_PROXY: local("http", port),
  HTTPS_PROXY: local("http", port),
  NO_PROXY: noProxy,
});
const SOCKS = local("socks5", PORT.konnectivityLocal);
const CATALOGS = "redhat-operators,certified-operators,community-operators";
const operatorLifecycle = (catalogs: string) => ({
  GRPC_PROXY: SOCKS,
  NO_PROXY: `kube-apiserver,${catalogs}`,
});

/** The workloads whose requests leave through the data plane, beginning with those that the documents name. */
export const proxiedWorkloads: readonly ProxiedWorkload[] = [
  {
    name: "control-plane-operator",
    purpose: "validates identity providers and asks for their endpoints",
    ...throughProxy("its own konnectivity dialer"),
    environment: {},
    documented: true,
    documents: named.map(describeReference),
  },
  {
    name: "oauth-openshift",
    purpose: "talks to identity providers other than LDAP; LDAP bypasses the proxy through a SOCKS5 sidecar",
    ...sidecar,
    environment: {
      ...http("kube-apiserver,audit-webhook", PORT.konnectivityOauthSidecar),
      ALL_PROXY: SOCKS,
    },
    documented: true,
    documents: named.map(describeReference),
  },
  {
    name: "openshift-apiserver",
    purpose: "imports metadata of images from registries",
    ...sidecar,
    environment: http("kube-apiserver,etcd-client,audit-webhook"),
    documented: true,
    documents: named.map(describeReference),
  },
  {
    name: "ingress-operator",
    purpose: "checks the canary routes from outside; its calls to cloud APIs go directly",
    ...sidecar,
    environment: http("kube-apiserver"),
    documented: true,
    documents: named.map(describeReference),
  },
  ...[
    { name: "openshift-oauth-apiserver", purpose: "calls webhooks in the hosted cluster", environment: {} },
    {
      name: "cluster-network-operator",
      purpose: "tries out whether the proxy answers, as seen from the hosted cluster's network",
      environment: {},
    },
    {
      name: "catalog-operator",
      purpose: "asks catalogs in the hosted cluster for their contents",
      environment: operatorLifecycle(`${CATALOGS},redhat-marketplace`),
    },
    {
      name: "olm-operator",
      purpose: "asks catalogs in the hosted cluster for their contents",
      environment: operatorLifecycle(CATALOGS),
    },
    {
      name: "packageserver",
      purpose: "asks catalogs in the hosted cluster for their contents",
      environment: operatorLifecycle(`${CATALOGS},redhat-marketplace`),
    },
    {
      name: "ovnkube-control-plane",
      purpose: "reaches the hosted cluster; its sidecar comes from the Network operator",
      environment: {},
    },
  ].map((workload) => ({ ...workload, ...past, documented: false, documents: [describeReference(code)] })),
];

/** Destinations of the OAuth server that IBM Cloud reaches directly. */
const IBM_IDENTITY = "iam.cloud.ibm.com,iam.test.cloud.ibm.com";

/** The workloads on a platform. */
export function proxiedWorkloadsOn(platform: Platform): ProxiedWorkload[] {
  return proxiedWorkloads.map((workload) => {
    const { name, environment } = workload;
    if (platform !== Platform.IBMCloud || name !== "oauth-openshift") return { ...workload };
    return {
      ...workload,
      environment: { ...environment, NO_PROXY: `${environment.NO_PROXY},${IBM_IDENTITY}` },
    };
  });
}

/** The version of Ignition's configuration that HyperShift writes. */
export const IGNITION_VERSION = "3.2.0";

const fromNodes = (heading: string) => [
  at(OKD_NETWORKING, heading),
  at(OCP_NETWORKING, heading),
  at(OCP_PROXY, heading),
];
const ignition = fromNodes("Compute nodes that need to access an ignition endpoint");
const apiServer = fromNodes("Compute nodes that need to access the API server");
const controlPlane = fromNodes("Control plane workloads that need to access external services");
const localProxy = at(HYPERSHIFT, "kube-apiserver-proxy (haproxy or kubernetes-default-proxy)");
const [address, addressV6] = ["advertise-address", "advertise-address-v6"].map(
  (id) => implicitRangeOf(id).cidr.split("/")[0],
);

/** Id of the fact that compute nodes must reach the proxy. */
export const NODES_REACH_PROXY = "proxy-nodes";

/** Facts about the proxy of a hosted cluster, as sentences. */
export const proxyFacts: readonly DocumentedFact[] = [
  {
    id: "proxy-settings",
    statement:
      "spec.configuration.proxy of the HostedCluster holds the proxy of its nodes and of control-plane workloads that act for them. HyperShift adds to its noProxy what must bypass it: the machine, cluster and service networks, .svc, .cluster.local, and the metadata address on AWS and Azure.",
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
      "Certificates of a proxy that inspects TLS are in the ConfigMap that spec.configuration.proxy.trustedCA names, and in that of spec.additionalTrustBundle.",
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
      "With httpsProxy the control-plane-operator's own proxy listens there instead and goes through the cluster's proxy by CONNECT: where the control plane is reached over the Internet and no entry of noProxy covers the API server. Any entry with the word kubernetes in it counts as one that does. It dials everything that follows the scheme of httpsProxy, so that a slash at the end and credentials cut the nodes off.",
    documents: [...apiServer, localProxy, at(HYPERSHIFT, "support/util/networking.go")],
  },
];
