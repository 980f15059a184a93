import { KubeConfig } from "@kubernetes/client-node";

import type { Props } from "../provider";
import { Discovery } from "./discovery";
import { kubeconfigTexts } from "./kubeconfig";
import { ApiServer } from "./server";

/** The provider as it was configured. */
export interface Cluster {
  server: ApiServer;
  discovery: Discovery;
  /** The namespace of objects that name none. */
  namespace: string;
  mutable: { configMaps: boolean; secrets: boolean };
  /** Take over fields that others manage, for every resource. */
  patchForce: boolean;
  /** Creates update objects that are there already, rather than fail. */
  upsert: boolean;
}

/** Reads the provider's configuration; what it leaves open comes from the environment, as with the official provider. */
export function clusterOf(config: Props, environment: NodeJS.ProcessEnv = process.env): Cluster {
  const kubeconfig = loadKubeconfig(kubeconfigTexts(text(config.kubeconfig), environment));
  const context = text(config.context);
  if (context) kubeconfig.setCurrentContext(context);
  const server = new ApiServer(kubeconfig);
  const flag = (name: string, variable: string) => (text(config[name]) ?? environment[variable]) === "true";
  return {
    server,
    discovery: new Discovery(server),
    namespace:
      text(config.namespace) ||
      kubeconfig.getContextObject(kubeconfig.getCurrentContext())?.namespace ||
      "default",
    mutable: {
      configMaps: flag("enableConfigMapMutable", "PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE"),
      secrets: flag("enableSecretMutable", "PULUMI_K8S_ENABLE_SECRET_MUTABLE"),
    },
    patchForce: flag("enablePatchForce", "PULUMI_K8S_ENABLE_PATCH_FORCE"),
    upsert: flag("upsertExistingObjects", "PULUMI_K8S_UPSERT_EXISTING_OBJECTS"),
  };
}

function loadKubeconfig(texts: string[]): KubeConfig {
  const [kubeconfig = new KubeConfig(), ...others] = texts.map((text) => {
    const config = new KubeConfig();
    config.loadFromString(text);
    return config;
  });
  for (const other of others) kubeconfig.mergeConfig(other, true);
  return kubeconfig;
}

function text(value: Props[string]): string | undefined {
  return typeof value === "string"
    ? value
    : value === undefined || value === null
      ? undefined
      : JSON.stringify(value);
}
