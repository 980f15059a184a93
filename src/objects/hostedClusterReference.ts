import type { Fault } from "../fault";
import { isHostedClusterName } from "../requirements/names";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, isMap, type PropertyMap } from "../resources/read";
import { labelNameFaults, shownText } from "./places";

/** The faults of a reference to an existing HostedCluster, which is the one that the topology describes. */
export function hostedClusterReferenceFaults(
  path: string,
  value: PropertyValue | undefined,
  topology: NormalizedTopology | undefined,
): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isMap(value)) return [{ path, problem: "is no object", remedy: "write name and namespace" }];
  const { name } = value;
  const isName = typeof name === "string" && isHostedClusterName(name);
  const faults = [
    ...(isName
      ? []
      : labelNameFaults({ path: `${path}.name`, value: name }, "the name of the HostedCluster")),
    ...labelNameFaults(
      { path: `${path}.namespace`, value: value.namespace },
      "its namespace, such as clusters",
    ),
  ];
  return faults.length === 0 && topology ? otherClusterFaults(path, value, topology) : faults;
}

function otherClusterFaults(path: string, reference: PropertyMap, topology: NormalizedTopology): Fault[] {
  return (["name", "namespace"] as const).flatMap((key) => {
    const stated = reference[key];
    if (stated === UNKNOWN || stated === topology[key]) return [];
    const problem = `${shownText(stated)} is another cluster than ${topology[key]} of the topology`;
    return [
      { path: `${path}.${key}`, problem, remedy: `write ${topology[key]}, or correct topology.${key}` },
    ];
  });
}

/** The faults of annotations that go into an existing HostedCluster with the rest of its patch. */
export function patchedAnnotationFaults({
  hostedClusterAnnotations,
  existingHostedCluster,
}: PropertyMap): Fault[] {
  const path = "hostedClusterAnnotations";
  if (!isGiven(hostedClusterAnnotations) || hostedClusterAnnotations === UNKNOWN) return [];
  if (!isMap(hostedClusterAnnotations))
    return [{ path, problem: "is no map", remedy: "write annotations as key: value" }];
  const isPatched = isGiven(existingHostedCluster) || Object.keys(hostedClusterAnnotations).length === 0;
  const remedy = "write existingHostedCluster, or put them into the HostedCluster that you create";
  return [
    ...(isPatched ? [] : [{ path, problem: "is given, but there is no HostedCluster to patch", remedy }]),
    ...Object.entries(hostedClusterAnnotations).flatMap(([key, value]) =>
      value === UNKNOWN || typeof value === "string"
        ? []
        : [
            {
              path: `${path}.${key}`,
              problem: `${shownText(value)} is no text`,
              remedy: "write it in quotes",
            },
          ],
    ),
  ];
}

/** The faults of a switch: it decides what exists, so it is plain. */
export function switchFaults(path: string, value: PropertyValue | undefined): Fault[] {
  if (!isGiven(value) || typeof value === "boolean") return [];
  const problem = `${value === UNKNOWN ? "an Output" : shownText(value)} is neither true nor false`;
  return [{ path, problem, remedy: "write true or false, without quotes and not as an Output" }];
}

export const HOSTED_CLUSTER_API_VERSION = "hypershift.openshift.io/v1beta1";
export const HOSTED_CLUSTER_KIND = "HostedCluster";

/**
 * The names under which the server remembers which fields are ours. They never change: a patch that is applied again
 * after `destroy`, from another machine or another stack, then meets its own fields and no conflict.
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

/** The annotations by which Pulumi's Kubernetes provider chooses the field manager and takes fields from others. */
export function patchAnnotations(fieldManager: string, force = false): Record<string, string> {
  return {
    "pulumi.com/patchFieldManager": fieldManager,
    ...(force && { "pulumi.com/patchForce": "true" }),
  };
}

export const NODE_POOL_KIND = "NodePool";
