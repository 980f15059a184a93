import { isHostedCluster, SECURITY_GROUPS } from "../resources/resourceTypes";
import { findLists, type Lists } from "./groupLists";
import type { JsonBytes, Place } from "./jsonBytes";
import { findMembers, Names } from "./jsonMembers";
import { lightGroup } from "./lightGroup";
import { RuleReader } from "./plainRules";
import { isEngineState } from "./stackResource";

/** A value that was read, and where it ends. */
export interface Entry {
  end: number;
  value: unknown;
}

const STEP = new Names(["op", "urn", "oldState", "newState"]);
const STATE = new Names([
  "urn",
  "type",
  "id",
  "parent",
  "inputs",
  "outputs",
  "propertyDependencies",
  "delete",
]);

/** Reads states of resources as previews and stack exports write them. Undefined for what is unusual. */
export class EngineStates {
  readonly #rules: RuleReader;

  constructor(
    private readonly json: JsonBytes,
    private readonly file: string,
  ) {
    this.#rules = new RuleReader(json);
  }

  /** What is read of a step of a preview: its old state only where rules ask for it. */
  step(from: number): Entry | undefined {
    const { json } = this;
    let newState: Entry | undefined;
    const found = findMembers(json, from, STEP, (name, at) => {
      if (name !== "newState") return json.afterValue(at);
      newState = this.state(at);
      return newState ? newState.end : ~at;
    });
    if (!found) return undefined;
    const [op, urn, oldState] = found.places;
    const value = { op: valueAt(json, op), urn: valueAt(json, urn), newState: newState?.value };
    // Fields of hosted clusters that never change are compared with what they were.
    const isAsked = oldState && isEngineState(value.newState) && isHostedCluster(value.newState.type);
    return { end: found.end, value: isAsked ? { ...value, oldState: json.parsed(oldState) } : value };
  }

  /** What is read of the state of a resource. */
  state(from: number): Entry | undefined {
    const { json } = this;
    if (!json.isObject(from)) return whole(json, from);
    let inputLists: Lists | undefined;
    let outputLists: Lists | undefined;
    const found = findMembers(json, from, STATE, (name, at) => {
      if (name === "inputs")
        return (inputLists = findLists(json, at, this.#rules))?.end ?? json.afterValue(at);
      if (name === "outputs")
        return (outputLists = findLists(json, at, this.#rules))?.end ?? json.afterValue(at);
      return json.afterValue(at);
    });
    if (!found) return undefined;
    const [urn, type, id, parent, inputs, outputs, propertyDependencies, isReplaced] = found.places;
    const state = {
      urn: valueAt(json, urn),
      type: valueAt(json, type),
      id: valueAt(json, id),
      parent: valueAt(json, parent),
      inputs: undefined as unknown,
      outputs: undefined as unknown,
      propertyDependencies: valueAt(json, propertyDependencies),
      delete: valueAt(json, isReplaced),
    };
    if (isEngineState(state) && SECURITY_GROUPS.has(state.type)) {
      const place = { from, to: found.end };
      const shown = inputs && { place: inputs, lists: inputLists };
      const made = outputs && { place: outputs, lists: outputLists };
      const light = lightGroup(json, { state, place, inputs: shown, outputs: made }, this.file);
      if (light) return { end: found.end, value: light };
    }
    state.inputs = valueAt(json, inputs);
    state.outputs = valueAt(json, outputs);
    return { end: found.end, value: state };
  }
}

function whole(json: JsonBytes, from: number): Entry | undefined {
  const end = json.afterValue(from);
  return end < 0 ? undefined : { end, value: json.parsed({ from, to: end }) };
}

const valueAt = (json: JsonBytes, place: Place | undefined): unknown => place && json.parsed(place);
