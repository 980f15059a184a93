import { isDeepStrictEqual } from "node:util";

import * as pulumi from "@pulumi/pulumi";
import { describeFaults, type Fault } from "../fault";
import { hasHooks, hookName } from "./gated";

/** An input of a resource that can be set once and never be changed. */
export interface SettledInput {
  /** The component, as users know it: `HybridOverlayNetwork windows`. */
  subject: string;
  /** Where it stands among the resource's inputs. */
  path: readonly string[];
  /** What to say when it changes. */
  fault: Fault;
}

/**
 * A hook that stops the update of a resource, and the preview of that update, when an input would change that was set
 * once and for all. The engine calls it with the inputs of the last deployment and the new ones. Absent where there is no
 * engine, as in unit tests with mocks.
 */
export function settledInput({ subject, path, fault }: SettledInput): pulumi.ResourceHookBinding | undefined {
  if (!hasHooks()) return undefined;
  const refuseChange = async (args: pulumi.ResourceHookArgs) => {
    if (await hasChanged(path, args)) throw new Error(describeFaults(subject, [fault]));
  };
  const name = hookName("inputs that are set once");
  return { beforeUpdate: [new pulumi.ResourceHook(name, refuseChange, { onDryRun: true })] };
}

/** Whether a value that was set is another one now. What a preview does not know counts as unchanged. */
export async function hasChanged(
  path: readonly string[],
  { oldInputs, newInputs }: Pick<pulumi.ResourceHookArgs, "oldInputs" | "newInputs">,
): Promise<boolean> {
  const [before, after] = await Promise.all([oldInputs, newInputs].map((inputs) => valueAt(inputs, path)));
  return before !== undefined && !pulumi.containsUnknowns(after) && !isDeepStrictEqual(before, after);
}

/** The value at a path, with secrets opened; what is not known stays so. */
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

/** The SDK hands secrets to hooks as Outputs, of which those that are not known never resolve. */
async function opened(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  const output = value as pulumi.Output<unknown> & { isKnown: Promise<boolean> };
  return (await output.isKnown) ? new Promise((resolve) => output.apply(resolve)) : pulumi.unknown;
}
