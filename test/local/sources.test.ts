import { silent, type Report } from "../../local/report";
import { Absent, firstOf, ToolMissing, type Source } from "../../local/toolchain/sources";

const has = (from: string): Source<string> => ({ from, find: () => Promise.resolve(`tool of ${from}`) });
const lacks = (from: string, reason: string): Source<string> => ({
  from,
  find: () => Promise.resolve(new Absent(reason)),
});
const fails = (from: string, reason: string): Source<string> => ({
  from,
  find: () => Promise.reject(new Error(reason)),
});

describe("the sources of a tool", () => {
  test("the first source that has the tool is used, and later ones are not tried", async () => {
    const asked: string[] = [];
    const never: Source<string> = {
      from: "built here",
      find: () => Promise.resolve(asked.push("built") + ""),
    };
    const found = await firstOf("pulumi", [lacks("PATH", "there is none"), has("cache"), never], silent);
    expect(found).toEqual({ tool: "tool of cache", from: "cache" });
    expect(asked).toEqual([]);
  });

  test("a source that fails is skipped", async () => {
    const found = await firstOf("pulumi", [fails("installer", "no answer"), has("built here")], silent);
    expect(found.from).toBe("built here");
  });

  test("the reason of a skipped source is shown", async () => {
    const lines: string[] = [];
    const report: Report = { ...silent, say: (line) => lines.push(line) };
    await firstOf("pulumi", [fails("installer", "download broke off"), has("built here")], report);
    expect(lines).toEqual(["pulumi, installer: download broke off"]);
  });

  test("if no source has the tool, the error names every source and its reason", async () => {
    const sources = [lacks("PATH", "there is none"), fails("Go module", "no `go` on PATH")];
    const error = await firstOf("pulumi", sources, silent).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolMissing);
    expect((error as Error).message).toBe(
      "missing: pulumi\n  PATH: there is none\n  Go module: no `go` on PATH",
    );
  });
});
