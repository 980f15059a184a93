import { spawnSync } from "node:child_process";

import { SETTINGS } from "../../src/cli/program";

describe("settings of V8 for commands", () => {
  it("are known to the V8 that runs them: it would print an error for others", () => {
    const { status, stderr } = spawnSync(process.execPath, [...SETTINGS, "-e", "0"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });
});
