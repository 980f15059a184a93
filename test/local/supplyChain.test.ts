import { readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { readAudit } from "../../local/supplyChain/audit";
import {
  integrityFaults,
  KNOWN_SCRIPTS,
  ownInstallScripts,
  scriptFaults,
} from "../../local/supplyChain/installScripts";
import { ALLOWED, BY_FILE, licenceFaults, licenceTable } from "../../local/supplyChain/licences";
import { lockFileOf, productionPackages, type LockedPackage } from "../../local/supplyChain/lockedPackages";
import { billOfMaterials } from "../../local/supplyChain/npm";
import { satisfiable } from "../../local/supplyChain/spdx";

const packages = productionPackages(lockFileOf(repositoryRoot));
const named = (about: Partial<LockedPackage>): LockedPackage => ({
  folder: "node_modules/a",
  name: "a",
  version: "1.0.0",
  license: "MIT",
  hasIntegrity: true,
  hasInstallScript: false,
  ...about,
});

describe("the packages that users install", () => {
  test("include all dependencies and no development dependency", () => {
    const { dependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const names = new Set(packages.map(({ name }) => name));
    expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([]);
    expect(["jest", "oxlint", "development"].filter((name) => names.has(name))).toEqual([]);
  });

  test("have only allowed licences, and every allowed licence is in use", () => {
    expect(licenceFaults(packages)).toEqual([]);
    const said = licenceTable(packages).map(([licence]) => licence);
    expect([...ALLOWED].filter((id) => !said.some((one) => one.includes(id)))).toEqual([]);
  });

  test("have licence files that begin with the recorded text", () => {
    for (const [name, { file, begins }] of Object.entries(BY_FILE))
      expect(readFileSync(join(repositoryRoot, "node_modules", name, file), "utf8").trimStart()).toMatch(
        new RegExp(`^${begins.replace(/[()]/g, "\\$&")}`),
      );
  });

  test("run only reviewed install scripts, and have checksums", () => {
    expect([...scriptFaults(packages), ...integrityFaults(packages)]).toEqual([]);
    const running = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(running.sort()).toEqual(Object.keys(KNOWN_SCRIPTS).sort());
  });

  test("are exactly the components of the bill of materials, with their versions", () => {
    const { metadata, components, dependencies } = billOfMaterials("hypershift-network", packages);
    expect(metadata.component.name).toBe("hypershift-network");
    const identities = (all: readonly { name: string; version: string }[]) =>
      [...new Set(all.map(({ name, version }) => `${name}@${version}`))].sort();
    expect(identities(components)).toEqual(identities(packages));
    const known = new Set(components.map((one) => one["bom-ref"]));
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn.filter((one) => !known.has(one)))).toEqual([]);
  });
});

test("this package runs no install script: prepare does nothing outside a clone", () => {
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
    files: string[];
  };
  expect(ownInstallScripts(manifest)).toEqual([]);
  expect(ownInstallScripts({ scripts: { postinstall: "x", test: "y" } })).toEqual(["postinstall"]);
  expect(manifest.scripts.prepare).toContain("existsSync('tsconfig.build.json') &&");
  expect(
    manifest.files.filter((pattern) => pattern.includes("tsconfig") && !pattern.startsWith("!")),
  ).toEqual([]);
});

test.each<[string, boolean]>([
  ["MIT", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["MIT AND GPL-3.0-only", false],
  ["(MIT AND (GPL-3.0-only OR ISC))", true],
  ["GPL-3.0-only OR MIT AND GPL-2.0-only", false],
  ["Apache-2.0 WITH LLVM-exception", false],
  ["MIT OR", false],
  ["(MIT", false],
  ["MIT ISC", false],
  ["", false],
  ["UNLICENSED", false],
])("the allowed licences satisfy the expression %j: %s", (expression, isMet) => {
  expect(satisfiable(expression, (id) => ALLOWED.has(id))).toBe(isMet);
});

test("a forbidden or unknown licence, an install script and a missing checksum are faults", () => {
  expect(licenceFaults([named({ license: "GPL-3.0-only" })])).toEqual([
    expect.stringMatching(
      /^node_modules\/a 1\.0\.0 has the licence GPL-3\.0-only, .* leave the package out$/,
    ),
  ]);
  const { license: _, ...silent } = named({});
  expect(licenceFaults([silent, named({ license: "SEE LICENSE IN README" }), named({})])).toHaveLength(2);
  expect(scriptFaults([named({ hasInstallScript: true }), named({})])).toHaveLength(1);
  expect(integrityFaults([named({ hasIntegrity: false }), named({})])).toHaveLength(1);
});

describe("an audit", () => {
  test("lists vulnerable packages", () => {
    const via = [{ title: "Backtracking", url: "https://example.com/1" }, "b"];
    const output = { auditReportVersion: 2, vulnerabilities: { a: { severity: "high", range: "<2", via } } };
    expect(readAudit(JSON.stringify(output))).toEqual({
      isAnswered: true,
      vulnerable: ["a <2 high: Backtracking https://example.com/1, b"],
    });
    expect(readAudit('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({
      isAnswered: true,
      vulnerable: [],
    });
  });

  test.each<[string, string]>([
    [
      '{"message":"405 Method Not Allowed - POST https://user@mirror.example/bulk"}',
      "405 Method Not Allowed - POST the registry",
    ],
    ['{"error":{"code":"ENOLOCK","summary":""}}', "ENOLOCK"],
    ["{}", "npm audit printed no report"],
    ["", "npm audit printed no report"],
    ["null", "npm audit printed no report"],
  ])("counts as unanswered if the output is not a report: %s", (output, reason) => {
    expect(readAudit(output)).toEqual({ isAnswered: false, reason });
  });
});
