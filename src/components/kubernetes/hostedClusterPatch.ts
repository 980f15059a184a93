import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import {
  HOSTED_CLUSTER_API_VERSION,
  HOSTED_CLUSTER_KIND,
  patchAnnotations,
} from "../../manifests/hostedClusterPatch";
import type { HostedClusterReference } from "./hostedClusterReference";
import { whenKnown } from "./whenKnown";

/** What of an existing HostedCluster is patched. */
export interface HostedClusterFields {
  spec?: pulumi.Input<object>;
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
}

/** How fields of an existing HostedCluster are owned. */
export interface PatchOwnership {
  /** The name under which the server remembers the fields as ours. */
  fieldManager: string;
  /** Whether fields are taken from other owners. */
  force?: boolean | undefined;
  /** Whether the fields are taken out again when the patch is deleted. */
  removeOnDelete?: boolean | undefined;
}

/** A server-side apply of some fields of an existing HostedCluster; the fields stay when it is deleted. */
export function patchHostedCluster(
  name: string,
  { name: cluster, namespace }: HostedClusterReference,
  { spec, annotations }: HostedClusterFields,
  { fieldManager, force, removeOnDelete }: PatchOwnership,
  opts: pulumi.CustomResourceOptions,
): kubernetes.apiextensions.CustomResourcePatch {
  return new kubernetes.apiextensions.CustomResourcePatch(
    name,
    {
      apiVersion: HOSTED_CLUSTER_API_VERSION,
      kind: HOSTED_CLUSTER_KIND,
      metadata: {
        name: cluster,
        namespace,
        annotations: whenKnown(annotations, (known) => ({
          ...(known as Record<string, string> | undefined),
          ...patchAnnotations(fieldManager, force),
        })),
      },
      ...(spec !== undefined && { spec }),
    },
    { ...opts, retainOnDelete: removeOnDelete !== true },
  );
}
