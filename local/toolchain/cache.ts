import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import type { Report } from "../report";
import { withLock } from "./lock";

/** The user's cache folder for this project: its content can be deleted at any time and is created again. */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(userCache(env, platform), "hypershift-network");
}

function userCache(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.XDG_CACHE_HOME) {
    return env.XDG_CACHE_HOME;
  }
  if (platform === "darwin") {
    return join(homedir(), "Library", "Caches");
  }
  if (platform === "win32" && env.LOCALAPPDATA) {
    return env.LOCALAPPDATA;
  }
  return join(homedir(), ".cache");
}

/** One version of a tool in the cache. */
export interface CacheEntry {
  /** Name of the tool: the first folder level. */
  readonly tool: string;
  /** Its version: the second folder level. */
  readonly version: string;
  /** A file in the entry whose existence shows that the entry exists. */
  readonly proof: string;
}

/** The folder of a cache entry, whether it exists or not. */
export function entryFolder({ tool, version }: CacheEntry, cache: string = cacheFolder()): string {
  return join(cache, tool, version);
}

/** The folder of a cache entry, or undefined if it does not exist. */
export function cached(entry: CacheEntry, cache: string = cacheFolder()): string | undefined {
  const folder = entryFolder(entry, cache);
  return existsSync(join(folder, entry.proof)) ? folder : undefined;
}

/**
 * The folder of a cache entry; `make` fills an empty folder if the entry does not exist. The entry appears atomically, and two
 * concurrent runs that need it create it once.
 */
export async function cachedOrMade(
  entry: CacheEntry,
  report: Report,
  make: (folder: string) => Promise<void>,
  cache: string = cacheFolder(),
): Promise<string> {
  const folder = entryFolder(entry, cache);
  await mkdir(dirname(folder), { recursive: true });
  return withLock(`${folder}.lock`, report, async () => {
    if (cached(entry, cache)) {
      return folder;
    }
    const unfinished = await mkdtemp(`${folder}.unfinished-`);
    try {
      await make(unfinished);
      if (!existsSync(join(unfinished, entry.proof))) {
        throw new Error(`${entry.tool} ${entry.version} was made without ${entry.proof}`);
      }
      await rm(folder, { recursive: true, force: true });
      await rename(unfinished, folder);
      return folder;
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  });
}
