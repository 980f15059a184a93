import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { NETWORK_OPERATOR_API_VERSION, NETWORK_OPERATOR_KIND, NETWORK_OPERATOR_NAME } from "../network";
import { patchAnnotations } from "../../objects/hostedClusterReference";
import { Claims } from "../../components/claims";
import { settledInput } from "../../components/settled";
import type { PatchOwnership } from "../../components/hostedClusterPatch";

/**
 * A server-side apply of some settings of a cluster's network operator; they stay when it is deleted. A change of the
 * hybrid network among them is refused.
 */
export function patchNetworkOperator(
  name: string,
  subject: string,
  spec: pulumi.Input<object>,
  { fieldManager, force, removeOnDelete }: PatchOwnership,
  opts: pulumi.CustomResourceOptions,
): apiextensions.CustomResourcePatch {
  const settled = settledInput({ subject, path: HYBRID_NETWORK, fault: SETTLED });
  const hooks = {
    ...opts.hooks,
    beforeUpdate: [...(settled?.beforeUpdate ?? []), ...(opts.hooks?.beforeUpdate ?? [])],
  };
  return new apiextensions.CustomResourcePatch(
    name,
    {
      apiVersion: NETWORK_OPERATOR_API_VERSION,
      kind: NETWORK_OPERATOR_KIND,
      metadata: { name: NETWORK_OPERATOR_NAME, annotations: patchAnnotations(fieldManager, force) },
      spec,
    },
    { ...opts, retainOnDelete: removeOnDelete !== true, ...(settled && { hooks }) },
  );
}

/** Inputs of its components that decide what is made and how it is judged. */
export const PLAIN_OPERATOR_INPUTS = ["topology", "platform", "release"] as const;

const HYBRID_NETWORK = ["spec", "defaultNetwork", "ovnKubernetesConfig", "hybridOverlayConfig"];

const SETTLED: Fault = {
  path: "hybridClusterNetwork",
  problem:
    "and hybridOverlayVXLANPort cannot change: the network operator refuses to edit a hybrid network that exists",
  remedy: "write the values of the last deployment",
};

const patches = new Claims<undefined>("patch of the Network operator configuration");

/**
 * The fault of a second patch of one cluster's configuration: each names its field manager on the object, and the server
 * refuses two names.
 */
export function secondPatchFaults(
  component: pulumi.Resource,
  subject: string,
  fragmentOnly: unknown,
): Fault[] {
  if (fragmentOnly === true) return [];
  const [other] = patches.take(component, subject, undefined);
  if (!other) return [];
  const problem = `missing: ${other.subject} patches the Network operator configuration of this cluster already`;
  const remedy =
    "set fragmentOnly: true for the HybridOverlayNetwork and give its fragment to hybridOverlay of the IpsecEncryption";
  return [{ path: "fragmentOnly", problem, remedy }];
}
