import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { parseAllDocuments } from "yaml";

import { repositoryRoot } from "../repository";
import type { ApiClient } from "./apiClient";

/** A set of custom resource definitions. */
export interface CrdSet {
  readonly folder: string;
  /** Whether these are the project's own definitions, which validate only the networking fields. */
  readonly reduced: boolean;
  /** Description for the user. */
  readonly description: string;
}

/** The fields of a custom resource definition that are read here. */
export interface Crd {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { group: string; names: { kind: string; plural: string }; scope: string; versions: CrdVersion[] };
  status?: unknown;
}

interface CrdVersion {
  name: string;
  served: boolean;
  storage?: boolean;
  schema: { openAPIV3Schema: unknown };
}

const OWNER = "hypershift-network-local";
const DIGEST = "hypershift-network/digest";
/** Takes a second on a quiet machine. All definitions are installed at once, next to whatever else keeps the machine busy. */
const ESTABLISHED_WITHIN_MS = 300_000;

/** The project's own definitions, which are enough for everything it does. */
export const OWN_CRDS = join(repositoryRoot, "local", "crds");

/** The definitions to install: those in the folder that `HYPERSHIFT_NETWORK_CRDS` names, else the project's own. */
export function chooseCrds(env: NodeJS.ProcessEnv = process.env): CrdSet {
  const named = env.HYPERSHIFT_NETWORK_CRDS;
  if (!named) {
    return {
      folder: OWN_CRDS,
      reduced: true,
      description: "the project's own reduced definitions in local/crds",
    };
  }
  const folder = resolve(named);
  if (!existsSync(folder)) throw new Error(`HYPERSHIFT_NETWORK_CRDS names ${folder}, which does not exist`);
  return { folder, reduced: false, description: `the definitions in ${folder}` };
}

/** Reads the definitions in a folder, one for each name. */
export function readCrds(folder: string): Crd[] {
  const chosen = new Map<string, Crd>();
  const files = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
  for (const file of files.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))) {
    for (const document of parseAllDocuments(readFileSync(join(folder, file), "utf8"))) {
      const crd = document.toJS() as Crd | null;
      if (crd?.kind === "CustomResourceDefinition" && !chosen.has(crd.metadata.name)) {
        chosen.set(crd.metadata.name, crd);
      }
    }
  }
  return [...chosen.values()];
}

/**
 * Two files may define the same resource. The network operator's `cno-` files are what a cluster has, so they rank before
 * OVN-Kubernetes' own; for HostedCluster the technology preview has all platforms.
 */
function rank(file: string): number {
  return file.startsWith("cno-") || file.includes("TechPreviewNoUpgrade") ? 0 : 1;
}

/**
 * Installs the definitions in a folder and waits until the API serves them. Skips those that are installed in the same form.
 *
 * @param isWanted selects definitions by name; by default all
 */
export async function installCrds(
  client: ApiClient,
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<number> {
  const crds = readCrds(folder).filter(({ metadata }) => isWanted(metadata.name));
  await Promise.all(crds.map((crd) => installCrd(client, crd)));
  return crds.length;
}

async function installCrd(client: ApiClient, { status: _status, ...crd }: Crd): Promise<void> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`;
  const digest = createHash("sha256").update(JSON.stringify(crd)).digest("hex");
  const there = (await client.request("GET", path)).body as Crd;
  if (there.metadata?.annotations?.[DIGEST] !== digest) {
    const annotations = { ...crd.metadata.annotations, [DIGEST]: digest };
    const answer = await client.request("PATCH", `${path}?fieldManager=${OWNER}&force=true`, {
      ...crd,
      metadata: { ...crd.metadata, annotations },
    });
    if (answer.status >= 300) {
      throw new Error(`the API refuses the definition ${crd.metadata.name}: ${messageOf(answer.body)}`);
    }
  }
  await untilServed(client, path);
}

async function untilServed(client: ApiClient, path: string): Promise<void> {
  const deadline = Date.now() + ESTABLISHED_WITHIN_MS;
  for (;;) {
    const { body } = await client.request("GET", path);
    const crd = body as {
      spec?: Crd["spec"];
      status?: { conditions?: { type: string; status: string; message?: string }[] };
    };
    const conditions = crd.status?.conditions ?? [];
    const served = crd.spec?.versions.find((version) => version.served);
    if (
      crd.spec &&
      served &&
      conditions.some(({ type, status }) => type === "Established" && status === "True")
    ) {
      const list = await client.request(
        "GET",
        `/apis/${crd.spec.group}/${served.name}/${crd.spec.names.plural}?limit=1`,
      );
      if (list.status === 200) {
        return;
      }
    }
    if (Date.now() > deadline) {
      throw new Error(
        `the API does not serve ${path}: ${conditions.map(({ message }) => message).join("; ")}`,
      );
    }
    await sleep(50);
  }
}

function messageOf(body: unknown): string {
  return (body as { message?: string } | undefined)?.message ?? JSON.stringify(body);
}
