import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onPath, outputOf, run } from "./command";
import { Absent } from "./sources";

/** Debian programs that download and unpack packages. */
export interface DebianTools {
  readonly aptGet: string;
  readonly dpkgDeb: string;
}

/** Gives up on a mirror that does not answer. */
const PATIENCE = ["-o", "Acquire::http::Timeout=15", "-o", "Acquire::Retries=1"];

/** The programs, or why Debian packages are not available here. */
export function debianTools(): DebianTools | Absent {
  const [aptGet, dpkgDeb] = [onPath("apt-get"), onPath("dpkg-deb")];
  return aptGet && dpkgDeb ? { aptGet, dpkgDeb } : new Absent("no `apt-get` and `dpkg-deb` on PATH");
}

/** The distribution and its release, as a folder name: `debian-12`. Libraries of one release do not fit another. */
export function distribution(osRelease = "/etc/os-release"): string {
  const text = readFileSync(osRelease, "utf8");
  const field = (name: string) => new RegExp(`^${name}="?([\\w.-]+)`, "m").exec(text)?.[1] ?? "unknown";
  return `${field("ID")}-${field("VERSION_ID")}`;
}

/**
 * Unpacks a package and those of its dependencies that are not installed into a folder. Installs nothing and requires no rights
 * except writing to the folder: missing or outdated package lists are downloaded into a separate folder.
 */
export async function unpackDebianPackage(
  { aptGet, dpkgDeb }: DebianTools,
  name: string,
  folder: string,
): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "hypershift-network-apt-"));
  try {
    const files = await download(aptGet, name, join(work, "first"), []).catch(() =>
      downloadAnew(aptGet, name, work),
    );
    for (const file of files) await run(dpkgDeb, ["-x", file, folder]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function downloadAnew(aptGet: string, name: string, work: string): Promise<string[]> {
  const [lists, cache] = [join(work, "lists"), join(work, "cache")];
  await mkdir(join(lists, "partial"), { recursive: true });
  await mkdir(join(cache, "archives", "partial"), { recursive: true });
  const apart = ["-o", `Dir::State::Lists=${lists}`, "-o", `Dir::Cache=${cache}`];
  await run(aptGet, ["update", "--quiet", ...PATIENCE, ...apart]);
  return download(aptGet, name, join(work, "second"), apart);
}

async function download(aptGet: string, name: string, into: string, options: string[]): Promise<string[]> {
  const simulate = ["install", "--simulate", "--no-install-recommends", ...options, name];
  const names = packagesToInstall(await outputOf(aptGet, simulate));
  await mkdir(into);
  await run(aptGet, ["download", "--quiet", ...PATIENCE, ...options, ...names], { cwd: into });
  return (await readdir(into)).filter((file) => file.endsWith(".deb")).map((file) => join(into, file));
}

/** The package names in the output of `apt-get install --simulate`, without those that are installed in another version. */
export function packagesToInstall(plan: string): string[] {
  return [...plan.matchAll(/^Inst (\S+) \(/gm)].map(([, name]) => name!);
}
