import { spawnSync } from "node:child_process";

import { settingsOf } from "../../src/cli/program";
import { wantsColors } from "../../src/cli/terminal";

describe("V8 settings for commands", () => {
  it("are known to the running V8, which prints an error for unknown ones", () => {
    const settings = settingsOf(process.versions.v8);
    const { status, stderr } = spawnSync(process.execPath, [...settings, "-e", "0"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  it.each([
    ["11.3.244.8-node.33", true],
    ["12.4.254.21-node.33", false],
    ["13.6.233.10-node.28", false],
  ])("of V8 %s include the budget of interrupts: %s", (v8, hasBudget) => {
    expect(settingsOf(v8).some((setting) => setting.startsWith("--interrupt-budget"))).toBe(hasBudget);
  });
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: "dumb" }, true, false],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "true", TERM: "dumb" }, false, true],
  [{ FORCE_COLOR: "" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "0" }, false, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "false" }, false, false],
])(
  "whether output is colored depends on the environment %j and on whether it is a terminal: %s",
  (environment, isTerminal, expected) => {
    expect(wantsColors(environment, isTerminal)).toBe(expected);
  },
);
