import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mutationText, type MutationScore, scoreOf, withScores } from "../../local/mutationScores";

const mutants = (...all: [string, string][]) => ({
  mutants: all.map(([mutatorName, status]) => ({ mutatorName, status })),
});
const path: MutationScore = {
  folder: "reachability/path",
  measured: "2026-11-30",
  noticed: 95,
  survived: { Regex: 5 },
  unreached: 0,
};

describe("mutation scores", () => {
  test("count noticed mutants, survivors by kind, and mutants that no test reached", () => {
    const files = {
      "src/egressIp/judge.ts": mutants(
        ["StringLiteral", "Survived"],
        ["Regex", "Killed"],
        ["Regex", "Ignored"],
      ),
      "src/egressIp/rules.ts": mutants(
        ["StringLiteral", "Survived"],
        ["BlockStatement", "NoCoverage"],
        ["UpdateOperator", "Timeout"],
      ),
    };
    const measured = "2026-11-30";
    const score = { folder: "egressIp", measured, noticed: 2, survived: { StringLiteral: 2 }, unreached: 1 };
    expect(scoreOf("egressIp", { files }, measured)).toEqual(score);
    expect(scoreOf("egressIp", { files }, measured, 8)).toEqual({ ...score, oneIn: 8 });
  });

  test("of folders that were not run again are kept", () => {
    const former = { ...path, noticed: 1 };
    const other = { ...path, folder: "address" };
    expect(withScores([former], [other, path])).toEqual([other, path]);
    expect(withScores([path], [])).toEqual([path]);
  });

  test("are shown in a table that marks scores below the goal", () => {
    const low = {
      folder: "egressIp",
      measured: "2026-11-28",
      noticed: 8,
      survived: { StringLiteral: 1, NewKind: 2 },
      unreached: 1,
      oneIn: 8,
    };
    const lines = mutationText([path, low]).split("\n");
    const cells = lines
      .filter((line) => line.startsWith("| src/"))
      .map((line) => line.split(/ *\| */).slice(1, -1));
    expect(cells).toEqual([
      ["src/reachability/path", "100", "95", "5", "0", "95.0 %", "regular expressions 5", "2026-11-30"],
      [
        "src/egressIp",
        "12, one in 8",
        "8",
        "3",
        "1",
        "66.7 % (**below**)",
        "NewKind 2, texts 1",
        "2026-11-28",
      ],
    ]);
  });

  test("of the repository match docs/mutation.md", () => {
    const file = (...names: string[]) => readFileSync(join(__dirname, "..", "..", ...names), "utf8");
    const scores = JSON.parse(file("test", "mutation", "scores.json")) as MutationScore[];
    expect(file("docs", "mutation.md")).toBe(mutationText(scores));
  });
});
