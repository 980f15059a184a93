import * as pulumi from "@pulumi/pulumi";
import { inspect } from "node:util";
import { describeFaults, type Fault } from "../fault";
import { visible } from "../text";
import { isFirst } from "./claims";

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

/** Shows warnings beside the resource that they are about; the deployment goes on. */
export function warn(component: pulumi.Resource, warnings: readonly string[]): void {
  for (const warning of warnings) void pulumi.log.warn(visible(warning), component);
}

/** Says once in a program what holds for all components of a kind. */
export function noteOnce(component: pulumi.Resource, note: string): void {
  if (isFirst(component, note)) void pulumi.log.info(visible(note), component);
}

/** Findings as log lines: place, what is the matter, and the way out. */
export const sentences = (findings: readonly Fault[]): string[] =>
  findings.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
