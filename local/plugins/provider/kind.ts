import type { Props } from "./values";

/** What every call about one resource carries. */
export interface Call {
  urn: string;
  /** The resource's name in the program: the last part of its URN. */
  name: string;
  /** The type token, such as `aws:ec2/vpc:Vpc`. */
  type: string;
  /** Fires when the engine cancels or goes away: give up waiting. */
  signal: AbortSignal;
  /** A line for the user beside this resource: `info` and `warning` stay, `status` is shown while it works. */
  log: (severity: "info" | "warning" | "status", message: string) => void;
}

/** What a check knows. */
export interface CheckRequest extends Call {
  news: Props;
  /** The inputs of the last deployment; absent for a resource that is new. */
  olds: Props | undefined;
  /** Names generated from this seed are the same in a preview and in the update after it. */
  randomSeed: Uint8Array;
  /** How the stack's configuration wants generated names (`pulumi:autonaming`); absent when it says nothing. */
  autonaming: { proposedName: string; mode: "propose" | "enforce" | "disabled" } | undefined;
}

/** A wrong input: the path of the property and what to do. */
export interface CheckFailure {
  property: string;
  reason: string;
}
/** The inputs with defaults and generated names, and everything that is wrong with them. */
export interface CheckResult {
  inputs: Props;
  failures?: CheckFailure[];
}

/** What a diff compares. */
export interface DiffRequest extends Call {
  id: string;
  oldState: Props;
  oldInputs: Props;
  news: Props;
  /** Property paths of the resource option `ignoreChanges`; the engine has already reset them in `news`. */
  ignoreChanges: string[];
}
/** How one property differs. */
export interface PropertyDifference {
  change: "add" | "delete" | "update";
  replaces: boolean;
  /** True when the difference is between old and new inputs rather than between state and inputs. */
  inputDiff?: boolean;
}
/** Whether the resource has to change, and how. */
export interface DiffResult {
  changes: boolean;
  /** Property paths whose change replaces the resource. */
  replaces?: string[];
  /** The old object goes before the new one comes: both cannot exist together. */
  deleteBeforeReplace?: boolean;
  /** By property path, as in `spec.ports[0].port`. */
  detailedDiff?: Record<string, PropertyDifference>;
}

/** What a create knows. In a preview, unknown parts of `inputs` are `UNKNOWN_VALUE`. */
export interface CreateRequest extends Call {
  inputs: Props;
  preview: boolean;
  /** Seconds, from the resource option `customTimeouts`. */
  timeout: number | undefined;
}
/** An object and what is known of it. A preview returns the id "". */
export interface Created {
  id: string;
  state: Props;
}

/** What a read knows. `state` and `inputs` are empty while a resource is imported. */
export interface ReadRequest extends Call {
  id: string;
  state: Props;
  inputs: Props;
  timeout: number | undefined;
}
/** An object that is there: its state and the inputs that would produce it. */
export interface Found extends Created {
  inputs: Props;
}

/** What an update knows. */
export interface UpdateRequest extends Call {
  id: string;
  oldState: Props;
  oldInputs: Props;
  news: Props;
  ignoreChanges: string[];
  preview: boolean;
  timeout: number | undefined;
}

/** What a delete knows. */
export interface DeleteRequest extends Call {
  id: string;
  state: Props;
  inputs: Props;
  timeout: number | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** One kind of resource: what a provider's author writes. Secrets are opened before and marked again after each call. */
export interface ResourceKind {
  check(request: CheckRequest): MaybePromise<CheckResult>;
  diff(request: DiffRequest): MaybePromise<DiffResult>;
  create(request: CreateRequest): MaybePromise<Created>;
  /** Undefined when the object is gone. */
  read(request: ReadRequest): MaybePromise<Found | undefined>;
  /** Returns the new state. */
  update(request: UpdateRequest): MaybePromise<Props>;
  delete(request: DeleteRequest): MaybePromise<void>;
}

/** How a provider ends. */
export interface Ending {
  /** The engine gave up while calls were under way (Ctrl-C): what they did may be missing from its state. */
  cancelled: boolean;
}

/** A whole provider. */
export interface ProviderDefinition {
  /** The package: `aws`. */
  name: string;
  version: string;
  /** The kinds by type token, or a function that finds one. */
  kinds: ReadonlyMap<string, ResourceKind> | ((type: string) => ResourceKind | undefined);
  /** Resources and types of the package's schema, for languages that need them; left out, it has none. */
  schema?: { resources: Readonly<Record<string, object>>; types?: Readonly<Record<string, object>> };
  /** Takes the provider's configuration. Nested values arrive as JSON text. Called once, before anything else. */
  configure?(config: Props, call: Pick<Call, "log">): MaybePromise<void>;
  /** Faults in the provider's configuration, and defaults; left out, the configuration stands as it is. */
  checkConfig?(config: Props): MaybePromise<CheckResult>;
  /** What a changed configuration means for the provider's resources; left out, nothing is replaced. */
  diffConfig?(request: Pick<DiffRequest, "oldInputs" | "oldState" | "news">): MaybePromise<DiffResult>;
  /** A provider function (`aws:ec2/getVpc:getVpc`). Undefined when there is none of that name. */
  invoke?(token: string, args: Props, signal: AbortSignal): MaybePromise<Props | undefined>;
  /** Called when the engine ends the provider in good order: every reply has reached it. At most 4 seconds. */
  finish?(ending: Ending): MaybePromise<void>;
}
