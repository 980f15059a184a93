import * as pulumi from "@pulumi/pulumi";
import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { isRecord } from "../collections";
import { isGiven } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { isDeepStrictEqual } from "node:util";
import { describeFaults, type Fault } from "../fault";

/** Labels and annotations of an object that the user may give, for its metadata. */
export const marksOf = <Labels, Annotations>({
  labels,
  annotations,
}: {
  labels?: Labels;
  annotations?: Annotations;
}) => ({ ...(labels && { labels }), ...(annotations && { annotations }) });

/**
 * Options of a child that is registered only when the check of the inputs has passed, and after the siblings that it needs. Its
 * properties stay as they are: values that a preview knows are shown and judged even if it does not know the rest.
 */
export function gated(
  parent: pulumi.Resource,
  check: pulumi.Output<unknown>,
  after: readonly pulumi.Resource[] = [],
): pulumi.CustomResourceOptions {
  const hooks = changes.get(parent);
  return { parent, dependsOn: check.apply((): pulumi.Resource[] => [...after]), ...(hooks && { hooks }) };
}

/** Hooks that run before the children of a component are created or changed. */
const changes = new WeakMap<pulumi.Resource, pulumi.ResourceHookBinding>();

/**
 * Runs an action once, before the first child of a component is created or changed, including when a preview plans such a
 * change. Call it before `gated`. Without an engine that runs hooks, the action runs at once.
 */
export function beforeChange(component: pulumi.Resource, action: () => void): void {
  if (!hasHooks()) return action();
  let isDone = false;
  // The engine calls from outside: for an inline program, the SDK could no longer tell to which engine a log line goes.
  const inProgram = AsyncResource.bind(action);
  const once = () => {
    if (!isDone) inProgram();
    isDone = true;
  };
  const hook = new pulumi.ResourceHook(hookName("what a change does"), once, { onDryRun: true });
  changes.set(component, { beforeCreate: [hook], beforeUpdate: [hook] });
}

/** Whether there is an engine that calls hooks: mocks replace it without them. */
export function hasHooks(): boolean {
  const monitor = pulumi.runtime.getMonitor() as { registerResourceHook?: unknown } | undefined;
  return typeof monitor?.registerResourceHook === "function";
}

/**
 * A name for a hook. Names are unique in a deployment, in which several programs and providers may take part, and two
 * components of one name can have different parents.
 */
export const hookName = (what: string): string => `${what} (${randomUUID().slice(0, 8)})`;

/** A secret among inputs: its path, and the values that it holds. */
export interface Secret {
  /** The path as faults name it: `additionalRules.ssh.cidr`, `rules[3].cidr`. */
  path: string;
  values: readonly string[];
}

/** Inputs whose Outputs have settled. */
export interface Settled {
  /** The inputs with every value that is known; UNKNOWN for values that a preview does not know, at any depth. */
  known: PropertyValue;
  secrets: readonly Secret[];
}

/** Whether a value may become known only later: an Output, a Promise, a resource, or a value unknown in a preview. */
export function isEventual(value: unknown): boolean {
  return (
    pulumi.Output.isInstance(value) ||
    value instanceof Promise ||
    pulumi.Resource.isInstance(value) ||
    pulumi.isUnknown(value)
  );
}

/** The plain part of the inputs: UNKNOWN replaces every Output and Promise, and undefined properties are left out. */
export function knownPart(value: unknown): PropertyValue {
  if (isEventual(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(knownPart);
  if (typeof value === "object" && value !== null) {
    const known = Object.entries(value).filter(([, entry]) => entry !== undefined);
    return Object.fromEntries(known.map(([key, entry]) => [key, knownPart(entry)]));
  }
  return value === undefined ? null : (value as PropertyValue);
}

/**
 * Inputs without properties that are null or undefined, at any depth: they are not given. Values that may become known only later
 * stay as they are, and so do the entries of lists. For inputs that have been checked: null in a map is a fault.
 */
export function givenPart<T>(value: T): T {
  if (isEventual(value)) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown) => givenPart(entry));
    return entries.every((entry, position) => entry === value[position]) ? value : (entries as T);
  }
  if (!isRecord(value)) return value;
  const all = Object.entries(value);
  const given = all.flatMap(([key, entry]) => (isGiven(entry) ? [[key, givenPart(entry)] as const] : []));
  // The same object if all is given, so that what was derived from it serves again.
  const isWhole = given.length === all.length && given.every(([key, entry]) => entry === value[key]);
  return isWhole ? value : (Object.fromEntries(given) as T);
}

/** Waits for every Output among inputs. A preview does not know all of them; unknown ones do not hold back the others. */
export async function settled(inputs: unknown): Promise<Settled> {
  const secrets: Secret[] = [];
  const known = await settle(inputs, "", secrets);
  return { known: known ?? null, secrets };
}

/** The known part of one value; undefined if an Output resolves to undefined. */
async function settle(value: unknown, path: string, secrets: Secret[]): Promise<PropertyValue | undefined> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return settleOutput(value, path, secrets);
  if (isEventual(value)) return UNKNOWN;
  if (Array.isArray(value)) {
    const entries = value.map((entry, index) => settle(entry, `${path}[${index}]`, secrets));
    return (await Promise.all(entries)).map((entry) => entry ?? null);
  }
  if (typeof value !== "object" || value === null) return value as PropertyValue | undefined;
  const entries = Object.entries(value).map(
    async ([key, entry]) =>
      [key, await settle(entry, path === "" ? key : `${path}.${key}`, secrets)] as const,
  );
  return Object.fromEntries(
    (await Promise.all(entries)).filter(([, entry]) => entry !== undefined),
  ) as PropertyValue;
}

/**
 * The SDK's public API passes an Output on as a whole or not at all. This method, by which SDK versions read each other's
 * Outputs, returns the known parts of an Output that also holds unknown values.
 */
interface PartlyKnown {
  promise(withUnknowns: true): Promise<unknown>;
}

async function settleOutput(
  value: unknown,
  path: string,
  secrets: Secret[],
): Promise<PropertyValue | undefined> {
  const output = pulumi.output(value);
  const [held, isSecret] = await Promise.all([
    (output as unknown as PartlyKnown).promise(true),
    pulumi.isSecret(output),
  ]);
  if (isSecret) secrets.push({ path, values: texts(held) });
  return held === undefined ? undefined : knownPart(held);
}

/** Everything in a value that a message could show. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "boolean") return [`${value}`];
  return typeof value === "object" && value !== null && !isEventual(value)
    ? Object.values(value).flatMap(texts)
    : [];
}

/** An input of a resource that can be set once and never changed. */
export interface SettledInput {
  /** The class and name of the component, as users know it: `HybridOverlayNetwork windows`. */
  subject: string;
  /** The path of the input among the resource's inputs. */
  path: readonly string[];
  /** The fault to report when it changes. */
  fault: Fault;
}

/**
 * A hook that stops the update of a resource, and the preview of that update, if it would change an input that can be set only once. The
 * engine calls it with the inputs of the last deployment and the new ones. Undefined without an engine, as in unit tests with mocks.
 */
export function settledInput({ subject, path, fault }: SettledInput): pulumi.ResourceHookBinding | undefined {
  if (!hasHooks()) return undefined;
  const refuseChange = async (args: pulumi.ResourceHookArgs) => {
    if (await hasChanged(path, args)) throw new Error(describeFaults(subject, [fault]));
  };
  const name = hookName("inputs that are set once");
  return { beforeUpdate: [new pulumi.ResourceHook(name, refuseChange, { onDryRun: true })] };
}

/** Whether a value that was set has changed. A value that a preview does not know counts as unchanged. */
export async function hasChanged(
  path: readonly string[],
  { oldInputs, newInputs }: Pick<pulumi.ResourceHookArgs, "oldInputs" | "newInputs">,
): Promise<boolean> {
  const [before, after] = await Promise.all([oldInputs, newInputs].map((inputs) => valueAt(inputs, path)));
  return before !== undefined && !pulumi.containsUnknowns(after) && !isDeepStrictEqual(before, after);
}

/** The value at a path, with secrets unwrapped; an unknown value stays unknown. */
async function valueAt(
  inputs: Record<string, unknown> | undefined,
  path: readonly string[],
): Promise<unknown> {
  let value: unknown = inputs;
  for (const key of path) {
    value = await opened(value);
    if (pulumi.isUnknown(value)) return value;
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return openedDeeply(value);
}

async function openedDeeply(value: unknown): Promise<unknown> {
  const open = await opened(value);
  if (Array.isArray(open)) return Promise.all(open.map(openedDeeply));
  if (typeof open !== "object" || open === null || pulumi.containsUnknowns(open)) return open;
  const entries = Object.entries(open).map(async ([key, entry]) => [key, await openedDeeply(entry)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** The SDK passes secrets to hooks as Outputs; those that are unknown never resolve. */
async function opened(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  const output = value as pulumi.Output<unknown> & { isKnown: Promise<boolean> };
  return (await output.isKnown) ? new Promise((resolve) => output.apply(resolve)) : pulumi.unknown;
}
