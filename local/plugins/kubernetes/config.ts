import type { Props } from "../provider";
import { accessTo } from "./access";
import { Discovery } from "./discovery";
import { contextOf, kubeconfigSources } from "./kubeconfig";
import { ApiServer } from "./server";

/** The configured provider. */
export interface Cluster {
  server: ApiServer;
  discovery: Discovery;
  /** The namespace of objects that do not set one. */
  namespace: string;
  mutable: { configMaps: boolean; secrets: boolean };
  /** Takes over fields that others manage, for every resource. */
  patchForce: boolean;
  /** Creates update existing objects instead of failing. */
  upsert: boolean;
}

/** Reads the provider's configuration; unset options come from the environment, as with the official provider. */
export function clusterOf(config: Props, environment: NodeJS.ProcessEnv = process.env): Cluster {
  const sources = kubeconfigSources(text(config.kubeconfig), environment);
  const context = contextOf(sources, text(config.context));
  const server = new ApiServer(accessTo(context, sources, text(config.context)));
  const flag = (name: string, variable: string) => (text(config[name]) ?? environment[variable]) === "true";
  return {
    server,
    discovery: new Discovery(server),
    namespace: text(config.namespace) || context.namespace || "default",
    mutable: {
      configMaps: flag("enableConfigMapMutable", "PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE"),
      secrets: flag("enableSecretMutable", "PULUMI_K8S_ENABLE_SECRET_MUTABLE"),
    },
    patchForce: flag("enablePatchForce", "PULUMI_K8S_ENABLE_PATCH_FORCE"),
    upsert: flag("upsertExistingObjects", "PULUMI_K8S_UPSERT_EXISTING_OBJECTS"),
  };
}

/** Non-string settings arrive as JSON text or as values. */
function text(value: Props[string]): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
