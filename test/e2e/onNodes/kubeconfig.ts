import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { parse } from "yaml";

import { ApiClient } from "../../../local/servers/apiClient";

interface NamedParts {
  clusters?: { name: string; cluster: Readonly<Record<string, string>> }[];
  users?: { name: string; user: Readonly<Record<string, string>> }[];
  contexts?: { name: string; context: { cluster: string; user: string } }[];
  "current-context"?: string;
}

/** Only the current context of a kubeconfig, with the content of every file that it names. */
export interface OneContext {
  clusters: [{ name: string; cluster: Readonly<Record<string, string>> }];
  users: [{ name: string; user: Readonly<Record<string, string>> }];
  contexts: [{ name: string; context: { cluster: string; user: string } }];
  "current-context": string;
}

/**
 * Reads a kubeconfig of an administrator.
 *
 * @throws Error if it has neither a token nor a client certificate
 */
export function currentContext(file: string): OneContext {
  const {
    clusters = [],
    users = [],
    contexts = [],
    ...rest
  } = parse(readFileSync(file, "utf8")) as NamedParts;
  const context = contexts.find(({ name }) => name === rest["current-context"])?.context;
  const cluster = clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = users.find(({ name }) => name === context?.user)?.user;
  if (!cluster || !user) throw new Error(`${file}: current-context names no cluster and no user`);
  const identity = withContents(user, dirname(file), "client-certificate", "client-key");
  if (!identity.token && !identity["client-certificate-data"])
    throw new Error(
      `${file}: its user has neither a token nor a client certificate; oc login writes a token`,
    );
  const name = "nodes";
  return {
    clusters: [{ name, cluster: withContents(cluster, dirname(file), "certificate-authority") }],
    users: [{ name, user: identity }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
}

function withContents(
  part: Readonly<Record<string, string>>,
  folder: string,
  ...keys: string[]
): Readonly<Record<string, string>> {
  const named = keys.filter((key) => part[key] !== undefined);
  const contents = named.map((key) => [
    `${key}-data`,
    readFileSync(resolve(folder, part[key]!)).toString("base64"),
  ]);
  const rest = Object.entries(part).filter(([key]) => !named.includes(key));
  return { ...Object.fromEntries(rest), ...Object.fromEntries(contents) } as Readonly<Record<string, string>>;
}

/** Sends requests with that context, and records every object that they create, newest first. */
export class RememberingClient extends ApiClient {
  readonly made: string[] = [];

  static of({ clusters: [{ cluster }], users: [{ user }] }: OneContext): RememberingClient {
    const decoded = (text: string | undefined) =>
      text === undefined ? undefined : Buffer.from(text, "base64").toString("utf8");
    const [cert, key] = [decoded(user["client-certificate-data"]), decoded(user["client-key-data"])];
    return new RememberingClient(
      cluster.server!,
      user.token,
      decoded(cluster["certificate-authority-data"]),
      cert !== undefined && key !== undefined ? { cert, key } : undefined,
    );
  }

  override async request(...[method, path, body]: Parameters<ApiClient["request"]>) {
    const answer = await super.request(method, path, body);
    if (method === "PATCH" && answer.status === 201) this.made.unshift(path.split("?")[0]!);
    return answer;
  }

  /** Removes what was created, and returns it. */
  async forget(): Promise<string[]> {
    const made = this.made.splice(0);
    for (const path of made) await this.request("DELETE", path);
    return made;
  }
}
