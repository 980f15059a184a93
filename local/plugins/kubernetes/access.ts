import { readFileSync } from "node:fs";
import type { RequestOptions } from "node:https";

import type { Props } from "../provider";
import type { Context, Source } from "./kubeconfig";

/** How to reach an API server. */
export interface Access {
  /** Its address. */
  server: string;
  /** Adds certificates and credentials to a request. */
  authorize(options: RequestOptions): Promise<void>;
}

/** Settings that require more than reading files: programs that fetch tokens, proxies, impersonation. */
const INVOLVED = ["exec", "auth-provider", "proxy-url", "as", "as-groups", "as-uid", "as-user-extra"];

/**
 * Access to the API server of a context. Reads plain credentials directly; for other ones it loads the Kubernetes client, which takes
 * longer than the rest of this plugin's start.
 */
export function accessTo(context: Context, sources: Source[], name?: string): Access {
  const { cluster, user } = context;
  const server = cluster.server.replace(/\/$/, "");
  if (INVOLVED.some((setting) => user[setting] !== undefined || cluster[setting] !== undefined)) {
    return { server, authorize: byClient(sources, name) };
  }
  const fixed = plainOptions(context);
  return {
    server,
    authorize: (options) => {
      const token =
        typeof user.tokenFile === "string" ? readFileSync(user.tokenFile, "utf8").trim() : user.token;
      const basic = user.username
        ? `Basic ${base64(`${text(user.username)}:${text(user.password)}`)}`
        : undefined;
      const authorization = typeof token === "string" && token !== "" ? `Bearer ${token}` : basic;
      Object.assign(options, fixed, {
        headers: { ...options.headers, ...(authorization && { authorization }) },
      });
      return Promise.resolve();
    },
  };
}

function plainOptions({ cluster, user }: Context): RequestOptions {
  const options: RequestOptions = {
    ca: content(cluster, "certificate-authority"),
    cert: content(user, "client-certificate"),
    key: content(user, "client-key"),
  };
  if (cluster["insecure-skip-tls-verify"] === true) options.rejectUnauthorized = false;
  if (typeof cluster["tls-server-name"] === "string") options.servername = cluster["tls-server-name"];
  return options;
}

function byClient(sources: Source[], name: string | undefined): Access["authorize"] {
  const loading = (async () => {
    const { KubeConfig } = await import("@kubernetes/client-node");
    const [first, ...others] = sources.map(({ text, path }) => {
      const config = new KubeConfig();
      if (path === undefined) config.loadFromString(text);
      else config.loadFromFile(path);
      return config;
    });
    for (const other of others) first!.mergeConfig(other, true);
    if (name) first!.setCurrentContext(name);
    return first!;
  })();
  // A failure is reported by the first request instead of ending the process.
  loading.catch(() => undefined);
  return async (options) => (await loading).applyToHTTPSOptions(options);
}

function content(entry: Props, name: string): Buffer | undefined {
  const data = entry[`${name}-data`];
  if (typeof data === "string" && data !== "") return Buffer.from(data, "base64");
  const path = entry[name];
  return typeof path === "string" && path !== "" ? readFileSync(path) : undefined;
}

const base64 = (plain: string): string => Buffer.from(plain).toString("base64");

const text = (value: Props[string]): string => (typeof value === "string" ? value : "");
