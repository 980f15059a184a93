import * as pulumi from "@pulumi/pulumi";
import { isGiven } from "./inputShape";
import type { GivenValue } from "./givenValues";

/** Values of other resources by their place in the inputs. */
export type CheckedValues = ReadonlyMap<string, pulumi.Output<string>>;

/** The values that are given, none of which is seen before the check of all inputs has passed. */
export function checkedValues(check: pulumi.Output<unknown>, values: readonly GivenValue[]): CheckedValues {
  return new Map(
    values
      .filter(({ value }) => isGiven(value))
      .map(({ path, value }) => [path, check.apply(() => pulumi.output(value as pulumi.Input<string>))]),
  );
}
