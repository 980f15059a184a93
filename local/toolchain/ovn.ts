import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

import type { Report } from "../report";
import { cached, cachedOrMade, type CacheEntry } from "./cache";
import { isExecutable, onPath, userPath } from "./command";
import { debianTools, distribution, unpackDebianPackage } from "./debianPackages";
import { Absent, firstOf, type Found, type Source } from "./sources";

const PROGRAMS = ["ovsdb-tool", "ovsdb-server", "ovn-northd", "ovn-trace"] as const;
const SCHEMAS = ["ovn-nb.ovsschema", "ovn-sb.ovsschema"] as const;
const PACKAGE = "ovn-central";

/** OVN's databases, its translator to logical flows, and the program that traces packets through them. */
export interface OvnTools {
  readonly programs: Readonly<Record<(typeof PROGRAMS)[number], string>>;
  /** The schemas of the northbound and the southbound database. */
  readonly schemas: readonly [string, string];
  /** Environment variables that the programs need. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where OVN may come from, in order of preference. */
export const ovnSources: readonly Source<OvnTools>[] = [
  { from: "PATH", find: () => Promise.resolve(installed()) },
  { from: "the user's cache folder", find: () => Promise.resolve(unpacked()) },
  { from: `the Debian package ${PACKAGE}, unpacked`, find: unpack },
];

/** Finds OVN's programs, or unpacks them. */
export function findOvn(report: Report): Promise<Found<OvnTools>> {
  return firstOf("OVN (ovn-northd, ovn-trace, ovsdb-server)", ovnSources, report);
}

/** Looks in the system folders too, because servers are often not on the PATH of users. */
function installed(): OvnTools | Absent {
  const path = [userPath(), "/usr/sbin", "/usr/local/sbin"].join(delimiter);
  return toolsOf((program) => onPath(program, path), ["/usr/share/ovn", "/usr/local/share/ovn"], {});
}

function unpacked(): OvnTools | Absent {
  const folder = existsSync("/etc/os-release") ? cached(entry()) : undefined;
  return folder === undefined ? new Absent("it is not there yet") : toolsIn(folder);
}

const entry = (): CacheEntry => ({
  tool: "ovn",
  version: distribution(),
  proof: join("usr", "bin", "ovn-trace"),
});

async function unpack(report: Report): Promise<OvnTools | Absent> {
  const tools = debianTools();
  if (tools instanceof Absent) return tools;
  const folder = await report.step(`unpacking ${PACKAGE}`, () =>
    cachedOrMade(entry(), report, (root) => unpackDebianPackage(tools, PACKAGE, root)),
  );
  return toolsIn(folder);
}

function toolsIn(folder: string): OvnTools | Absent {
  const bins = ["bin", "sbin"].map((bin) => join(folder, "usr", bin));
  const find = (program: string) => bins.map((bin) => join(bin, program)).find(isExecutable);
  const libraries = ["usr/lib", "lib"].flatMap((lib) => foldersIn(join(folder, lib)));
  const path = [...libraries, process.env.LD_LIBRARY_PATH ?? ""].filter(Boolean).join(delimiter);
  return toolsOf(find, [join(folder, "usr", "share", "ovn")], { LD_LIBRARY_PATH: path });
}

/** `usr/lib` and `usr/lib/x86_64-linux-gnu`. */
function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((found) => found.isDirectory());
  return [folder, ...inside.map(({ name }) => join(folder, name)).filter((name) => name.includes("-linux-"))];
}

function toolsOf(
  find: (program: string) => string | undefined,
  schemaFolders: readonly string[],
  env: Record<string, string>,
): OvnTools | Absent {
  const found = PROGRAMS.map((program) => [program, find(program)] as const);
  const missing = found.filter(([, file]) => file === undefined).map(([program]) => program);
  const schemas = SCHEMAS.map((schema) => schemaFolders.map((at) => join(at, schema)).find(existsSync));
  const [north, south] = schemas;
  if (missing.length > 0) return new Absent(`${missing.join(", ")} is not there`);
  if (!north || !south) return new Absent(`${SCHEMAS.join(" and ")} are not in ${schemaFolders.join(", ")}`);
  return { programs: Object.fromEntries(found) as OvnTools["programs"], schemas: [north, south], env };
}
