import * as pulumi from "@pulumi/pulumi";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

const SDKS = ["@pulumi/pulumi", "@pulumi/aws", "@pulumi/kubernetes"];

/** The folder in which Node.js finds a package for files in a folder. */
function installedFor(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return realpathSync(found);
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Warns of SDKs of which a program has another copy than this package: what one copy creates is then not a resource, Output or type of the
 * other copy, and providers differ in version. Returns nothing for a process that does not run the program in that folder.
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
      : [`${name} is installed twice: ${howTwice(versionAt(other), versionAt(ours), ours)}`],
  );
}

const howTwice = (program: string, own: string, folder: string): string =>
  program === own
    ? `${own} for the program, and again in ${folder} for hypershift-network: delete that folder`
    : `${program} for the program, ${own} for hypershift-network: write a version that both allow, then run npm dedupe`;

const versionAt = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;

const loaded = Object.keys(require.cache);
for (const copy of secondCopies(process.cwd(), __dirname, (folder) =>
  loaded.some((file) => file.startsWith(folder)),
))
  void pulumi.log.warn(copy);
