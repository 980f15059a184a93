import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import { KubeConfig } from "@kubernetes/client-node";

import { type DiffResult, equal, hasUnknown, type Props } from "../provider";
import { Discovery } from "./discovery";
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
  const kubeconfig = loadKubeconfig(text(config.kubeconfig), environment);
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

/** What a changed configuration means: another cluster replaces every object, anything else none. */
export function diffConfig({ oldInputs, news }: { oldInputs: Props; news: Props }): DiffResult {
  const { version: _old, ...before } = oldInputs;
  const { version: _new, ...after } = news;
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !equal(before[name], after[name]),
  );
  const elsewhere = hasUnknown(after.kubeconfig) || !equal(activeCluster(before), activeCluster(after));
  return { changes: changed.length > 0, replaces: elsewhere ? changed : [] };
}

function activeCluster(config: Props): Props {
  const content = text(config.kubeconfig);
  if (!content) return {};
  const kubeconfig = loadKubeconfig(content, {});
  const context = text(config.context);
  if (context) kubeconfig.setCurrentContext(context);
  return { ...kubeconfig.getCurrentCluster() };
}

function loadKubeconfig(given: string | undefined, environment: NodeJS.ProcessEnv): KubeConfig {
  const kubeconfig = new KubeConfig();
  if (given && !isPath(given)) {
    kubeconfig.loadFromString(given);
    return kubeconfig;
  }
  const files = given ? [expanded(given)] : defaultFiles(environment);
  const [first, ...others] = files.filter((file) => existsSync(file));
  if (first === undefined) {
    throw new Error(`no kubeconfig at ${files.join(", ")}: set KUBECONFIG or kubernetes:kubeconfig`);
  }
  kubeconfig.loadFromFile(first);
  for (const file of others) {
    const other = new KubeConfig();
    other.loadFromFile(file);
    kubeconfig.mergeConfig(other, true);
  }
  return kubeconfig;
}

/** A kubeconfig's content has several lines or is JSON; anything else names a file. */
const isPath = (given: string): boolean => !given.includes("\n") && !given.trimStart().startsWith("{");

const expanded = (path: string): string => (path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);

function defaultFiles({ KUBECONFIG }: NodeJS.ProcessEnv): string[] {
  const named = (KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  return named.length > 0 ? named : [join(homedir(), ".kube", "config")];
}

function text(value: Props[string]): string | undefined {
  return typeof value === "string"
    ? value
    : value === undefined || value === null
      ? undefined
      : JSON.stringify(value);
}
