import type { Fault } from "../fault";
import { isHostedClusterName } from "../requirements/names";
import { isGiven, isMap, type PropertyMap } from "../resources/read";
import type { PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { labelNameFaults, shownText } from "./places";
import {
  byKey,
  type Fields,
  labelName,
  leaf,
  needed,
  object,
  plainSwitch,
  type Relation,
  type Shape,
  text,
} from "./shape";

/** A reference to an existing HostedCluster, which must be the one that the topology describes. */
export const hostedClusterReference = (topology: NormalizedTopology | undefined): Shape =>
  object(
    {
      name: needed(
        leaf((place) => (isClusterName(place.value) ? [] : labelNameFaults(place))),
        "write the name of the HostedCluster",
      ),
      namespace: needed(labelName, "write its namespace, such as clusters"),
    },
    { remedy: "write name and namespace", relations: topology ? [otherClusterFaults(topology)] : [] },
  );

const isClusterName = (value: PropertyValue): boolean =>
  typeof value === "string" && isHostedClusterName(value);

const otherClusterFaults =
  (topology: NormalizedTopology): Relation =>
  (path, reference) =>
    (["name", "namespace"] as const).flatMap((key) => {
      const stated = reference[key];
      if (typeof stated !== "string" || stated === topology[key]) return [];
      const problem = `${shownText(stated)} differs from ${topology[key]} of the topology`;
      const remedy = `write ${topology[key]}, or correct topology.${key}`;
      return [{ path: `${path}.${key}`, problem, remedy }];
    });

/** Inputs of components that patch an existing HostedCluster. */
export const patchInputs = (topology: NormalizedTopology | undefined): Fields => ({
  existingHostedCluster: hostedClusterReference(topology),
  hostedClusterAnnotations: byKey(text({ remedy: "write it in quotes" }), {
    remedy: "write annotations as key: value",
  }),
  forcePatch: plainSwitch,
  removeOnDelete: plainSwitch,
});

/** The fault of annotations for a HostedCluster patch if there is no HostedCluster to patch. */
export function unpatchedFaults({ hostedClusterAnnotations, existingHostedCluster }: PropertyMap): Fault[] {
  const isNothing = !isMap(hostedClusterAnnotations) || Object.keys(hostedClusterAnnotations).length === 0;
  if (isNothing || isGiven(existingHostedCluster)) return [];
  const path = "hostedClusterAnnotations";
  const problem = "is given, but there is no HostedCluster to patch";
  const remedy = "write existingHostedCluster, or put them into the HostedCluster that you create";
  return [{ path, problem, remedy }];
}

export const HOSTED_CLUSTER_API_VERSION = "hypershift.openshift.io/v1beta1";
export const HOSTED_CLUSTER_KIND = "HostedCluster";

/**
 * The names by which the server remembers which fields are ours. They never change: a patch that is applied again after `destroy`, or from
 * another machine or stack, then finds its own fields and no conflict.
 */
export const FIELD_MANAGER = {
  podSecurity: "hypershift-network-pod-security",
  ovnSubnets: "hypershift-network-ovn-subnets",
  hybridOverlay: "hypershift-network-hybrid-overlay",
  ipsec: "hypershift-network-ipsec",
  proxy: "hypershift-network-proxy",
  managementProxy: "hypershift-network-management-proxy",
  trustBundle: "hypershift-network-trust-bundle",
  multicast: "hypershift-network-multicast",
  dedicatedNodes: "hypershift-network-dedicated-nodes",
  nodeSelector: "hypershift-network-node-selector",
  taints: "hypershift-network-taints",
  workerPlacement: "hypershift-network-worker-placement",
  migration: "hypershift-network-migration",
} as const;

/** The annotations that set the field manager of Pulumi's Kubernetes provider and take over fields from other owners. */
export function patchAnnotations(fieldManager: string, force = false): Record<string, string> {
  return {
    "pulumi.com/patchFieldManager": fieldManager,
    ...(force && { "pulumi.com/patchForce": "true" }),
  };
}

export const NODE_POOL_KIND = "NodePool";
