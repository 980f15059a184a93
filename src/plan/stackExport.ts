import { pushAll, isRecord } from "../collections";
import { plural } from "../text";
import type { InputFault, Inputs } from "./inputs";
import {
  asOthers,
  type EngineState,
  fates,
  isDefaultProvider,
  isEngineState,
  isStanding,
} from "./stackResource";
import { readJsonDocument } from "./jsonDocument";
import { type AheadFile, bytesAhead } from "./readAhead";
import { readBytes } from "./files";

/** The resources of a deployed stack with notes about them, or why they cannot be read. */
export type StackExport =
  | { states: EngineState[]; retained: EngineState[]; notes: string[]; fault?: undefined }
  | { states?: undefined; retained?: undefined; notes?: undefined; fault: InputFault };

/** Whether a document is the output of `pulumi stack export`, or a checkpoint of a file backend. Other files have deployments too. */
export const isStackExport = (document: object): boolean =>
  "version" in document &&
  ("checkpoint" in document || ("deployment" in document && isRecord(document.deployment)));

/** Format versions that have resources in this shape. */
const VERSIONS: readonly unknown[] = [3, 4];

/**
 * Reads the output of `pulumi stack export`. Leaves out resources that wait for their deletion, or are deleted and wait to be created
 * again; `retained` has those of them that the cloud keeps when the stack lets them go.
 */
export function readStackExport(document: object, file: string): StackExport {
  const { version, deployment, checkpoint } = document as Record<string, unknown>;
  if (!VERSIONS.includes(version))
    return fault(file, "is a stack export of an unknown version", "export it with a current Pulumi");
  const latest = isRecord(deployment) ? deployment : isRecord(checkpoint) ? checkpoint.latest : undefined;
  const { resources = [], pending_operations: pending } = isRecord(latest) ? latest : {};
  const entries: unknown[] = Array.isArray(resources) ? resources : [undefined];
  if (latest === undefined || !entries.every(isEngineState))
    return fault(
      file,
      "is a damaged stack export: not every resource has URN, type and properties",
      "export it again",
    );
  const states = entries.filter((state) => isStanding(state) && !isDefaultProvider(state));
  const { retained } = fates(entries.filter((state) => state.delete === true));
  return {
    states,
    retained: asOthers(retained, states),
    notes: Array.isArray(pending) && pending.length > 0 ? [interrupted(pending.length, file)] : [],
  };
}

const interrupted = (count: number, file: string): string =>
  `${file}: an update was interrupted: the outcome of ${plural(count, "operation")} is not in the export; run pulumi refresh and export the stack again`;

const fault = (file: string, problem: string, remedy: string): StackExport => ({
  fault: { file, problem, remedy },
});

/** A stack export given with a preview. */
export interface State {
  file: string;
  states: readonly EngineState[];
  /** Whether a preview needed it. */
  used: boolean;
}

/**
 * Reads the export that `--state` names, and adds its faults to the inputs.
 *
 * @param ahead a file that is already being read
 */
export async function readState(
  file: string,
  { faults, notes }: Inputs,
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
      problem: "is not a stack export",
      remedy: "write it with pulumi stack export --file state.json",
    });
    return undefined;
  }
  const exported = readStackExport(value, file);
  if (exported.fault) faults.push(exported.fault);
  else pushAll(notes, exported.notes);
  return exported.states && { file, states: exported.states, used: false };
}
