import type { Resource } from "../resources/resource";
import { isKubernetes } from "../resources/resourceTypes";
import type { JsonBytes, Place } from "./scan/jsonBytes";
import { dependencies, nameInUrn, stackResource, type EngineState } from "./stackResource";

/** Where the parts of a state are that are not parsed yet. */
export interface StateParts {
  provider: Place | undefined;
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
   * @param properties where they are known already; without them the state must hold no secrets, which would have to be
   * counted
   */
  constructor(
    json: JsonBytes,
    state: EngineState,
    parts: StateParts,
    file: string,
    properties?: Resource["properties"],
  ) {
    this.#json = json;
    this.#state = state;
    this.#parts = parts;
    const { urn, type, parent } = state;
    this.origin = { urn, file };
    this.type = type;
    this.name = nameInUrn(urn);
    if (typeof parent === "string") this.parent = parent;
    this.#properties = properties;
  }

  get properties(): Resource["properties"] {
    return (this.#properties ??= this.#whole().properties);
  }

  get propertyDependencies(): Resource["propertyDependencies"] {
    return (this.#sources ??= { made: dependencies(this.#parsed(this.#parts.propertyDependencies)) }).made;
  }

  get inputs(): Resource["properties"] | undefined {
    return this.#whole().inputs;
  }

  get provider(): string | undefined {
    const provider = isKubernetes(this.type) ? this.#parsed(this.#parts.provider) : undefined;
    return typeof provider === "string" ? provider : undefined;
  }

  #whole(): Resource {
    const { inputs, outputs } = this.#parts;
    const whole = { ...this.#state, inputs: this.#parsed(inputs), outputs: this.#parsed(outputs) };
    return stackResource(whole, this.origin.file ?? "", { count: 0 });
  }

  #parsed(place: Place | undefined): unknown {
    return place && this.#json.parsed(place);
  }
}
