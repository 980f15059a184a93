/** Paths that can never change in place, for any kind. */
export const IDENTITY = ["metadata.name", "metadata.namespace"];

const selector = ["spec.selector"];
const data = ["data", "binaryData"];

/**
 * Paths whose change replaces an object, by group and kind, as the official provider lists them, for the kinds that this repository
 * uses. Custom resources have none: their API server reports what is immutable.
 */
const byKind: Record<string, readonly string[]> = {
  "apps/DaemonSet": selector,
  "apps/Deployment": selector,
  "apps/StatefulSet": [
    ...selector,
    "spec.podManagementPolicy",
    "spec.revisionHistoryLimit",
    "spec.serviceName",
    "spec.volumeClaimTemplates",
  ],
  "batch/Job": [...selector, "spec.completions", "spec.parallelism", "spec.template"],
  "rbac.authorization.k8s.io/ClusterRoleBinding": ["roleRef"],
  "rbac.authorization.k8s.io/RoleBinding": ["roleRef"],
  "storage.k8s.io/StorageClass": ["parameters", "provisioner"],
  "/ResourceQuota": ["spec.scopes"],
  "/Service": ["spec.clusterIP"],
};

/** Which objects the provider's configuration allows to change in place. */
export interface Mutability {
  configMaps: boolean;
  secrets: boolean;
}

/** The paths whose change replaces an object of this kind. */
export function forceNewPaths(
  apiVersion: string,
  kind: string,
  immutable: boolean,
  mutability: Mutability,
): string[] {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  const key = `${group}/${kind}`;
  if (key === "/ConfigMap" && (immutable || !mutability.configMaps)) return [...IDENTITY, ...data];
  if (key === "/Secret" && (immutable || !mutability.secrets))
    return [...IDENTITY, "type", "stringData", "data"];
  return [...IDENTITY, ...(byKind[key] ?? [])];
}
