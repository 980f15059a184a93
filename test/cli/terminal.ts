import { program } from "../../src/cli/program";
import type { Terminal } from "../../src/cli/terminal";

/** What a user sees of one call. */
export interface Call {
  status: number;
  out: string;
  error: string;
}

/** Calls the command line in this process. */
export async function call(args: readonly string[], settings: Partial<Terminal> = {}): Promise<Call> {
  const seen = { out: "", error: "" };
  const status = await program({
    out: (text) => void (seen.out += text),
    error: (text) => void (seen.error += text),
    stdin: (async function* () {})(),
    colors: false,
    isWatched: false,
    now: () => 0,
    ...settings,
  }).run(args);
  return { status, ...seen };
}

/** Standard input with a text. */
export const typed = (text: string): Terminal["stdin"] =>
  (async function* () {
    yield await Promise.resolve(Buffer.from(text));
  })();
