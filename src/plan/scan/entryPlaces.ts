import { LISTS, ListFinder } from "./groupLists";
import type { JsonBytes } from "./jsonBytes";
import { MemberFinder, Names, PLACE } from "./jsonMembers";

const STEP = ["op", "urn", "oldState", "newState"] as const;
const STATE = [
  "urn",
  "type",
  "id",
  "parent",
  "provider",
  "inputs",
  "outputs",
  "propertyDependencies",
  "delete",
  "pendingReplacement",
  "external",
] as const;
const OLD_STATE = STEP.indexOf("oldState");
const NEW_STATE = STEP.indexOf("newState");
const INPUTS = STATE.indexOf("inputs");
const OUTPUTS = STATE.indexOf("outputs");
const STEP_NAMES = new Names(STEP);
const STATE_NAMES = new Names(STATE);
const OLD_NAMES = new Names(["id"]);

const FIRST_OF_STEP = 0;
const FIRST_OF_STATE = FIRST_OF_STEP + PLACE * STEP.length;
const MAY_HOLD_SECRET = FIRST_OF_STATE + PLACE * STATE.length;
const INPUT_LISTS = MAY_HOLD_SECRET + 1;
const OUTPUT_LISTS = INPUT_LISTS + LISTS;
const OLD_ID = OUTPUT_LISTS + LISTS;

const inStep = (name: (typeof STEP)[number]): number => FIRST_OF_STEP + PLACE * STEP.indexOf(name);
const inState = (name: (typeof STATE)[number]): number => FIRST_OF_STATE + PLACE * STATE.indexOf(name);

/**
 * What is found of an entry of a plan, a step or a state, as indexes into a list of numbers: the places of its parts, and
 * whether inputs or outputs may hold secrets.
 */
export const ENTRY = {
  /** The count of numbers. */
  width: OLD_ID + PLACE,
  op: inStep("op"),
  stepUrn: inStep("urn"),
  oldState: inStep("oldState"),
  newState: inStep("newState"),
  urn: inState("urn"),
  type: inState("type"),
  id: inState("id"),
  parent: inState("parent"),
  provider: inState("provider"),
  inputs: inState("inputs"),
  outputs: inState("outputs"),
  propertyDependencies: inState("propertyDependencies"),
  isReplaced: inState("delete"),
  isAwaited: inState("pendingReplacement"),
  isRead: inState("external"),
  mayHoldSecret: MAY_HOLD_SECRET,
  inputLists: INPUT_LISTS,
  outputLists: OUTPUT_LISTS,
  /** The id in the old state of a step. */
  oldId: OLD_ID,
} as const;

/** The keys of the lists in plans: of steps and of states. */
export type ListKey = "steps" | "resources";

/** Finds the parts of entries without parsing them. */
export class EntryFinder {
  readonly #step: MemberFinder;
  readonly #state: MemberFinder;
  readonly #oldState: MemberFinder;
  readonly #lists: ListFinder;
  #numbers: Int32Array = new Int32Array(0);

  constructor(
    private readonly json: JsonBytes,
    private readonly key: ListKey,
  ) {
    this.#step = new MemberFinder(json, STEP_NAMES, this.#afterStepMember);
    this.#state = new MemberFinder(json, STATE_NAMES, this.#afterStateMember);
    this.#oldState = new MemberFinder(json, OLD_NAMES, (_, at) => json.afterValue(at));
    this.#lists = new ListFinder(json);
  }

  /** Returns the position after an entry, and writes its numbers in place of zeros. Negative for an unusual entry. */
  find(from: number, numbers: Int32Array): number {
    this.#numbers = numbers;
    const end = this.key === "steps" ? this.#step.find(from, numbers, FIRST_OF_STEP) : this.#afterState(from);
    if (this.key === "resources") {
      numbers[ENTRY.newState] = from;
      numbers[ENTRY.newState + 1] = end;
    }
    return end;
  }

  readonly #afterStepMember = (position: number, at: number): number => {
    if (position === NEW_STATE) return this.#afterState(at);
    return position === OLD_STATE && this.json.isObject(at)
      ? this.#oldState.find(at, this.#numbers, OLD_ID)
      : this.json.afterValue(at);
  };

  #afterState(from: number): number {
    return this.json.isObject(from)
      ? this.#state.find(from, this.#numbers, FIRST_OF_STATE)
      : this.json.afterValue(from);
  }

  readonly #afterStateMember = (position: number, at: number): number => {
    if (position === INPUTS) return this.#afterProperties(at, ENTRY.inputLists);
    if (position === OUTPUTS) return this.#afterProperties(at, ENTRY.outputLists);
    return this.json.afterValue(at);
  };

  #afterProperties(from: number, lists: number): number {
    const { json } = this;
    const found = this.#lists.find(from, this.#numbers, lists);
    const end = found < 0 ? json.afterValue(from) : found;
    if (end >= 0 && json.mayHoldSecret(from)) this.#numbers[MAY_HOLD_SECRET] = 1;
    return end;
  }
}
