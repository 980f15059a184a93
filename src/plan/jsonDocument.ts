import { isHostedCluster, SECURITY_GROUPS } from "../resources/resourceTypes";
import { readListed } from "./jsonList";
import { readLargeJson } from "./largeJson";
import { lightGroup } from "./lightGroup";
import { fitsOneString, parseJson, type ParsedJson } from "./parseJson";
import { isEngineState, type EngineState } from "./stackResource";

/**
 * A JSON document. Of previews and stack exports only what is read of them stays in memory: their old states and stack traces
 * are most of what they hold.
 */
export function readJsonDocument(bytes: Buffer, file: string): ParsedJson {
  const listed = readListed(bytes, (entry, key, again) => keptOfEntry(entry, key, file, again));
  if (listed) return { value: listed.document };
  return fitsOneString(bytes) ? parseJson(bytes, file) : readLargeJson(bytes, file);
}

/** What is read of an entry: a step of a preview, or the state of a resource. */
export const keptOfEntry = (entry: unknown, key: string, file: string, again: () => unknown): unknown =>
  key === "steps" ? keptOfStep(entry, file, again) : keptOfState(entry, file, again);

function keptOfStep(step: unknown, file: string, again: () => unknown): unknown {
  if (!isMap(step)) return step;
  const { op, urn, newState, oldState } = step;
  const kept = {
    op,
    urn,
    newState: keptOfState(newState, file, () => (again() as { newState: unknown }).newState),
  };
  return isMap(newState) && isHosted(newState) ? { ...kept, oldState: fieldsOf(oldState) } : kept;
}

/** Fields of hosted clusters that never change are compared with what they were. */
const isHosted = ({ type }: Record<string, unknown>): boolean =>
  typeof type === "string" && isHostedCluster(type);

/** A group of many rules leaves its rules in the file. */
const keptOfState = (state: unknown, file: string, again: () => unknown): unknown =>
  isEngineState(state) && SECURITY_GROUPS.has(state.type)
    ? lightGroup(state, file, again as () => EngineState)
    : fieldsOf(state);

function fieldsOf(state: unknown): unknown {
  if (!isMap(state)) return state;
  const { urn, type, id, parent, inputs, outputs, propertyDependencies, delete: isReplaced } = state;
  return { urn, type, id, parent, inputs, outputs, propertyDependencies, delete: isReplaced };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
