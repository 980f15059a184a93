import { D0, D3, HYPERSHIFT, at, describeReference, type DocumentReference } from "./documents";
import { PORT } from "./ports";
import { Platform } from "./vocabulary";

/** A workload of the hosted control plane that reaches outside through the data plane. */
export interface ProxiedWorkload {
  /** The workload: `oauth-openshift`. */
  name: string;
  /** What it asks for outside. */
  purpose: string;
  /** The stations between the workload and what it asks for, joined by arrows. */
  route: string;
  /** Whether its requests take the proxy of the hosted cluster; the others leave the data plane without it. */
  throughProxy: boolean;
  /** Whether the product documents name it; the others are in HyperShift's source only. */
  documented: boolean;
  /** The variables of its container, which lead to the sidecars beside it. */
  environment: Readonly<Record<string, string>>;
  /** Where it is documented. */
  documents: string[];
}

const section = "Control plane workloads that need to access external services";
const code = at(HYPERSHIFT, "konnectivity proxy sidecars");
const named = [at(D0, section), at(D3, section), code];

/** Where a workload is documented. */
export const sourcesOfWorkload = ({
  documented,
}: Pick<ProxiedWorkload, "documented">): DocumentReference[] => (documented ? named : [code]);

/** Such requests enter the tunnel in the control plane and leave it on a compute node, which reaches the proxy. */
const throughProxy = (entry: string) => ({
  throughProxy: true,
  route: `${entry} -> konnectivity tunnel -> compute node -> proxy -> destination`,
});
const sidecar = throughProxy("konnectivity sidecar");
/** The SOCKS5 sidecar is told of no proxy: what it dials, the compute node reaches directly. */
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

/** The workloads whose requests leave through the data plane: those that the documents name first. */
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
    purpose: "talks to identity providers other than LDAP; LDAP goes past the proxy through a SOCKS5 sidecar",
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

/** The same for a platform. */
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
