import { spawnSync } from "node:child_process";

import { repositoryRoot } from "../repository";
import type { LockedPackage } from "./lockedPackages";

/** Runs npm on the dependencies in the lock file. */
function npm(...args: string[]): { stdout: string; stderr: string } {
  const run = spawnSync("npm", [...args, "--package-lock-only"], {
    cwd: repositoryRoot,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.error) throw run.error;
  return run;
}

/** The output of `npm audit --json` for the packages that users install, whatever the registry answers. */
export const auditOutput = (): string => npm("audit", "--omit=dev", "--json").stdout;

interface Bom {
  metadata: { component: { name: string; "bom-ref": string } };
  components: { name: string; version: string; "bom-ref": string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * The bill of materials of the packages that users install, in CycloneDX by `npm sbom`. Its `--omit=dev` also omits packages that
 * both the package and its development need, so the lock file decides here which packages stay. npm names the package after its
 * folder; this sets its real name.
 */
export function billOfMaterials(name: string, packages: readonly LockedPackage[]): Bom {
  const bom = wholeBill();
  bom.metadata.component.name = name;
  const wanted = new Set(packages.map((one) => `${one.name}@${one.version}`));
  bom.components = bom.components.filter((one) => wanted.has(`${one.name}@${one.version}`));
  const kept = new Set([bom.metadata.component, ...bom.components].map((one) => one["bom-ref"]));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  return bom;
}

function wholeBill(): Bom {
  const { stdout, stderr } = npm("sbom", "--sbom-format=cyclonedx", "--sbom-type=library");
  try {
    return JSON.parse(stdout) as Bom;
  } catch {
    throw new Error(`npm sbom printed no bill of materials: ${stderr.trim().split("\n")[0]}`);
  }
}
