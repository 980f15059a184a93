/**
 * The network policies of one hosted control plane on bare metal, in its namespace on the management cluster: only
 * documented flows may enter, only required ones may leave, and OAuth may reach the company's directory.
 *
 * Policies add up: HyperShift's own let everybody reach node ports, so only a firewall can restrict who reaches them.
 *
 * If the control plane's operators also run in another namespace:
 *   pulumi config set operatorNamespace multicluster-engine && pulumi up
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { ControlPlaneIsolation, Platform, Protocol } from "hypershift-network";

const config = new pulumi.Config();
const operatorNamespace = config.get("operatorNamespace");

// HyperShift creates this namespace with the hosted cluster. Leave it out if the hosted cluster exists.
const namespace = new kubernetes.core.v1.Namespace("control-plane", {
  metadata: { name: "clusters-isolated" },
});

const isolation = new ControlPlaneIsolation("isolated", {
  topology: {
    name: "isolated",
    platform: Platform.Agent,
    release: "4.20",
    machineNetwork: [{ cidr: "10.20.0.0/16" }],
    managementClusterCidrs: ["10.1.0.0/16"],
    registryCidrs: ["198.51.100.0/24"],
  },
  namespace: namespace.metadata.name,
  operatorNamespaces: ["hypershift", ...(operatorNamespace ? [operatorNamespace] : [])],
  denyEgress: true,
  additionalPolicies: {
    "allow-directory": {
      purpose: "OAuth asks the company's directory who may log in",
      pods: { matchLabels: { app: "oauth-openshift" } },
      egress: [{ peers: [{ cidr: "192.0.2.10/32" }], ports: [{ protocol: Protocol.Tcp, port: 636 }] }],
    },
  },
});

/** Every policy with its reason. */
export const policies = isolation.policies;
/** What HyperShift requires of pods in the namespace. */
export const podSecurityLabels = isolation.podSecurityLabels;
