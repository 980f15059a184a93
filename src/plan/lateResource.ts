import type { Resource } from "../resources/resource";
import { isKubernetes } from "../resources/resourceTypes";
import { dependencies, nameInUrn, stackResource, type EngineState } from "./stackResource";
import type { StatePart, StateParts } from "./stateParts";

/**
 * A resource of which parts are parsed when somebody looks at them. Most resources of a large stack are of kinds that no
 * rule asks for. A class: objects with getters of their own would each have a shape of their own.
 */
export class LateResource implements Resource {
  readonly origin: Resource["origin"];
  readonly type: string;
  readonly name: string;
  declare readonly parent?: string;
  declare readonly secrets?: readonly string[];
  readonly #parts: StateParts;
  readonly #kept: number;
  readonly #id: unknown;
  #properties: Resource["properties"] | undefined;
  #sources: { made: Resource["propertyDependencies"] } | undefined;

  /**
   * @param kept what leads to its parts
   * @param state without the parts
   * @param made where its properties are known already; without it the state must hold no secrets, which would have to be
   * counted
   */
  constructor(
    parts: StateParts,
    kept: number,
    { urn, type, id, parent }: EngineState,
    file: string,
    made?: Pick<Resource, "properties" | "secrets">,
  ) {
    this.#parts = parts;
    this.#kept = kept;
    this.#id = id;
    this.origin = { urn, file };
    this.type = type;
    this.name = nameInUrn(urn);
    if (typeof parent === "string") this.parent = parent;
    if (made?.secrets) this.secrets = made.secrets;
    this.#properties = made?.properties;
  }

  get properties(): Resource["properties"] {
    return (this.#properties ??= this.#whole().properties);
  }

  get propertyDependencies(): Resource["propertyDependencies"] {
    return (this.#sources ??= { made: dependencies(this.#parsed("propertyDependencies")) }).made;
  }

  get inputs(): Resource["properties"] | undefined {
    return this.#whole().inputs;
  }

  get provider(): string | undefined {
    const provider = isKubernetes(this.type) ? this.#parsed("provider") : undefined;
    return typeof provider === "string" ? provider : undefined;
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
