import { ENTRY } from "./scan/entryPlaces";
import type { JsonBytes, ByteSpan } from "./scan/jsonBytes";
import { PLACE, placeAt } from "./scan/jsonMembers";
import type { Direction } from "../requirements/vocabulary";
import { nameInUrn, type PropertyValue, type Resource } from "../resources/resource";
import { lateList } from "../collections";
import { hasSharedLists } from "../gate/readBack";
import { rememberFacts } from "../gate/securityGroupRules";
import type { Secrets } from "./engineValue";
import { DIRECTIONS, listAt, type PlainList, withoutLists } from "./scan/groupLists";
import { dependencies, type EngineState, MadeState, providerOf, stackResource } from "./stackResource";
import { isKubernetes } from "../resources/resourceTypes";

const PARTS = ["provider", "inputs", "outputs", "propertyDependencies"] as const;
const WIDTH = PLACE * PARTS.length;

/** A part of a state that is parsed when it is first read. */
export type StatePart = (typeof PARTS)[number];

/**
 * The unparsed parts of many states. Their places are in one list of numbers, because an object for each place would take
 * more memory than the resources.
 */
export class StateParts {
  #numbers = new Int32Array(WIDTH * 1024);
  #count = 0;

  constructor(private readonly json: JsonBytes) {}

  /** Keeps the places of the parts of an entry, and returns a handle to them. */
  keep(entry: Int32Array): number {
    const first = WIDTH * this.#count++;
    if (first === this.#numbers.length) {
      const longer = new Int32Array(2 * first);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    for (let part = 0; part < PARTS.length; part++) {
      const found = ENTRY[PARTS[part]!];
      this.#numbers[first + PLACE * part] = entry[found]!;
      this.#numbers[first + PLACE * part + 1] = entry[found + 1]!;
    }
    return first;
  }

  /** A part of a state, parsed anew each time; undefined if it has none. */
  parsed(kept: number, part: StatePart): unknown {
    const place = this.#placeOf(kept, part);
    return place && this.json.parsed(place);
  }

  /** Whether a state has no such part, or an empty one. */
  isEmpty(kept: number, part: StatePart): boolean {
    const place = this.#placeOf(kept, part);
    return !place || this.json.isEmpty(place);
  }

  #placeOf(kept: number, part: StatePart): ByteSpan | undefined {
    return placeAt(this.#numbers, kept + PLACE * PARTS.indexOf(part));
  }
}

/** The state of a security group whose parts are not parsed yet. */
export interface GroupState {
  /** The rest of the state, to which the parts are added. */
  state: EngineState;
  place: ByteSpan;
  /** The numbers that were found for the entry of the state. */
  numbers: Int32Array;
}

/** Plain lists of rules, by direction. */
type PlainLists = readonly (PlainList | undefined)[];

/** Shorter lists are parsed at once: a reference back to them takes as much memory. */
const SHORT = 8;

/**
 * A security group whose lists of rules are parsed on first access. Most bytes of large plans are rules of groups that
 * belong to no hosted cluster, and what is needed of every group is known without the rules. Undefined if the whole state
 * has to be parsed.
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
  const without = (properties: ByteSpan | undefined, lists: PlainLists): unknown =>
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

/** Whether a property is an empty list; marks of the engine may turn it into something else. */
const isEmptyList = (value: PropertyValue | undefined): boolean => Array.isArray(value) && value.length === 0;

/**
 * A resource whose parts are parsed on first access, because no rule reads most resources of a large stack. A class,
 * because objects with getters of their own would each have a hidden class of their own.
 */
export class LateResource implements Resource {
  readonly origin: Resource["origin"];
  readonly type: string;
  readonly name: string;
  declare readonly parent?: string;
  declare readonly isRead?: true;
  declare readonly secrets?: readonly string[];
  readonly #parts: StateParts;
  readonly #kept: number;
  readonly #id: unknown;
  #properties: Resource["properties"] | undefined;
  readonly #made: Pick<Resource, "inputs"> | undefined;
  #sources: { made: Resource["propertyDependencies"] } | undefined;
  #provider: { made: Resource["provider"] } | undefined;

  /**
   * @param kept the handle to its parts
   * @param state the state without the parts
   * @param made properties and inputs, if they are known already; without it the state must hold no secrets, which would
   * have to be counted
   */
  constructor(
    parts: StateParts,
    kept: number,
    { urn, type, id, parent, external }: EngineState,
    file: string,
    made?: Pick<Resource, "properties" | "inputs" | "secrets">,
  ) {
    this.#parts = parts;
    this.#kept = kept;
    this.#id = id;
    this.origin = { urn, file };
    this.type = type;
    this.name = nameInUrn(urn);
    if (typeof parent === "string") this.parent = parent;
    if (external === true) this.isRead = true;
    if (made?.secrets) this.secrets = made.secrets;
    this.#properties = made?.properties;
    this.#made = made;
  }

  get properties(): Resource["properties"] {
    return (this.#properties ??= this.#whole().properties);
  }

  get propertyDependencies(): Resource["propertyDependencies"] {
    return (this.#sources ??= { made: dependencies(this.#parsed("propertyDependencies")) }).made;
  }

  get inputs(): Resource["properties"] | undefined {
    if (this.#made) return this.#made.inputs;
    const areAsked = isKubernetes(this.type) || hasSharedLists(this.type);
    return areAsked && !this.#parts.isEmpty(this.#kept, "outputs") ? this.#whole().inputs : undefined;
  }

  get provider(): string | undefined {
    return (this.#provider ??= { made: this.#readProvider() }).made;
  }

  #readProvider(): string | undefined {
    const provider = isKubernetes(this.type) ? this.#parsed("provider") : undefined;
    return typeof provider === "string" ? providerOf(provider) : undefined;
  }

  #whole(): Resource {
    const { urn = "", file = "" } = this.origin;
    const [inputs, outputs] = [this.#parsed("inputs"), this.#parsed("outputs")];
    return stackResource({ urn, type: this.type, id: this.#id, inputs, outputs }, file, { count: 0 });
  }

  #parsed(part: StatePart): unknown {
    return this.#parts.parsed(this.#kept, part);
  }
}
