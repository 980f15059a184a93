import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import type { Report } from "../report";
import { withLock } from "./lock";

/** The user's cache folder for this project: what is in it can be deleted at any time and is made again. */
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

/** One version of one tool in the cache. */
export interface CacheEntry {
  /** Name of the tool: the first folder. */
  readonly tool: string;
  /** Its version: the second folder. */
  readonly version: string;
  /** A file inside that shows that the entry is there. */
  readonly proof: string;
}

/** The folder of a cache entry, whether it is there or not. */
export function entryFolder({ tool, version }: CacheEntry, cache: string = cacheFolder()): string {
  return join(cache, tool, version);
}

/** The folder of a cache entry, or undefined when it is not there. */
export function cached(entry: CacheEntry, cache: string = cacheFolder()): string | undefined {
  const folder = entryFolder(entry, cache);
  return existsSync(join(folder, entry.proof)) ? folder : undefined;
}

/**
 * The folder of a cache entry; `make` fills an empty folder when it is not there. The entry appears at once, complete,
 * and two runs that want it at the same time make it once.
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
