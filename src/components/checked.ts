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
 * Stops the program when there are faults, with all of them in one message and without a stack trace, which would
 * only show our own code. `subject` is the class and the name of the component: `EgressFirewall tenant-a`.
 */
export function refuse(component: pulumi.Resource, subject: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const message = describeFaults(subject, faults);
  const error = new pulumi.ResourceError(message, component, true);
  // The SDK would put the name of every property in front through which an Output comes; our message names the place.
  const fixed = { get: () => message, set: () => undefined };
  // It prints the stack of what is thrown inside a component provider, and for programs it renders the error with the
  // whole graph of resources that hangs on it before it decides to print only the message: minutes of work.
  Object.defineProperties(error, {
    message: fixed,
    stack: fixed,
    [inspect.custom]: { value: () => message },
  });
  throw error;
}

/** Shows warnings beside the resource that they are about, and hands them on as its output; the deployment goes on. */
export function warn(component: pulumi.Resource, warnings: readonly string[]): pulumi.Output<string[]> {
  for (const warning of warnings) void pulumi.log.warn(visible(warning), component);
  return pulumi.output([...warnings]);
}

/**
 * The same of findings. Of what a change does it warns when a child is about to be made or changed (`gated`), in previews too: a
 * deployment that changes nothing is quiet. All of them are in the output.
 */
export function warnOf(component: pulumi.Resource, findings: readonly Fault[]): pulumi.Output<string[]> {
  warn(component, sentences(findings.filter(({ ofChange }) => ofChange !== true)));
  const later = sentences(findings.filter(({ ofChange }) => ofChange === true));
  if (later.length > 0) beforeChange(component, () => void warn(component, later));
  return pulumi.output(sentences(findings));
}

/**
 * What a component registers: each Output among its properties, of which those that are undefined are absent; those made by
 * `leafwise` value by value. `leftOut` are
 * those that programs read and the state does not hold.
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

/** Says once in a program what holds for all components of a kind. */
export function noteOnce(component: pulumi.Resource, note: string): void {
  if (isFirst(component, note)) void pulumi.log.info(visible(note), component);
}

/** Findings as log lines: place, what is the matter, and the way out. */
export const sentences = (findings: readonly Fault[]): string[] =>
  findings.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);

/**
 * Finds what is wrong with inputs. It meets UNKNOWN where a value is not known yet, at any depth, and says nothing
 * about what depends on it.
 */
export type FaultFinder = (inputs: PropertyValue) => readonly Fault[];

/**
 * The verdict on inputs: plain values are refused here and now, Outputs all together as soon as those that can be known
 * are known. It fails where something is wrong; children wait for it (`gated`), and no more for it than for a yes or no:
 * it holds no value and depends on no resource. What a preview does not know keeps nothing else from being judged.
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
 * One fault for each Output or Promise inside a value that decides which resources exist and so must be plain. Blocks of a
 * topology that have a key decide nothing, and neither do the settings of its proxy.
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

/** What may be an Output in place of what is not. */
const mayBeOutput = (path: string): string =>
  path === "topology.proxy"
    ? "httpProxy, httpsProxy and noProxy in it may be Outputs"
    : "an address may be an Output under a key of addresses";

/**
 * One fault for each required input that is absent. TypeScript says it while compiling, the other languages and
 * JavaScript only find out here. `required` maps the input to what has to be written there.
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
 * What follows from a value: at once where it is plain at every depth, else when it is known. Plain results show in
 * previews and reach policies although other values are not known yet.
 */
export function whenKnown<T>(value: unknown, derive: (plain: unknown) => T): T | pulumi.Output<T> {
  if (!holdsUnknown(knownPart(value))) return derive(value);
  const eventual = pulumi.output(value) as pulumi.Output<unknown>;
  return eventual.apply((known) => derive(known) as pulumi.Input<T>) as pulumi.Output<T>;
}
