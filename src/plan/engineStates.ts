import { hasImmutableFields, SECURITY_GROUPS } from "../resources/resourceTypes";
import { ENTRY, type ListKey } from "./scan/entryPlaces";
import { DIRECTIONS, listAt } from "./scan/groupLists";
import type { JsonBytes } from "./scan/jsonBytes";
import { placeAt } from "./scan/jsonMembers";
import { LateResource, lightGroup, StateParts } from "./lateResource";
import { isOldStateRead, isProviderCompared, keepsId, keepsOutputs } from "./preview";
import { isEngineState, MadeState } from "./stackResource";

/** Builds steps and states, in the form of previews and stack exports, from the places of their parts. */
export class EngineStates {
  readonly #texts: RepeatedTexts;
  readonly #parts: StateParts;

  constructor(
    private readonly json: JsonBytes,
    private readonly key: ListKey,
    private readonly file: string,
  ) {
    this.#texts = new RepeatedTexts(json);
    this.#parts = new StateParts(json);
  }

  /** The parts of an entry that are read. */
  value(numbers: Int32Array): unknown {
    return this.key === "steps" ? this.#step(numbers) : this.#state(numbers);
  }

  /** The parts of a preview step that are read, the old state only if it is needed. */
  #step(numbers: Int32Array): unknown {
    const op = this.#at(numbers, ENTRY.op);
    const step = {
      op,
      urn: this.#at(numbers, ENTRY.stepUrn),
      newState: this.#state(numbers, op),
    };
    const oldState = placeAt(numbers, ENTRY.oldState);
    const isRead = isOldStateRead(step, placeAt(numbers, ENTRY.oldId) !== undefined);
    return oldState && isRead ? { ...step, oldState: this.json.parsed(oldState) } : step;
  }

  /**
   * The parts of the state of a resource that are read.
   *
   * @param op the kind of step that leads to the state
   */
  #state(numbers: Int32Array, op?: unknown): unknown {
    const { json, file } = this;
    const parts = this.#parts;
    const place = placeAt(numbers, ENTRY.newState);
    if (!place) return undefined;
    // A state is parsed as it is if it is not an object, or if its properties are not.
    const places = [place, placeAt(numbers, ENTRY.inputs), placeAt(numbers, ENTRY.outputs)];
    if (places.some((one) => one && !json.isObject(one.from))) return json.parsed(place);
    const at = (position: number): unknown => this.#at(numbers, position);
    const state = {
      urn: at(ENTRY.urn),
      type: at(ENTRY.type),
      id: at(numbers[ENTRY.id] === 0 && keepsId(op) ? ENTRY.oldId : ENTRY.id),
      parent: at(ENTRY.parent),
      provider: undefined as unknown,
      inputs: undefined as unknown,
      outputs: undefined as unknown,
      propertyDependencies: undefined as unknown,
      delete: at(ENTRY.isReplaced),
      pendingReplacement: at(ENTRY.isAwaited),
      external: at(ENTRY.isRead),
    };
    // More fields decide whether the cloud keeps a resource that waits for its deletion. Plans have few of these.
    if (state.delete === true) return json.parsed(place);
    const hasOutputs = numbers[ENTRY.outputs] !== 0;
    const isUnseen = state.external === true && !hasOutputs;
    const isState = isEngineState(state);
    const isGroup = isState && SECURITY_GROUPS.has(state.type);
    const setsLists =
      isGroup && DIRECTIONS.every((direction) => listAt(numbers, ENTRY.inputLists, direction) !== undefined);
    if (isState && !isUnseen && (hasOutputs || !keepsOutputs(op, state, setsLists))) {
      const light = isGroup ? lightGroup(json, { state, place, numbers }, parts, file) : undefined;
      if (light) return light;
      const hasNoSecret = numbers[ENTRY.mayHoldSecret] === 0;
      // The old state of an object with immutable fields is added to the new state.
      const isCompared = hasImmutableFields(state.type) || isProviderCompared(op, state.type);
      if (hasNoSecret && !isCompared)
        return new MadeState(state, new LateResource(parts, parts.keep(numbers), state, file), 0);
    }
    state.provider = at(ENTRY.provider);
    state.inputs = at(ENTRY.inputs);
    state.outputs = at(ENTRY.outputs);
    state.propertyDependencies = at(ENTRY.propertyDependencies);
    return state;
  }

  #at(numbers: Int32Array, position: number): unknown {
    const from = numbers[position]!;
    return from === 0 ? undefined : this.#texts.at(from, numbers[position + 1]!);
  }
}

const QUOTE = 0x22;
/** A power of two, larger than the number of resource types in a plan. */
const SLOTS = 256;

/**
 * Parses values that are often the same text: types, parents, and URNs, which a preview writes twice. Equal texts share
 * one string, which takes neither time nor memory again.
 */
export class RepeatedTexts {
  readonly #from = new Int32Array(SLOTS);
  readonly #to = new Int32Array(SLOTS);
  readonly #values = new Array<unknown>(SLOTS).fill(undefined);

  constructor(private readonly json: JsonBytes) {}

  /** Parses the value between two positions. */
  at(from: number, to: number): unknown {
    const { bytes } = this.json;
    if (bytes[from] !== QUOTE) return this.json.parsed({ from, to });
    const slot = slotOf(bytes, from, to);
    if (!areAlike(bytes, from, this.#from[slot]!, to - from, this.#to[slot]! - this.#from[slot]!)) {
      this.#values[slot] = this.json.parsed({ from, to });
      this.#from[slot] = from;
      this.#to[slot] = to;
    }
    return this.#values[slot];
  }
}

/** Hashes length and last letters, in which texts of plans differ most. */
const slotOf = (bytes: Uint8Array, from: number, to: number): number =>
  ((to - from) * 31 + bytes[to - 2]! * 7 + bytes[to - 3]! * 3 + bytes[to - 4]!) & (SLOTS - 1);

function areAlike(
  bytes: Uint8Array,
  one: number,
  other: number,
  length: number,
  lengthOfOther: number,
): boolean {
  if (length !== lengthOfOther) return false;
  for (let letter = 1; letter < length; letter++)
    if (bytes[one + letter] !== bytes[other + letter]) return false;
  return true;
}
