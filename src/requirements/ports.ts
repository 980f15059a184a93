import type { PortRange } from "./requirement";

/** Every port number of the requirement documents and of upstream, by the listener. */
export const PORT = {
  https: 443,
  /** The default port of a proxy URL. */
  http: 80,
  dns: 53,
  ssh: 22,
  apiServer: 6443,
  /** Behind the load balancer of an API server on Azure. */
  apiServerAzure: 7443,
  apiServerIbmCloud: 2040,
  oauthPod: 6443,
  konnectivity: 8091,
  konnectivityLocal: 8090,
  konnectivityOauthSidecar: 8092,
  konnectivityAdmin: 8093,
  konnectivityHealth: 2041,
  ignitionServer: 9090,
  ignitionProxy: 8443,
  capiHealth: 9440,
  agentHealth: 8081,
  agentMetrics: 8080,
  orcHealth: 8081,
  privateRouterHttp: 8080,
  privateRouterHttps: 8443,
  routerHealth: 9444,
  etcdClient: 2379,
  etcdPeer: 2380,
  etcdMetrics: 2381,
  etcdHealth: 9980,
  openshiftDns: 5353,
  thanos: 9092,
  kubelet: 10250,
  vxlan: 4789,
  geneve: 6081,
  ike: 500,
  ipsecNat: 4500,
  kubevirtGeneve: 9880,
  kubevirtVxlan: 9879,
  egressIpHealth: 9107,
  /** The listener of the documents' multicast verification. */
  multicastVerification: 30102,
} as const;

/** Kubernetes' default range of node ports. */
export const NODE_PORTS: PortRange = { from: 30000, to: 32767 };

/** Ports of host services among the nodes of a cluster. */
export const HOST_SERVICES: PortRange = { from: 9000, to: 9999 };

/** Source ports of Linux hosts, to which replies return; the range of other systems' newer releases is within it. */
export const HOST_EPHEMERAL: PortRange = { from: 32768, to: 65535 };

/** Source ports of clients of every kind: load balancers and NAT gateways of AWS use the whole range. */
export const CLIENT_EPHEMERAL: PortRange = { from: 1024, to: 65535 };
