import { isObject } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import { OUR_COMPONENTS } from "./resourceTypes";

/**
 * Outputs, with the inputs where an output is not known. What the cloud decides later is unknown among the outputs
 * although it was not asked for: what was never put in is absent. What is secret among the outputs is so whatever was put in.
 */
export function knownProperties(
  type: string,
  outputs: Resource["properties"],
  inputs: Resource["properties"],
): Resource["properties"] {
  const known = withInputs(outputs, inputs) as Resource["properties"];
  // Components show as outputs what others build on, and not all that they were told.
  return type.startsWith(OUR_COMPONENTS) ? { ...inputs, ...known } : known;
}

function withInputs(output: PropertyValue, input: PropertyValue | undefined): PropertyValue {
  if (output === UNKNOWN) return input ?? null;
  if (Array.isArray(output)) return withEntries(output as PropertyValue[], input);
  if (!isObject(output)) return output;
  const given = isObject(input) ? input : {};
  const known = Object.entries(output).map(([key, value]) => [key, withInputs(value, given[key])] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}

function withEntries(output: readonly PropertyValue[], input: PropertyValue | undefined): PropertyValue {
  const given = Array.isArray(input) && input.length === output.length ? (input as PropertyValue[]) : [];
  return output.map((value, position) =>
    agree(value, given[position]) ? withInputs(value, given[position]) : value,
  );
}

/** Sets come back in another order: an entry belongs to an input only where nothing contradicts it. */
function agree(output: PropertyValue, input: PropertyValue | undefined): boolean {
  if (!isObject(output) || !isObject(input)) return isHidden(output) ? input !== undefined : true;
  return Object.entries(output).every(
    ([key, value]) =>
      typeof value === "object" || isHidden(value) || isHidden(input[key]) || (input[key] ?? value) === value,
  );
}

const isHidden = (value: PropertyValue | undefined): boolean => typeof value === "symbol";
