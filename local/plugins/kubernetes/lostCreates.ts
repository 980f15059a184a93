import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import type { KubeObject } from "./object";

/** A create that was started, but may be missing in the engine's state. */
export interface BegunCreate {
  urn: string;
  /** The field manager that created the object: it proves that an object belongs to this create. */
  manager: string;
  /** Start time, in milliseconds since 1970. */
  at: number;
}

/**
 * Creates whose reply may have been lost, kept on disk until the engine is known to have them in its state. After an interruption the
 * next create of the same resource finds its object here and adopts it; the official provider fails, because the object already
 * exists.
 */
export class LostCreates {
  private readonly begun = new Set<string>();

  constructor(private readonly folder = defaultFolder()) {}

  /** The interrupted create of this resource, if there is one. */
  of(urn: string): BegunCreate | undefined {
    const file = this.file(urn);
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as BegunCreate) : undefined;
  }

  /** Records that the resource is about to be created; `since` is when an earlier, interrupted attempt started. */
  begin(urn: string, manager: string, since = Date.now()): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const create: BegunCreate = { urn, manager, at: since };
    writeFileSync(this.file(urn), JSON.stringify(create), { mode: 0o600 });
    this.begun.add(urn);
  }

  /** The engine has the resource in its state, or the server rejected the create. */
  settled(urn: string): void {
    rmSync(this.file(urn), { force: true });
    this.begun.delete(urn);
  }

  /** No reply came: only the next create will tell whether the object exists. */
  uncertain(urn: string): void {
    this.begun.delete(urn);
  }

  /** The engine ended normally: everything that it was told is in its state. */
  allSettled(): void {
    for (const urn of this.begun) this.settled(urn);
  }

  private file(urn: string): string {
    return join(this.folder, `${createHash("sha256").update(urn).digest("hex")}.json`);
  }
}

/** Whether that create made the object. */
export function isMadeBy(object: KubeObject, { manager, at }: BegunCreate): boolean {
  const managers = (object.metadata.managedFields ?? []) as { manager?: string }[];
  const created = Date.parse(object.metadata.creationTimestamp as string);
  // The server's clock counts whole seconds.
  return managers.some((entry) => entry.manager === manager) && created + 1000 > at;
}

/**
 * Next to the state of the session that the plugin runs in, because another session may create a resource of the same name at the
 * same time.
 */
export function defaultFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { HYPERSHIFT_NETWORK_RECORDS: records } = environment;
  if (records) return join(dirname(records), "begun-creates");
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "hypershift-network", "begun-creates");
}
