import type { Report } from "../report";

/** A place that a tool may come from. Sources are tried in order; the first that has the tool wins. */
export interface Source<Tool> {
  /** Description for the user: "pulumi on PATH". */
  readonly from: string;
  /** Returns the tool, or why this source does not have it. */
  find(report: Report): Promise<Tool | Absent>;
}

/** Returned by a source that does not have the tool. */
export class Absent {
  constructor(public readonly reason: string) {}
}

/** A tool and where it came from. */
export interface Found<Tool> {
  readonly tool: Tool;
  readonly from: string;
}

/** Thrown if no source has a tool that the session needs. */
export class ToolMissing extends Error {
  constructor(
    public readonly tool: string,
    public readonly reasons: readonly string[],
  ) {
    super(`missing: ${tool}\n${reasons.map((reason) => `  ${reason}`).join("\n")}`);
    this.name = "ToolMissing";
  }
}

/** Tries the sources of a tool in order, and reports every source that failed with an error. */
export async function firstOf<Tool>(
  tool: string,
  sources: readonly Source<Tool>[],
  report: Report,
): Promise<Found<Tool>> {
  const reasons: string[] = [];
  for (const source of sources) {
    const found = await source.find(report).catch((error: unknown) => {
      // The user who waits for the next source should know why this one failed.
      report.say(`${tool}, ${source.from}: ${messageOf(error)}`);
      return new Absent(messageOf(error));
    });
    if (!(found instanceof Absent)) {
      return { tool: found, from: source.from };
    }
    reasons.push(`${source.from}: ${found.reason}`);
  }
  throw new ToolMissing(tool, reasons);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
