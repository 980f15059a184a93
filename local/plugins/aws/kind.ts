import type { EC2Client, ResourceType, Tag, TagSpecification } from "@aws-sdk/client-ec2";

/** A property value once secrets are opened; an unknown one is `UNKNOWN_VALUE`. */
export type Value = string | number | boolean | null | undefined | Value[] | { [name: string]: Value };
export type Props = { [name: string]: Value };
export type Tags = Record<string, string>;

/** How one input property of a resource behaves. Names and behaviour are those of @pulumi/aws 7.48. */
export interface Property {
  type: "string" | "number" | "boolean" | "list" | "set" | "map" | "block";
  required?: boolean;
  /** A change replaces the resource; the value is part of the identity by which a lost create is found again. */
  replaces?: boolean;
  /** Left out, the value of the server stands and is no difference. */
  computed?: boolean;
  /** The provider's own behaviour, never stored by the server: state keeps what the program said. */
  local?: boolean;
  /** Filled in by `check` when it is left out. */
  default?: Value;
  /** Left out, it becomes the resource's name with a random ending. */
  autonamed?: boolean;
  /** Properties of an element of a list, set or block of objects; scalars when left out. */
  element?: Properties;
  /** What is wrong with a known value, in words that finish "property: ...". */
  check?: (value: never) => string | undefined;
  /** Two spellings that mean the same compare equal once normalized. */
  normalize?: (value: never) => Value;
}
export type Properties = Record<string, Property>;

/** A wrong input: the property's path and what to do. */
export interface CheckFault {
  property: string;
  reason: string;
}

/** What a kind needs to talk to one region of EC2 on behalf of one resource. */
export interface Call {
  ec2: EC2Client;
  region: string;
  urn: string;
  /** True while the object is new: nothing but this create has touched it yet. */
  fresh?: boolean;
  account: () => Promise<string>;
  /** The tags a create call carries: the user's, the provider's defaults and the ownership mark. */
  tagSpecifications: (type: ResourceType) => TagSpecification[];
  /** Repeats while the server still sees a dependency that is going away, for a bounded time. */
  untilFree: <T>(remove: () => Promise<T>) => Promise<T>;
}

/** What the server says about one object. `tags` is left out for objects that carry none in EC2. */
export interface Found<State> {
  state: Partial<State>;
  tags?: Tag[];
}

/** One kind of resource: the table of its properties and the EC2 calls behind its life. */
export interface Kind<State = Props> {
  token: string;
  properties: Properties;
  /** Computed by the server, unknown while a create is previewed. */
  outputs: string[];
  /** True when `tags` and `tagsAll` are properties of this kind. */
  tagged?: boolean;
  /** A duplicate may not exist beside the old one: the old one goes first when this is replaced. */
  deleteBeforeReplace?: (wanted: State, actual: State) => boolean;
  /** What the official provider refuses before any call, beyond single values. */
  faults?: (wanted: State) => CheckFault[];
  /** Properties whose change replaces although each may be updated in other circumstances. */
  replacedBy?: (wanted: State, actual: State) => string[];
  /** The one call that brings the object into being. Returns its id. */
  create(call: Call, wanted: State): Promise<string>;
  /** The EC2 object that carries the mark, for kinds that cannot be tagged themselves. */
  markedParent?: (wanted: State) => string;
  /** Finds the object of an untaggable kind that an interrupted create left behind. */
  findLost?: (call: Call, wanted: State) => Promise<string | undefined>;
  /** Undefined when the object is gone. `known` is what state or an import id says. */
  read(call: Call, id: string, known: Partial<State>): Promise<Found<State> | undefined>;
  /** Brings everything that can change to the wanted value; after a create as well as for an update. True when it changed something. */
  settle?(call: Call, id: string, wanted: State, actual: State): Promise<boolean>;
  remove(call: Call, id: string, state: State): Promise<void>;
  /** What an id given to `pulumi import` says, for kinds whose id says something, and the id they then have. */
  importId?(id: string): { id?: string; known: Partial<State> };
}
