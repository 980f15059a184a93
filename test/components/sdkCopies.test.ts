import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { secondCopies } from "../../src/components/sdkCopies";

describe("a second copy of an SDK", () => {
  const root = mkdtempSync(join(tmpdir(), "sdk-copies-"));
  const own = join(root, "node_modules", "hypershift-network");
  const install = (folder: string, name: string, version: string) => {
    const at = join(folder, "node_modules", name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, "package.json"), JSON.stringify({ name, version }));
  };
  const all = () => true;
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("is not reported if program and package share one copy", () => {
    mkdirSync(own, { recursive: true });
    install(root, "@pulumi/pulumi", "3.246.0");
    install(root, "@pulumi/aws", "7.48.0");
    expect(secondCopies(root, own, all)).toEqual([]);
  });

  it("is reported with both versions and the fix", () => {
    install(own, "@pulumi/aws", "7.2.0");
    expect(secondCopies(root, own, all)).toEqual([
      "@pulumi/aws is installed twice: 7.48.0 for the program, 7.2.0 for hypershift-network: write a version that both allow, then run npm dedupe",
    ]);
  });

  it("of the same version is reported with its folder", () => {
    install(own, "@pulumi/aws", "7.48.0");
    expect(secondCopies(root, own, all)).toEqual([
      `@pulumi/aws is installed twice: 7.48.0 for the program, and again in ${realpathSync(join(own, "node_modules", "@pulumi/aws"))} for hypershift-network: delete that folder`,
    ]);
    install(own, "@pulumi/aws", "7.2.0");
  });

  it("is not reported in a process that does not run the program, such as a provider", () => {
    expect(secondCopies(root, own, () => false)).toEqual([]);
  });

  it("is not reported if a folder is linked", () => {
    const linked = join(root, "elsewhere");
    mkdirSync(join(linked, "node_modules"), { recursive: true });
    symlinkSync(join(root, "node_modules", "@pulumi"), join(linked, "node_modules", "@pulumi"));
    rmSync(join(own, "node_modules"), { recursive: true });
    expect(secondCopies(linked, own, all)).toEqual([]);
  });
});
