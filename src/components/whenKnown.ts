import * as pulumi from "@pulumi/pulumi";
import { holdsUnknown } from "../objects/places";
import { knownPart } from "./checked";

/**
 * What follows from a value: at once where it is plain at every depth, else when it is known. Plain results show in
 * previews and reach policies although other values are not known yet.
 */
export function whenKnown<T>(value: unknown, derive: (plain: unknown) => T): T | pulumi.Output<T> {
  if (!holdsUnknown(knownPart(value))) return derive(value);
  const eventual = pulumi.output(value) as pulumi.Output<unknown>;
  return eventual.apply((known) => derive(known) as pulumi.Input<T>) as pulumi.Output<T>;
}
