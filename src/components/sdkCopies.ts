import * as pulumi from "@pulumi/pulumi";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

const SDKS = ["@pulumi/pulumi", "@pulumi/aws", "@pulumi/kubernetes"];

/** Where a package is installed for files in a folder, as Node.js looks for it. */
function installedFor(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return realpathSync(found);
    if (dirname(at) === at) return undefined;
  }
}

/**
 * SDKs of which a program has another copy than this package: what one of them made is then no resource, Output or type of the
 * other one, and providers differ in version. Nothing is said of a process that does not run the program in that folder.
 *
 * @param program Folder of the program.
 * @param own Folder of this package.
 */
export function secondCopies(program: string, own: string, isLoaded: (folder: string) => boolean): string[] {
  const copies = SDKS.map((name) => ({
    name,
    own: installedFor(own, name),
    other: installedFor(program, name),
  }));
  const core = copies[0]!.other;
  if (core === undefined || !isLoaded(core)) return [];
  return copies.flatMap(({ name, own: ours, other }) =>
    ours === undefined || other === undefined || ours === other
      ? []
      : [
          `${name} is installed twice: ${versionAt(other)} for the program, ${versionAt(ours)} for hypershift-network: write a version that both allow, then run npm dedupe`,
        ],
  );
}

const versionAt = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;

const loaded = Object.keys(require.cache);
for (const copy of secondCopies(process.cwd(), __dirname, (folder) =>
  loaded.some((file) => file.startsWith(folder)),
))
  void pulumi.log.warn(copy);
