import { changeSummary, contradictions, countOf, REFRESH, type ChangeSummary } from "./changeSummary";
import type { InputFault } from "./inputFault";
import { isHostedCluster } from "../resources/resourceTypes";
import { BEFORE, isEngineState, type EngineState } from "./stackResource";
import { plural } from "../plural";

/** What a preview will leave behind. */
export interface Preview {
  states: EngineState[];
  /** URNs of everything that the preview shows, what it deletes among them. */
  shown: ReadonlySet<string>;
  /** How many unchanged resources it leaves out. */
  leftOut: number;
}

/** A preview, or why it cannot be judged. */
export type ReadPreview =
  { preview: Preview; fault?: undefined } | { preview?: undefined; fault: InputFault };

/** Whether a document is what `pulumi preview --json` writes. */
export const isPreview = (document: object): boolean =>
  "steps" in document || ("changeSummary" in document && "diagnostics" in document);

/** Steps after which their resource is no longer there: deletes, and the old side of replacements. */
const REMOVING: ReadonlySet<unknown> = new Set([
  "delete",
  "delete-replaced",
  "discard",
  "discard-replaced",
  "read-discard",
  "remove-pending-replace",
]);

/** Steps after which a resource is gone that the same preview has refreshed before. */
const LAST: ReadonlySet<unknown> = new Set(["delete", "discard"]);
interface Step {
  op: string;
  urn: string;
  newState?: unknown;
  oldState?: unknown;
}

/** What `pulumi preview --json` writes. */
export function readPreview(document: object, file: string): ReadPreview {
  const { steps = [], changeSummary: counts, diagnostics } = document as Record<string, unknown>;
  const entries: unknown[] = Array.isArray(steps) ? steps : [undefined];
  const failures = errorsOf(diagnostics);
  if (failures > 0)
    return fault(
      file,
      `is a preview that failed with ${plural(failures, "error")}: not all resources are in it`,
      "run pulumi preview and mend what it says first",
    );
  const summary = changeSummary(counts);
  if (!summary || !entries.every(isStep))
    return fault(file, "is a damaged preview: steps or changeSummary are missing", "write it anew");
  const ops = entries.map(({ op }) => op);
  const contradicted = contradictions(ops, summary);
  if (contradicted.length > 0)
    return fault(
      file,
      `is no whole preview, because its steps are not those that it counts: ${contradicted.join(", ")}`,
      "give what pulumi preview --json writes as it is, neither filtered nor joined with another preview",
    );
  const kept = new Map<string, EngineState>();
  const shown = new Set<string>();
  for (const { op, urn, newState, oldState } of entries) {
    shown.add(urn);
    if (LAST.has(op)) kept.delete(urn);
    if (REMOVING.has(op)) continue;
    if (!isEngineState(newState)) return damaged(file, urn, "new");
    // Large plans are large because of other resources: no more than what rules ask for is kept.
    if (!isHostedCluster(newState.type) || oldState === undefined || oldState === null)
      kept.set(urn, newState);
    else if (isEngineState(oldState)) kept.set(urn, { ...newState, [BEFORE]: oldState });
    else return damaged(file, urn, "old");
  }
  return {
    preview: { states: [...kept.values()], shown, leftOut: leftOutOf(ops, kept.size, summary) },
  };
}

/**
 * With --refresh the resources of the state come first, whatever becomes of them, and are no part of the summary: there all
 * that stay are compared.
 */
function leftOutOf(ops: readonly string[], kept: number, summary: ChangeSummary): number {
  const staying = Object.entries(summary).filter(([op]) => !REMOVING.has(op) && op !== REFRESH);
  const left = ops.includes(REFRESH)
    ? staying.reduce((sum, [, count]) => sum + count, 0) - kept
    : (summary.same ?? 0) - countOf(ops, "same");
  return Math.max(0, left);
}

/** What the engine says went wrong. Its words are not repeated: they may hold anything. */
const errorsOf = (diagnostics: unknown): number =>
  Array.isArray(diagnostics) ? diagnostics.filter((one) => isMap(one) && one.severity === "error").length : 0;

const isStep = (value: unknown): value is Step =>
  isMap(value) && typeof value.urn === "string" && typeof value.op === "string";

const damaged = (file: string, urn: string, which: "new" | "old"): ReadPreview =>
  fault(file, `is a damaged preview: ${urn} has no ${which} state that can be read`, "write it anew");

const fault = (file: string, problem: string, remedy: string): ReadPreview => ({
  fault: { file, problem, remedy },
});

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
