import type { Resource } from "../resources/resource";
import type { JsonBytes, Place } from "./scan/jsonBytes";
import { dependencies, stackResource, type EngineState } from "./stackResource";

/** Where the parts of a state are that are not parsed yet. */
export interface StateParts {
  inputs: Place | undefined;
  outputs: Place | undefined;
  propertyDependencies: Place | undefined;
}

/**
 * A resource of which parts are parsed when somebody looks at them. Most resources of a large stack are of kinds that no
 * rule asks for. A class: objects with getters of their own would each have a shape of their own.
 */
export class LateResource implements Resource {
  readonly origin: Resource["origin"];
  readonly type: string;
  readonly name: string;
  declare readonly parent?: string;
  readonly #json: JsonBytes;
  readonly #state: EngineState;
  readonly #parts: StateParts;
  #properties: Resource["properties"] | undefined;
  #sources: { made: Resource["propertyDependencies"] } | undefined;

  /**
   * @param state without the parts
   * @param made what is known of the resource already; without it the state must hold no secrets, which would have to be
   * counted
   */
  constructor(json: JsonBytes, state: EngineState, parts: StateParts, file: string, made?: Resource) {
    this.#json = json;
    this.#state = state;
    this.#parts = parts;
    const { origin, type, name, parent } = made ?? stackResource(state, file, { count: 0 });
    this.origin = origin;
    this.type = type;
    this.name = name;
    if (parent !== undefined) this.parent = parent;
    this.#properties = made?.properties;
  }

  get properties(): Resource["properties"] {
    return (this.#properties ??= this.#made());
  }

  get propertyDependencies(): Resource["propertyDependencies"] {
    return (this.#sources ??= { made: dependencies(this.#parsed(this.#parts.propertyDependencies)) }).made;
  }

  #made(): Resource["properties"] {
    const { inputs, outputs } = this.#parts;
    const whole = { ...this.#state, inputs: this.#parsed(inputs), outputs: this.#parsed(outputs) };
    return stackResource(whole, this.origin.file ?? "", { count: 0 }).properties;
  }

  #parsed(place: Place | undefined): unknown {
    return place && this.#json.parsed(place);
  }
}
