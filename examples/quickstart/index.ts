/**
 * The network of one hosted control plane on AWS, and the same network as people write it by hand.
 *
 *   pulumi up                                                  the network that the topology asks for
 *   pulumi config set noProxy .example.org && pulumi up        changes the proxy of the HostedCluster in place
 *   pulumi config set handWritten true && pulumi preview --policy-pack policy      the one that the gate refuses
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { createHandWrittenNetwork } from "./handWritten";
import { createHostedNetwork } from "./hosted";
import { createNetworks } from "./networks";

const config = new pulumi.Config();
const networks = createNetworks();
// Kept whatever happens to the stack, like the HostedCluster in it: who deletes a namespace deletes what it holds.
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: "clusters" } },
  { protect: true, retainOnDelete: true },
);

const outputs = config.getBoolean("handWritten")
  ? createHandWrittenNetwork(networks, namespace)
  : createHostedNetwork(networks, namespace);

export const rules = outputs.rules;
export const objects = outputs.objects;
export const groups = outputs.groups;
