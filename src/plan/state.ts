import type { Inputs } from "./inputs";
import { readJsonDocument } from "./jsonDocument";
import { type AheadFile, bytesAhead } from "./readAhead";
import { readBytes } from "./readBytes";
import { isStackExport, readStackExport } from "./stackExport";
import type { EngineState } from "./stackResource";

/** A stack export beside a preview. */
export interface State {
  file: string;
  states: readonly EngineState[];
  /** Whether a preview needed it. */
  used: boolean;
}

/**
 * Reads the export that `--state` names; its faults go to the inputs.
 *
 * @param ahead a file that is being read already
 */
export async function readState(
  file: string,
  { faults }: Inputs,
  ahead: AheadFile | undefined,
): Promise<State | undefined> {
  const { bytes, fault } = readBytes(file, await bytesAhead(ahead, file));
  const parsed = fault ? { fault } : readJsonDocument(bytes, file);
  if (parsed.fault) {
    faults.push(parsed.fault);
    return undefined;
  }
  const { value } = parsed as { value: unknown };
  if (typeof value !== "object" || value === null || !isStackExport(value)) {
    faults.push({
      file,
      problem: "is no stack export",
      remedy: "write it with pulumi stack export --file state.json",
    });
    return undefined;
  }
  const exported = readStackExport(value, file);
  if (exported.fault) faults.push(exported.fault);
  return exported.states && { file, states: exported.states, used: false };
}
