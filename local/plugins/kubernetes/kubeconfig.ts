import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

import { parse } from "yaml";

import { type DiffResult, equal, hasUnknown, type Props } from "../provider";

/**
 * The texts of the kubeconfigs to use, the first of them leading: what the provider's configuration holds or names,
 * else the files of KUBECONFIG, else ~/.kube/config.
 */
export function kubeconfigTexts(given: string | undefined, environment: NodeJS.ProcessEnv): string[] {
  if (given && !isPath(given)) return [given];
  const files = given ? [expanded(given)] : defaultFiles(environment);
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
  if (texts.length === 0) {
    throw new Error(`no kubeconfig at ${files.join(", ")}: set KUBECONFIG or kubernetes:kubeconfig`);
  }
  return texts;
}

/** What a changed configuration means: another cluster replaces every object, anything else none. */
export function diffConfig({ oldInputs, news }: { oldInputs: Props; news: Props }): DiffResult {
  const { version: _old, ...before } = oldInputs;
  const { version: _new, ...after } = news;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !equal(before[name], after[name]));
  const elsewhere =
    after.clusterIdentifier === undefined
      ? hasUnknown(after.kubeconfig) || !equal(activeCluster(before), activeCluster(after))
      : !equal(before.clusterIdentifier, after.clusterIdentifier);
  return { changes: changed.length > 0, replaces: elsewhere ? changed : [] };
}

interface Kubeconfig {
  "current-context"?: string;
  contexts?: { name: string; context: { cluster: string } }[];
  clusters?: { name: string; cluster: Props }[];
}

/** The cluster that a configuration leads to; nothing where the environment decides. */
function activeCluster({ kubeconfig, context }: Props): Props {
  if (typeof kubeconfig !== "string" || hasUnknown(kubeconfig)) return {};
  const [text = ""] = kubeconfigTexts(kubeconfig, {});
  const config = (parse(text) ?? {}) as Kubeconfig;
  const wanted = typeof context === "string" ? context : config["current-context"];
  const name = config.contexts?.find((entry) => entry.name === wanted)?.context.cluster;
  return config.clusters?.find((entry) => entry.name === name)?.cluster ?? {};
}

/** A kubeconfig's content has several lines or is JSON; anything else names a file. */
const isPath = (given: string): boolean => !given.includes("\n") && !given.trimStart().startsWith("{");

const expanded = (path: string): string => (path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);

function defaultFiles({ KUBECONFIG }: NodeJS.ProcessEnv): string[] {
  const named = (KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  return named.length > 0 ? named : [join(homedir(), ".kube", "config")];
}
