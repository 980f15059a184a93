import * as pulumi from "@pulumi/pulumi";
import { inspect } from "node:util";
import { describeFaults, type Fault } from "../fault";
import { visible } from "../text";
import { isFirst } from "./claims";
import { holdsUnknown } from "../resources/read";
import type { PropertyValue } from "../resources/resource";
import { registered } from "./outputs";
import { masked } from "./masked";
import { beforeChange, isEventual, knownPart, settled } from "./settled";

/**
 * Stops the program if there are faults, with all of them in one message and without a stack trace, which would only show code
 * of this package. `subject` is the class and the name of the component: `EgressFirewall tenant-a`.
 */
export function refuse(component: pulumi.Resource, subject: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const message = describeFaults(subject, faults);
  const error = new pulumi.ResourceError(message, component, true);
  // The SDK would prepend the name of every property that an Output comes through; the message already names the path.
  const fixed = { get: () => message, set: () => undefined };
  // The SDK prints the stack of errors thrown inside a component provider. For programs it first renders the error with the
  // whole graph of resources attached to it and only then decides to print just the message, which takes minutes.
  Object.defineProperties(error, {
    message: fixed,
    stack: fixed,
    [inspect.custom]: { value: () => message },
  });
  throw error;
}

/** Shows warnings next to the resource that they are about, and returns them as its output; the deployment continues. */
export function warn(component: pulumi.Resource, warnings: readonly string[]): pulumi.Output<string[]> {
  for (const warning of warnings) void pulumi.log.warn(visible(warning), component);
  return pulumi.output([...warnings]);
}

/**
 * Warns of findings. Findings about the effects of a change are shown only if a child is about to be created or changed
 * (`gated`), in previews too: a deployment that changes nothing is quiet. The output holds all of them.
 */
export function warnOf(component: pulumi.Resource, findings: readonly Fault[]): pulumi.Output<string[]> {
  warn(component, sentences(findings.filter(({ ofChange }) => ofChange !== true)));
  const later = sentences(findings.filter(({ ofChange }) => ofChange === true));
  if (later.length > 0) beforeChange(component, () => void warn(component, later));
  return pulumi.output(sentences(findings));
}

/**
 * The outputs that a component registers: each Output among its properties that is not undefined; those from `leafwise` value
 * by value. `leftOut` are properties that programs read and the state does not hold.
 */
export const ownOutputs = <Component extends pulumi.ComponentResource>(
  component: Component,
  ...leftOut: readonly (keyof Component)[]
): pulumi.Inputs =>
  Object.fromEntries(
    Object.entries(component).flatMap(([name, value]) =>
      pulumi.Output.isInstance(value) && name !== "urn" && !leftOut.some((other) => other === name)
        ? [[name, registered(value)] as const]
        : [],
    ),
  );

/** Logs a note that applies to all components of a kind once in a program. */
export function noteOnce(component: pulumi.Resource, note: string): void {
  if (isFirst(component, note)) void pulumi.log.info(visible(note), component);
}

/** Findings as log lines: path, problem and fix. */
export const sentences = (findings: readonly Fault[]): string[] =>
  findings.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);

/** Finds the faults of inputs. A value that is not known yet is UNKNOWN, at any depth; what depends on it is not judged. */
export type FaultFinder = (inputs: PropertyValue) => readonly Fault[];

/**
 * Checks inputs. Plain values are refused at once, Outputs all together as soon as those that can be known are known. The
 * result fails if there are faults, and children wait for it (`gated`). It holds no value and depends on no resource, so
 * children wait only for the verdict. Values that a preview does not know do not keep the others from being judged.
 */
export function checked(
  component: pulumi.Resource,
  subject: string,
  inputs: unknown,
  faultsOf: FaultFinder,
): pulumi.Output<void> {
  const known = knownPart(inputs);
  refuse(component, subject, faultsOf(known));
  return pulumi.output(holdsUnknown(known) ? judged(component, subject, inputs, faultsOf) : undefined);
}

async function judged(
  component: pulumi.Resource,
  subject: string,
  inputs: unknown,
  faultsOf: FaultFinder,
): Promise<void> {
  const { known, secrets } = await settled(inputs);
  refuse(component, subject, masked(faultsOf(known), secrets));
}

/**
 * One fault for each Output or Promise inside a value that decides which resources exist and so must be plain. Topology blocks
 * that have a key decide nothing, and neither do the settings of its proxy.
 */
export function plainnessFaults(path: string, value: unknown): Fault[] {
  if (/^topology\.(addresses\..+\.cidr|proxy\.(httpProxy|httpsProxy|noProxy))$/.test(path)) return [];
  if (isEventual(value)) {
    const inTopology = path.startsWith("topology.") ? `; ${mayBeOutput(path)}` : "";
    return [
      {
        path,
        problem: "is an Output, whose value is not known while resources are being declared",
        remedy: `give a plain value, for instance from configuration or a StackReference's getOutputValue${inTopology}`,
      },
    ];
  }
  if (Array.isArray(value))
    return value.flatMap((entry, index) => plainnessFaults(`${path}[${index}]`, entry));
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, entry]) => plainnessFaults(`${path}.${key}`, entry));
  }
  return [];
}

/** Names the values that may be Outputs instead of this one. */
const mayBeOutput = (path: string): string =>
  path === "topology.proxy"
    ? "httpProxy, httpsProxy and noProxy in it may be Outputs"
    : "an address may be an Output under a key of addresses";

/**
 * One fault for each required input that is absent. In TypeScript the compiler reports it; in the other languages and
 * JavaScript only this check does. `required` maps each input to the text that states what to write there.
 */
export function missingInputFaults(
  inputs: object | null | undefined,
  required: Readonly<Record<string, string>>,
): Fault[] {
  const given: Readonly<Record<string, unknown>> = { ...inputs };
  return Object.entries(required)
    .filter(([name]) => given[name] === undefined || given[name] === null)
    .map(([path, remedy]) => ({ path, problem: "missing", remedy }));
}

/**
 * Derives a result from a value: at once if the value is plain at every depth, otherwise when it is known. Plain results show
 * in previews and reach policies even if other values are not known yet.
 */
export function whenKnown<T>(value: unknown, derive: (plain: unknown) => T): T | pulumi.Output<T> {
  if (!holdsUnknown(knownPart(value))) return derive(value);
  const eventual = pulumi.output(value) as pulumi.Output<unknown>;
  return eventual.apply((known) => derive(known) as pulumi.Input<T>) as pulumi.Output<T>;
}
