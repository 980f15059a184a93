import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import type * as pulumi from "@pulumi/pulumi";
import {
  HOSTED_CLUSTER_API_VERSION,
  HOSTED_CLUSTER_KIND,
  patchAnnotations,
} from "../objects/hostedClusterReference";
import type { Fault } from "../fault";
import { isMap } from "../resources/read";
import type { PropertyValue } from "../resources/resource";
import { Claims } from "./claims";
import { whenKnown } from "./checked";

/** The fields of an existing HostedCluster that are patched. */
export interface HostedClusterFields {
  spec?: pulumi.Input<object>;
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
}

/** How the patch owns fields of an existing HostedCluster. */
export interface PatchOwnership {
  /** The field manager that the server records as owner of the fields. */
  fieldManager: string;
  /** Whether fields are taken from other owners. */
  force?: boolean | undefined;
  /** Whether the fields are removed when the patch is deleted. */
  removeOnDelete?: boolean | undefined;
}

/**
 * Applies some fields of an existing HostedCluster server-side; unless `removeOnDelete` is set, the fields stay when the patch is deleted.
 */
export function patchHostedCluster(
  name: string,
  { name: cluster, namespace }: HostedClusterReference,
  { spec, annotations }: HostedClusterFields,
  { fieldManager, force, removeOnDelete }: PatchOwnership,
  opts: pulumi.CustomResourceOptions,
): apiextensions.CustomResourcePatch {
  return new apiextensions.CustomResourcePatch(
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

const patched = new Claims<string>("patched HostedCluster");

/**
 * The fault of a second patch of one HostedCluster: each patch names its field manager on the object, and the server refuses two names.
 *
 * @param reference `existingHostedCluster`, to the extent that it is known
 */
export function secondPatchFaults(
  component: pulumi.Resource,
  subject: string,
  reference: PropertyValue | undefined,
): Fault[] {
  if (!isMap(reference)) return [];
  const { name, namespace } = reference;
  if (typeof name !== "string" || typeof namespace !== "string") return [];
  const cluster = `${namespace}/${name}`;
  const other = patched.take(component, subject, cluster).find(({ what }) => what === cluster);
  if (!other) return [];
  return [
    {
      path: "existingHostedCluster",
      problem: `${cluster} is already patched by ${other.subject}, and the server accepts only one patch per object`,
      remedy: `remove it from one of the two: ${HANDED_OVER}`,
    },
  ];
}

/** How the settings of one component get into the patch of another. */
const HANDED_OVER =
  "a ProxyConfig accepts the fragment of an OvnSubnetConfig as ovnSubnets, both accept the hostedClusterAnnotations of a ControlPlaneIsolation, and the hostedClusterFragment of DedicatedControlPlaneNodes goes into the manifest of the HostedCluster";

/** A HostedCluster object that exists on the management cluster. */
export interface HostedClusterReference {
  /** Name of the HostedCluster. Changing it patches another HostedCluster and leaves the first one as it is. */
  name: pulumi.Input<string>;
  /** Namespace of the HostedCluster: `clusters`. Not that of its control plane. Changing it patches another HostedCluster. */
  namespace: pulumi.Input<string>;
}

/** A NodePool object that exists on the management cluster. */
export interface NodePoolReference {
  /** Name of the NodePool. A plain value. Changing it patches another NodePool. */
  name: string;
  /** Namespace of the NodePool, the same as of its HostedCluster: `clusters`. A plain value. Changing it patches another NodePool. */
  namespace: string;
}

/** A network around the cluster. */
export interface SurroundingNetwork {
  /** Its name in messages: `corporate`. */
  name: pulumi.Input<string>;
  /** Its CIDR block, IPv4 or IPv6. */
  cidr: pulumi.Input<string>;
}
