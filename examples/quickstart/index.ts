/**
 * The network of one hosted control plane on AWS, and the same network as people write it by hand.
 * At the root of the repository:
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
// Kept when the stack is destroyed, like the HostedCluster in it: deleting a namespace deletes everything in it.
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
