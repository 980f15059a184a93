import type { Report } from "../report";

/** Somewhere a tool may come from. Sources are asked in order; the first that has the tool wins. */
export interface Source<Tool> {
  /** Where it comes from, as shown to the user: "pulumi on PATH". */
  readonly from: string;
  /** The tool, or why this source does not have it. */
  find(report: Report): Promise<Tool | Absent>;
}

/** A source does not have the tool. */
export class Absent {
  constructor(public readonly reason: string) {}
}

/** A tool and where it came from. */
export interface Found<Tool> {
  readonly tool: Tool;
  readonly from: string;
}

/** No source has a tool that a part of the session needs. */
export class ToolMissing extends Error {
  constructor(
    public readonly tool: string,
    public readonly reasons: readonly string[],
  ) {
    super(`missing: ${tool}\n${reasons.map((reason) => `  ${reason}`).join("\n")}`);
    this.name = "ToolMissing";
  }
}

/** Asks the sources of a tool in order, and says so when one tried and failed. */
export async function firstOf<Tool>(
  tool: string,
  sources: readonly Source<Tool>[],
  report: Report,
): Promise<Found<Tool>> {
  const reasons: string[] = [];
  for (const source of sources) {
    const found = await source.find(report).catch((error: unknown) => {
      // It tried and broke: whoever waits for the next source should know why.
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
