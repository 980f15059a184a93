import * as pulumi from "@pulumi/pulumi";

/** What stands behind outputs that are registered value by value. */
const values = new WeakMap<pulumi.Output<unknown>, unknown>();

/**
 * An output made of values of which some may be Outputs. The SDK hands on an Output as a whole or not at all: registered so,
 * one address that a preview does not know would hide the whole topology from policies and from `check`.
 */
export function leafwise<T>(value: T): pulumi.Output<pulumi.Unwrap<T>> {
  const output = pulumi.output(value);
  values.set(output, value);
  return output;
}

/** What is registered for an output: the values behind it, where each is resolved by itself. */
export const registered = (output: pulumi.Output<unknown>): unknown => values.get(output) ?? output;
