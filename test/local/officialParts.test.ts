import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { officialParts, preferredPlugins } from "../../local/testing/officialParts";

describe("the parts of npm run test:official", () => {
  const folder = mkdtempSync(join(tmpdir(), "official-parts-"));
  const provider = join(folder, "pulumi-resource-kubernetes");
  writeFileSync(provider, "#!/bin/sh\necho 4.33.0\n");
  chmodSync(provider, 0o755);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const engine = { command: "pulumi", version: "3.246.0", ownLanguageHost: true };

  it.each([
    ["a command on PATH", provider],
    ["a folder in Pulumi's home", folder],
  ])("are listed with their versions, next to the stand-ins: %s", (_, from) => {
    const parts = officialParts(engine, [
      { name: "aws", kind: "stand-in", from: "main.js" },
      { name: "kubernetes", kind: "official", from },
    ]);
    expect(parts).toEqual([
      "engine: Pulumi's own, 3.246.0",
      "language host of Node.js: Pulumi's own",
      "aws provider: the stand-in of local/plugins/aws",
      "kubernetes provider: Pulumi's own, 4.33.0",
    ]);
  });

  it("are preferred only by that command", () => {
    expect(preferredPlugins({})).toBe("stand-in");
    expect(preferredPlugins({ HYPERSHIFT_NETWORK_OFFICIAL: "true" })).toBe("official");
  });
});
