import type { Direction } from "../requirements/vocabulary";
import type { PropertyValue } from "../resources/resource";
import { rememberFacts } from "../gate/inlineFacts";
import type { Secrets } from "./engineValue";
import { ENTRY } from "./scan/entryPlaces";
import { DIRECTIONS, listAt, withoutLists, type PlainList } from "./scan/groupLists";
import { lateList } from "./lateList";
import { LateResource } from "./lateResource";
import type { JsonBytes, Place } from "./scan/jsonBytes";
import { placeAt } from "./scan/jsonMembers";
import { MadeState, stackResource, type EngineState } from "./stackResource";
import type { StateParts } from "./stateParts";

/** The state of a security group of which no part is parsed yet. */
export interface GroupState {
  /** The rest of the state; the parts are put in. */
  state: EngineState;
  place: Place;
  /** What was found of the entry that the state is in. */
  numbers: Int32Array;
}

/** By direction. */
type PlainLists = readonly (PlainList | undefined)[];

/** Shorter lists stay: what leads back to them takes as much memory. */
const SHORT = 8;

/**
 * A security group without its lists of rules, which are parsed when somebody looks at them. Most bytes of large plans are
 * rules of groups that have to do with no hosted cluster: what every group is asked is known without. Undefined where all
 * of it has to be parsed.
 */
export function lightGroup(
  json: JsonBytes,
  { state, place, numbers }: GroupState,
  parts: StateParts,
  file: string,
): EngineState | undefined {
  const [inputs, outputs] = [ENTRY.inputs, ENTRY.outputs].map((position) => placeAt(numbers, position));
  const listsAt = (position: number): PlainLists =>
    DIRECTIONS.map((direction) => listAt(numbers, position, direction));
  const [ofInputs, ofOutputs] = [listsAt(ENTRY.inputLists), listsAt(ENTRY.outputLists)];
  const shown = !outputs || json.isEmpty(outputs) ? ofInputs : ofOutputs;
  const long = DIRECTIONS.flatMap((direction, position) => {
    const list = shown[position];
    return list && list.count >= SHORT ? [{ direction, position, facts: list.facts }] : [];
  });
  if (long.length === 0) return undefined;
  const without = (properties: Place | undefined, lists: PlainLists): unknown =>
    properties &&
    withoutLists(
      json,
      properties,
      long.flatMap(({ position }) => lists[position] ?? []),
    );
  const secrets: Secrets = { count: 0 };
  const light = {
    ...state,
    inputs: without(inputs, ofInputs),
    outputs: without(outputs, ofOutputs),
  };
  const made = stackResource(light, file, secrets);
  const properties = made.properties as Record<string, PropertyValue>;
  if (!long.every(({ direction }) => isEmptyList(properties[direction]))) return undefined;
  const resource = new LateResource(parts, parts.keep(numbers), state, file, made);
  const rest = new Map<Direction, readonly PropertyValue[]>();
  const parse = (): void => {
    const whole = stackResource(json.parsed(place) as EngineState, file, { count: 0 });
    for (const { direction } of long)
      rest.set(direction, whole.properties[direction] as readonly PropertyValue[]);
  };
  for (const { direction, facts } of long) {
    properties[direction] = lateList(() => {
      if (rest.size === 0) parse();
      return rest.get(direction)!;
    });
    rememberFacts(resource, direction, facts);
  }
  return new MadeState(state, resource, secrets.count);
}

/** Marks may turn properties into something else. */
const isEmptyList = (value: PropertyValue | undefined): boolean => Array.isArray(value) && value.length === 0;
