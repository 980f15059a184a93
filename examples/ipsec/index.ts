/**
 * IPsec between the nodes of a running cluster: enabled in mode Full, with what it encrypts, which ports the nodes need between
 * each other, and what the documents state about ciphers and certificates.
 *
 *   pulumi up
 *   pulumi config set encapsulation Always && pulumi up      wraps ESP in UDP, in place
 *
 * Expected finding `unknown-values`: the stack does not describe the cluster, so its release is unknown
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { IpsecEncapsulation, IpsecEncryption, IpsecMode } from "hypershift-network";

const config = new pulumi.Config();

// Every OpenShift cluster has this object. It is here so that the example runs on an empty Kubernetes API. The MTU leaves
// room for Geneve and IPsec on a network with packets of 1500 bytes.
const operator = new kubernetes.apiextensions.CustomResource("network-operator", {
  apiVersion: "operator.openshift.io/v1",
  kind: "Network",
  metadata: { name: "cluster" },
  spec: {
    clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
    serviceNetwork: ["172.30.0.0/16"],
    defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig: { mtu: 1354 } },
  },
});

const ipsec = new IpsecEncryption(
  "nodes",
  {
    release: "4.20",
    mode: IpsecMode.Full,
    encapsulation:
      config.get("encapsulation") === "Always" ? IpsecEncapsulation.Always : IpsecEncapsulation.Auto,
    // The API server set the default mode, Disabled, with the field manager that created the configuration.
    forcePatch: true,
  },
  { dependsOn: operator },
);

export const encrypted = ipsec.traffic;
export const nodePorts = ipsec.nodePorts;
export const facts = ipsec.facts;
