import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { repositoryRoot } from "../repository";
import { readAudit } from "../supplyChain/audit";
import {
  integrityFaults,
  KNOWN_SCRIPTS,
  ownInstallScripts,
  scriptFaults,
} from "../supplyChain/installScripts";
import { licenceFaults, licenceTable } from "../supplyChain/licences";
import { lockFileOf, productionPackages } from "../supplyChain/lockedPackages";
import { auditOutput, billOfMaterials } from "../supplyChain/npm";
import { exitWith } from "./exit";

const HELP = `npm run supply-chain [-- --sbom FILE]

Lists the licences of every package that users get with this one, by package-lock.json, and fails on one that is not known or not
allowed, on a script at install that nobody has read, and on a package without a checksum. Asks the registry for known
vulnerabilities; a registry that does not answer is said, and is no success.

  --sbom FILE   writes the bill of materials (CycloneDX, by npm sbom) into FILE, - for standard output

Exit status: 0 all of it holds, 1 something does not, 2 wrong usage, 3 all that could be asked holds, but the registry did not answer.`;

const [HOLDS, FAULTS, USAGE, NOT_ASKED] = [0, 1, 2, 3];

function main(args: string[]): number {
  const options = optionsOf(args);
  if (typeof options === "string") {
    console.error(`${options}\n\n${HELP}`);
    return USAGE;
  }
  if (options.help) {
    console.log(HELP);
    return HOLDS;
  }
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
    name: string;
    scripts: Record<string, string>;
  };
  const packages = productionPackages(lockFileOf(repositoryRoot));
  if (options.sbom !== undefined) {
    const text = `${JSON.stringify(billOfMaterials(manifest.name, packages), undefined, 2)}\n`;
    if (options.sbom === "-") process.stdout.write(text);
    else writeFileSync(options.sbom, text);
  }
  const audit = readAudit(auditOutput());
  const faults = [
    ...licenceFaults(packages),
    ...scriptFaults(packages),
    ...integrityFaults(packages),
    ...ownInstallScripts(manifest).map(
      (name) => `package.json has the script ${name}, which runs where users install it`,
    ),
    ...(audit.isAnswered ? audit.vulnerable : []),
  ];
  const say = (line: string) => console.error(line);
  say(`${packages.length} packages`);
  for (const [licence, count] of licenceTable(packages)) say(`${String(count).padStart(5)}  ${licence}`);
  say(`scripts at install: ${Object.keys(KNOWN_SCRIPTS).join(", ")}, which were read`);
  say(
    audit.isAnswered
      ? `vulnerabilities known: ${audit.vulnerable.length}`
      : `vulnerabilities: NOT asked, ${audit.reason}`,
  );
  for (const fault of faults) say(fault);
  say(`${faults.length} faults, ${audit.isAnswered ? 0 : 1} not asked`);
  return faults.length > 0 ? FAULTS : audit.isAnswered ? HOLDS : NOT_ASKED;
}

function optionsOf(args: string[]): { sbom?: string; help?: boolean } | string {
  try {
    return parseArgs({ args, options: { sbom: { type: "string" }, help: { type: "boolean" } } }).values;
  } catch (error) {
    return (error as Error).message;
  }
}

exitWith(Promise.resolve().then(() => main(process.argv.slice(2))));
