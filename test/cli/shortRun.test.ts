import { spawnSync } from "node:child_process";

import { SETTINGS } from "../../src/cli/program";
import { wantsColors } from "../../src/cli/terminal";

describe("V8 settings for commands", () => {
  it("are known to the running V8, which prints an error for unknown ones", () => {
    const { status, stderr } = spawnSync(process.execPath, [...SETTINGS, "-e", "0"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
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
