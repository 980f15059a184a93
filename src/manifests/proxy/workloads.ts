import { D0, D3, HYPERSHIFT, at, describeReference } from "../../requirements/documents";

/** A workload of the hosted control plane whose requests take the proxy of the hosted cluster. */
export interface ProxiedWorkload {
  /** The workload: `oauth-openshift`. */
  name: string;
  /** What it asks for outside. */
  purpose: string;
  /** The stations between the workload and what it asks for, joined by arrows. */
  route: string;
  /** Where it is documented. */
  documents: string[];
}

const section = "Control plane workloads that need to access external services";
const documents = [at(D0, section), at(D3, section)].map(describeReference);
const code = [...documents, describeReference(at(HYPERSHIFT, "konnectivity proxy sidecars"))];

/** Such requests enter the tunnel in the control plane and leave it on a compute node, which reaches the proxy. */
const route = (entry: string) => `${entry} -> konnectivity tunnel -> compute node -> proxy -> destination`;
const sidecar = route("konnectivity sidecar");

/** The workloads whose requests leave through the data plane and the proxy. */
export const proxiedWorkloads: readonly ProxiedWorkload[] = [
  {
    name: "control-plane-operator",
    purpose: "validates identity providers and asks for their endpoints",
    route: route("its own konnectivity dialer"),
    documents: code,
  },
  {
    name: "oauth-openshift",
    purpose: "talks to identity providers other than LDAP",
    route: sidecar,
    documents: code,
  },
  {
    name: "openshift-apiserver",
    purpose: "imports metadata of images from registries",
    route: sidecar,
    documents: code,
  },
  {
    name: "ingress-operator",
    purpose: "checks the canary routes from outside; its calls to cloud APIs go directly",
    route: sidecar,
    documents: code,
  },
];
