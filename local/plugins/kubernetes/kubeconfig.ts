import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

import { parse } from "yaml";

import { type DiffResult, equal, hasUnknown, type Props } from "../provider";

/** A cluster as a kubeconfig describes it. */
export interface ClusterEntry extends Props {
  server: string;
}
/** The entries of a kubeconfig for one context. Paths are absolute. */
export interface Context {
  cluster: ClusterEntry;
  user: Props;
  namespace: string | undefined;
}

/** A kubeconfig: its text and, if it is a file, its path. */
export interface Source {
  text: string;
  path?: string;
}

/** The kubeconfigs to use: the one in the provider's configuration (text or path), else the files of KUBECONFIG, else ~/.kube/config. */
export function kubeconfigSources(given: string | undefined, environment: NodeJS.ProcessEnv): Source[] {
  if (given && !isPath(given)) return [{ text: given }];
  const files = given ? [expanded(given)] : defaultFiles(environment);
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) {
    throw new Error(`no kubeconfig at ${files.join(", ")}: set KUBECONFIG or kubernetes:kubeconfig`);
  }
  return there.map((path) => ({ text: readFileSync(path, "utf8"), path }));
}

interface Entry extends Props {
  name: string;
}
interface Kubeconfig {
  "current-context"?: string;
  contexts?: (Entry & { context: { cluster: string; user: string; namespace?: string } })[];
  clusters?: (Entry & { cluster: ClusterEntry })[];
  users?: (Entry & { user: Props })[];
}

/** The context with that name, else the current one; among several kubeconfigs the first with an entry takes precedence. */
export function contextOf(sources: Source[], wanted?: string): Context {
  const configs = sources.map((source) => ({ ...((parse(source.text) ?? {}) as Kubeconfig), source }));
  const name = wanted || configs.map((config) => config["current-context"]).find((current) => current);
  if (!name) throw new Error("the kubeconfig has no current context: set kubernetes:context");
  const context = find(configs, "contexts", name).entry.context;
  const cluster = find(configs, "clusters", context.cluster);
  const user = find(configs, "users", context.user);
  return {
    cluster: absolute(cluster.entry.cluster, cluster.source) as ClusterEntry,
    user: absolute(user.entry.user ?? {}, user.source),
    namespace: context.namespace,
  };
}

/** How a changed configuration affects resources: another cluster replaces every object, any other change none. */
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

/** The cluster that a configuration selects; empty if the environment decides. */
function activeCluster({ kubeconfig, context }: Props): Props {
  if (typeof kubeconfig !== "string" || hasUnknown(kubeconfig)) return {};
  return contextOf(kubeconfigSources(kubeconfig, {}), typeof context === "string" ? context : undefined)
    .cluster;
}

function find<Kind extends "contexts" | "clusters" | "users">(
  configs: (Kubeconfig & { source: Source })[],
  kind: Kind,
  name: string,
) {
  for (const { source, [kind]: entries } of configs) {
    const entry = entries?.find((candidate) => candidate.name === name);
    if (entry) return { source, entry: entry as NonNullable<Kubeconfig[Kind]>[number] };
  }
  throw new Error(`the kubeconfig has no entry ${name} among its ${kind}`);
}

const PATHS = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/** Resolves paths relative to their kubeconfig file. */
function absolute(entry: Props, { path }: Source): Props {
  const folder = path === undefined ? process.cwd() : dirname(path);
  const resolved = Object.entries(entry).map(([name, value]) => [
    name,
    PATHS.includes(name) && typeof value === "string" ? resolve(folder, value) : value,
  ]);
  return Object.fromEntries(resolved) as Props;
}

/** A kubeconfig's content has several lines or is JSON; anything else is a path. */
const isPath = (given: string): boolean => !given.includes("\n") && !given.trimStart().startsWith("{");

const expanded = (path: string): string => (path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);

function defaultFiles({ KUBECONFIG }: NodeJS.ProcessEnv): string[] {
  const named = (KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  return named.length > 0 ? named : [join(homedir(), ".kube", "config")];
}
