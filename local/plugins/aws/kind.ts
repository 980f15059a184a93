import type { EC2Client, ResourceType, Tag, TagSpecification } from "@aws-sdk/client-ec2";

/** A property value with secrets unwrapped; an unknown one is `UNKNOWN_VALUE`. */
export type Value = string | number | boolean | null | undefined | Value[] | { [name: string]: Value };
export type Props = { [name: string]: Value };
export type Tags = Record<string, string>;

/** How one input property of a resource behaves. Names and behaviour are those of @pulumi/aws 7.48. */
export interface Property {
  type: "string" | "number" | "boolean" | "list" | "set" | "map" | "block";
  required?: boolean;
  /** A change replaces the resource; the value is part of the identity by which a lost create is found. */
  replaces?: boolean;
  /** If the property is omitted, the server's value is kept and is no difference. */
  computed?: boolean;
  /** Controls the provider and is never stored by the server: the state keeps the program's value. */
  local?: boolean;
  /** Filled in by `check` if the property is omitted. */
  default?: Value;
  /** If the property is omitted, it becomes the resource's name with a random suffix. */
  autonamed?: boolean;
  /** Properties of an element of a list, set or block of objects. Default: scalars. */
  element?: Properties;
  /** The fault in a known value, worded to follow "property: ...". */
  check?: (value: never) => string | undefined;
  /** Normalizes a value, so that two spellings of the same value compare equal. */
  normalize?: (value: never) => Value;
}
export type Properties = Record<string, Property>;

/** An invalid input: the property's path and how to fix it. */
export interface CheckFault {
  property: string;
  reason: string;
}

/** What a kind needs to call EC2 in a region for a resource. */
export interface Call {
  ec2: EC2Client;
  region: string;
  urn: string;
  /** True for a new object: only this create has changed it so far. */
  fresh?: boolean;
  account: () => Promise<string>;
  /** The tags of a create call: the user's, the provider's default tags and the ownership mark. */
  tagSpecifications: (type: ResourceType) => TagSpecification[];
  /** Retries for a bounded time while the server still sees a dependency that is being deleted. */
  untilFree: <T>(remove: () => Promise<T>) => Promise<T>;
}

/** The server's data about an object. `tags` is undefined for objects that have none in EC2. */
export interface Found<State> {
  state: Partial<State>;
  tags?: Tag[];
}

/** A kind of resource: the table of its properties and its EC2 calls. */
export interface Kind<State = Props> {
  token: string;
  properties: Properties;
  /** Computed by the server; unknown in the preview of a create. */
  outputs: string[];
  /** True when `tags` and `tagsAll` are properties of this kind. */
  tagged?: boolean;
  /** Whether the old object must be deleted before its replacement is created, because both cannot exist together. */
  deleteBeforeReplace?: (wanted: State, actual: State) => boolean;
  /** Faults that the official provider reports before any call, beyond those of single values. */
  faults?: (wanted: State) => CheckFault[];
  /** Properties whose change requires a replacement in this case, although others allow an update. */
  replacedBy?: (wanted: State, actual: State) => string[];
  /** The call that creates the object. Returns its id. */
  create(call: Call, wanted: State): Promise<string>;
  /** The EC2 object that has the mark, for kinds that cannot be tagged themselves. */
  markedParent?: (wanted: State) => string;
  /** Finds the object of an untaggable kind that an interrupted create left behind. */
  findLost?: (call: Call, wanted: State) => Promise<string | undefined>;
  /** Undefined if the object is gone. `known` comes from the state or an import id. */
  read(call: Call, id: string, known: Partial<State>): Promise<Found<State> | undefined>;
  /** Sets all changeable values to the wanted ones; after a create and for an update. True if it changed something. */
  settle?(call: Call, id: string, wanted: State, actual: State): Promise<boolean>;
  remove(call: Call, id: string, state: State): Promise<void>;
  /** Parses an id given to `pulumi import`, for kinds whose ids contain properties, and returns their actual id. */
  importId?(id: string): { id?: string; known: Partial<State> };
}
