import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { parseAllDocuments } from "yaml";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { applied } from "./applied";

const GROUP = "/apis/rbac.authorization.k8s.io/v1";

/** The API of a user who may grant rights in a cluster. */
type Administrator = Pick<Session, "kubernetes" | "kubeconfig" | "stateFolder">;

/** A file in rbac/ with a user's names in place of its own, as its comment explains. */
export interface OwnNames {
  file: string;
  /** The replacement of each name in the file. */
  names: Readonly<Record<string, string>>;
}

/** The kubeconfig of a service account in namespace `default` with only the roles of files in rbac/. */
export async function kubeconfigWithRoles(
  session: Administrator,
  name: string,
  ...files: (string | OwnNames)[]
): Promise<string> {
  const account = `/api/v1/namespaces/default/serviceaccounts/${name}`;
  await applied(session, account, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
  for (const role of files.flatMap((file) => documentsIn(file))) await bind(session, role, name);
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { body } = await session.kubernetes.request("POST", `${account}/token`, request);
  const config = JSON.parse(readFileSync(session.kubeconfig, "utf8")) as { users: { user: object }[] };
  config.users[0]!.user = { token: (body as { status: { token: string } }).status.token };
  const path = join(session.stateFolder, `${name}.json`);
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** A document of a file in rbac/: a role, or the namespace of one. */
export interface RoleDocument {
  kind: string;
  metadata: { name: string; namespace?: string };
  rules?: { apiGroups: string[]; resources: string[]; resourceNames?: string[]; verbs: string[] }[];
}

/** The documents of a file in rbac/. */
export function documentsIn(given: string | OwnNames): RoleDocument[] {
  const { file, names } = typeof given === "string" ? { file: given, names: {} } : given;
  const shipped = readFileSync(join(repositoryRoot, "rbac", file), "utf8");
  const own = Object.entries(names).reduce(
    (text, [name, other]) => text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), other),
    shipped,
  );
  return parseAllDocuments(own).map((document) => document.toJS() as RoleDocument);
}

async function bind(session: Administrator, role: RoleDocument, name: string): Promise<void> {
  const { kind, metadata } = role;
  if (kind === "Namespace") return applied(session, `/api/v1/namespaces/${metadata.name}`, role);
  const at = metadata.namespace ? `${GROUP}/namespaces/${metadata.namespace}` : GROUP;
  await applied(session, `${at}/${kind.toLowerCase()}s/${metadata.name}`, role);
  // Several roles may be in one namespace.
  const binding = `${name}-${metadata.name}`;
  await applied(session, `${at}/${kind.toLowerCase()}bindings/${binding}`, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: `${kind}Binding`,
    metadata: { name: binding },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name },
    subjects: [{ kind: "ServiceAccount", name, namespace: "default" }],
  });
}
