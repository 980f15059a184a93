import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { silent } from "../../local/report";
import { cached, cachedOrMade, cacheFolder } from "../../local/toolchain/cache";
import { takeLock } from "../../local/toolchain/lock";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "cache-"));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const entry = { tool: "engine", version: "1.2.3", proof: "engine" };
const write = (folder: string) => Promise.resolve(writeFileSync(join(folder, "engine"), "x"));

describe("the cache of tools", () => {
  test.each([
    ["XDG_CACHE_HOME first", { XDG_CACHE_HOME: "/xdg" }, "darwin", "/xdg"],
    ["~/.cache on Linux", {}, "linux", join(homedir(), ".cache")],
    ["~/Library/Caches on macOS", {}, "darwin", join(homedir(), "Library", "Caches")],
    ["%LOCALAPPDATA% on Windows", { LOCALAPPDATA: "C:\\Local" }, "win32", "C:\\Local"],
  ] as const)("is in the user's cache folder: %s", (_name, env, platform, folder) => {
    expect(cacheFolder(env, platform)).toBe(join(folder, "hypershift-network"));
  });

  test("creates an entry once, under tool and version", async () => {
    let made = 0;
    const make = (folder: string) => {
      made += 1;
      return write(folder);
    };
    const first = await cachedOrMade(entry, silent, make, cache);
    expect(await cachedOrMade(entry, silent, make, cache)).toBe(first);
    expect(first).toBe(join(cache, "engine", "1.2.3"));
    expect(made).toBe(1);
    expect(cached(entry, cache)).toBe(first);
  });

  test("creates an entry once for two concurrent requests", async () => {
    let made = 0;
    const make = async (folder: string) => {
      made += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      await write(folder);
    };
    await Promise.all([cachedOrMade(entry, silent, make, cache), cachedOrMade(entry, silent, make, cache)]);
    expect(made).toBe(1);
  });

  test("leaves nothing behind if the creation of an entry fails", async () => {
    const broken = (folder: string) => {
      writeFileSync(join(folder, "half"), "x");
      return Promise.reject(new Error("disk full"));
    };
    await expect(cachedOrMade(entry, silent, broken, cache)).rejects.toThrow("disk full");
    expect(cached(entry, cache)).toBeUndefined();
    expect(readdirSync(join(cache, "engine"))).toEqual([]);
  });

  test("refuses an entry without the file that proves it complete", async () => {
    await expect(cachedOrMade(entry, silent, () => Promise.resolve(), cache)).rejects.toThrow(
      "without engine",
    );
    expect(cached(entry, cache)).toBeUndefined();
  });
});

describe("a lock", () => {
  test("is held by the process that took it until it is released", () => {
    const file = join(cache, "lock");
    const release = takeLock(file);
    expect(takeLock(file)).toBe(process.pid);
    (release as () => void)();
    expect(existsSync(file)).toBe(false);
  });

  test("is taken over from a process that died", () => {
    const file = join(cache, "lock");
    writeFileSync(file, "999999999");
    const release = takeLock(file);
    expect(takeLock(file)).toBe(process.pid);
    (release as () => void)();
    expect(existsSync(file)).toBe(false);
  });
});
