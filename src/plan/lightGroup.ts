import type { Direction } from "../requirements/vocabulary";
import type { PropertyValue } from "../resources/resource";
import { rememberFacts } from "../rules/inlineFacts";
import type { Secrets } from "./engineValue";
import { DIRECTIONS, withoutLists, type Lists } from "./groupLists";
import { lateList } from "./lateList";
import type { JsonBytes, Place } from "./jsonBytes";
import { MADE, stackResource, type EngineState } from "./stackResource";

/** The state of a security group whose inputs and outputs are not parsed yet. */
export interface GroupState {
  /** The rest of the state; both are put in. */
  state: EngineState;
  place: Place;
  inputs: Properties | undefined;
  outputs: Properties | undefined;
}

/** Where inputs or outputs are, and their lists of rules. */
export interface Properties {
  place: Place;
  lists: Lists | undefined;
}

/** Shorter lists stay: what leads back to them takes as much memory. */
const SHORT = 8;

/**
 * A security group without its lists of rules, which are parsed when somebody looks at them. Most bytes of large plans are
 * rules of groups that have to do with no hosted cluster: what every group is asked is known without. Undefined where all
 * of it has to be parsed.
 */
export function lightGroup(json: JsonBytes, group: GroupState, file: string): EngineState | undefined {
  const { state, place, inputs, outputs } = group;
  const shown = (!outputs || json.isEmpty(outputs.place) ? inputs : outputs)?.lists?.plain;
  const long = DIRECTIONS.filter((direction) => (shown?.[direction]?.count ?? 0) >= SHORT);
  if (!shown || long.length === 0) return undefined;
  const without = (properties: Properties | undefined): unknown =>
    properties &&
    withoutLists(
      json,
      properties.place,
      long.flatMap((direction) => properties.lists?.plain[direction] ?? []),
    );
  const secrets: Secrets = { count: 0 };
  state.inputs = without(inputs);
  state.outputs = without(outputs);
  const resource = stackResource(state, file, secrets);
  if (!long.every((direction) => isEmptyList(resource.properties[direction]))) return undefined;
  const rest = new Map<Direction, readonly PropertyValue[]>();
  const parse = (): void => {
    const { properties } = stackResource(json.parsed(place) as EngineState, file, { count: 0 });
    for (const direction of long) rest.set(direction, properties[direction] as readonly PropertyValue[]);
  };
  const properties = resource.properties as Record<string, PropertyValue>;
  for (const direction of long) {
    properties[direction] = lateList(() => {
      if (rest.size === 0) parse();
      return rest.get(direction)!;
    });
    rememberFacts(resource, direction, shown[direction]!.facts);
  }
  return { urn: state.urn, type: state.type, delete: state.delete, [MADE]: { resource, secrets } };
}

/** Marks may turn properties into something else. */
const isEmptyList = (value: PropertyValue | undefined): boolean => Array.isArray(value) && value.length === 0;
