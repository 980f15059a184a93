import { isHostedCluster } from "../resources/resourceTypes";
import { readListed } from "./jsonList";
import { readLargeJson } from "./largeJson";
import { fitsOneString, parseJson, type ParsedJson } from "./parseJson";

/**
 * A JSON document. Of previews and stack exports only what is read of them stays in memory: their old states and stack traces
 * are most of what they hold.
 */
export function readJsonDocument(bytes: Buffer, file: string): ParsedJson {
  const listed = readListed(bytes, keptOfEntry);
  if (listed) return { value: listed.document };
  return fitsOneString(bytes) ? parseJson(bytes, file) : readLargeJson(bytes, file);
}

/** What is read of an entry: a step of a preview, or the state of a resource. */
export const keptOfEntry = (entry: unknown, key: string): unknown =>
  key === "steps" ? keptOfStep(entry) : keptOfState(entry);

function keptOfStep(step: unknown): unknown {
  if (!isMap(step)) return step;
  const { op, urn, newState, oldState } = step;
  const kept = { op, urn, newState: keptOfState(newState) };
  return isMap(newState) && isHosted(newState) ? { ...kept, oldState: keptOfState(oldState) } : kept;
}

/** Fields of hosted clusters that never change are compared with what they were. */
const isHosted = ({ type }: Record<string, unknown>): boolean =>
  typeof type === "string" && isHostedCluster(type);

function keptOfState(state: unknown): unknown {
  if (!isMap(state)) return state;
  const { urn, type, id, parent, inputs, outputs, propertyDependencies, delete: isReplaced } = state;
  return { urn, type, id, parent, inputs, outputs, propertyDependencies, delete: isReplaced };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
