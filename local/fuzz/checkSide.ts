import { check } from "../../src/cli/check";
import { Progress, type Terminal } from "../../src/cli/terminal";
import { FailOn, Format, type GroupBy } from "../../src/report";
import { describeFinding, Status, type Finding } from "../../src/gate/rule";
import type { Checked, Said } from "./outcome";

/** Runs `check` on an input that it reads from standard input. */
export async function checked(text: string, config: string | undefined): Promise<Checked> {
  let out = "";
  let error = "";
  const terminal: Terminal = {
    out: (more) => void (out += more),
    error: (more) => void (error += more),
    stdin: onlyChunk(text),
    colors: false,
    isWatched: false,
    now: () => 0,
  };
  const status = await check(
    ["-"],
    {
      ...(config !== undefined && { config }),
      format: Format.Json,
      failOn: FailOn.Refuted,
      groupBy: "rule" as GroupBy,
    },
    terminal,
    new Progress(terminal),
  );
  const report = (out === "" ? {} : JSON.parse(out)) as { findings?: Finding[]; notes?: string[] };
  return {
    status,
    said: (report.findings ?? []).map(saidOf),
    notes: report.notes ?? [],
    faults: out === "" ? error.split("\n").filter(Boolean) : [],
  };
}

// An async iterable that awaits nothing real.
async function* onlyChunk(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

const saidOf = (finding: Finding): Said => ({
  rule: finding.rule,
  level: finding.level,
  status: finding.status === Status.Unknown ? "unknown" : "violated",
  urn: finding.resource.urn ?? "",
  path: finding.path,
  text: describeFinding(finding).join("\n"),
});
