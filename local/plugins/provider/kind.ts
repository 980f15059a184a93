import type { Props } from "./values";

/** The fields that every call about a resource has. */
export interface Call {
  urn: string;
  /** The resource's name in the program: the last part of its URN. */
  name: string;
  /** The type token, such as `aws:ec2/vpc:Vpc`. */
  type: string;
  /** Fires when the engine cancels or goes away: stop waiting then. */
  signal: AbortSignal;
  /** Shows the user a line for this resource: `info` and `warning` stay, `status` shows only while the call runs. */
  log: (severity: "info" | "warning" | "status", message: string) => void;
}

/** The fields of a check request. */
export interface CheckRequest extends Call {
  news: Props;
  /** The inputs of the last deployment; undefined for a new resource. */
  olds: Props | undefined;
  /** Names generated from this seed are the same in a preview and in the update after it. */
  randomSeed: Uint8Array;
  /** How the stack's configuration wants names generated (`pulumi:autonaming`); undefined if it does not say. */
  autonaming: { proposedName: string; mode: "propose" | "enforce" | "disabled" } | undefined;
}

/** An invalid input: the path of the property and how to fix it. */
export interface CheckFailure {
  property: string;
  reason: string;
}
/** The inputs with defaults and generated names, and all faults in them. */
export interface CheckResult {
  inputs: Props;
  failures?: CheckFailure[];
}

/** The fields of a diff request. */
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
  /** True if the difference is between old and new inputs instead of state and inputs. */
  inputDiff?: boolean;
}
/** Whether the resource must change, and how. */
export interface DiffResult {
  changes: boolean;
  /** Property paths whose change replaces the resource. */
  replaces?: string[];
  /** The old object is deleted before the new one is created, because both cannot exist together. */
  deleteBeforeReplace?: boolean;
  /** By property path, as in `spec.ports[0].port`. */
  detailedDiff?: Record<string, PropertyDifference>;
}

/** The fields of a create request. In a preview, unknown parts of `inputs` are `UNKNOWN_VALUE`. */
export interface CreateRequest extends Call {
  inputs: Props;
  preview: boolean;
  /** Seconds, from the resource option `customTimeouts`. */
  timeout: number | undefined;
}
/** An object and its state. A preview returns the id "". */
export interface Created {
  id: string;
  state: Props;
}

/** The fields of a read request. `state` and `inputs` are empty while a resource is imported. */
export interface ReadRequest extends Call {
  id: string;
  state: Props;
  inputs: Props;
  timeout: number | undefined;
}
/** An existing object: its state and the inputs that would produce it. */
export interface Found extends Created {
  inputs: Props;
}

/** The fields of an update request. */
export interface UpdateRequest extends Call {
  id: string;
  oldState: Props;
  oldInputs: Props;
  news: Props;
  ignoreChanges: string[];
  preview: boolean;
  timeout: number | undefined;
}

/** The fields of a delete request. */
export interface DeleteRequest extends Call {
  id: string;
  state: Props;
  inputs: Props;
  timeout: number | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** What provider authors implement for a kind of resource. Secrets are unwrapped before each call and marked again after it. */
export interface ResourceKind {
  check(request: CheckRequest): MaybePromise<CheckResult>;
  diff(request: DiffRequest): MaybePromise<DiffResult>;
  create(request: CreateRequest): MaybePromise<Created>;
  /** Undefined if the object is gone. */
  read(request: ReadRequest): MaybePromise<Found | undefined>;
  /** Returns the new state. */
  update(request: UpdateRequest): MaybePromise<Props>;
  delete(request: DeleteRequest): MaybePromise<void>;
}

/** How the provider ends. */
export interface Ending {
  /** The engine cancelled while calls were in progress (Ctrl-C): their changes may be missing in its state. */
  cancelled: boolean;
}

/** The definition of a provider. */
export interface ProviderDefinition {
  /** The package name: `aws`. */
  name: string;
  version: string;
  /** The kinds by type token, or a function that finds a kind. */
  kinds: ReadonlyMap<string, ResourceKind> | ((type: string) => ResourceKind | undefined);
  /** Resources and types of the package's schema, for languages that need them. Default: none. */
  schema?: { resources: Readonly<Record<string, object>>; types?: Readonly<Record<string, object>> };
  /** Reads the provider's configuration. Nested values are JSON text. Called once, before anything else. */
  configure?(config: Props, call: Pick<Call, "log">): MaybePromise<void>;
  /** Checks the provider's configuration and adds defaults. By default the configuration is accepted as it is. */
  checkConfig?(config: Props): MaybePromise<CheckResult>;
  /** How a changed configuration affects the provider's resources. By default nothing is replaced. */
  diffConfig?(request: Pick<DiffRequest, "oldInputs" | "oldState" | "news">): MaybePromise<DiffResult>;
  /** Calls a provider function (`aws:ec2/getVpc:getVpc`). Undefined if there is no function with that name. */
  invoke?(token: string, args: Props, signal: AbortSignal): MaybePromise<Props | undefined>;
  /** Called when the engine ends the provider normally, after it has received every reply. May take 4 seconds. */
  finish?(ending: Ending): MaybePromise<void>;
}
