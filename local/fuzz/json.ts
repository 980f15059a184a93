import { stepTo } from "../../src/resources/read";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** How previews represent a string that is not known yet, and a secret. */
export const NOT_KNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const SECRET = "[secret]";

/** The keys and indices that lead to a value. */
export type Steps = readonly (string | number)[];

/** The path as findings write it: `spec.egress[3].to`, `metadata.labels["a.b/c"]`. */
export const pathOf = (steps: Steps): string =>
  steps.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? step : `${text}${stepTo(step)}`;
  }, "");

/** The path with `[]` for every index, so that similar places are equal. */
export const shapeOf = (path: string): string => path.replaceAll(/\[\d+\]/g, "[]");

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !isList(value);

export const typeOf = (value: Json): string =>
  value === null ? "null" : isList(value) ? "list" : typeof value;

/** Every value inside a value, with its path; without the value itself. */
export function* placesIn(value: Json, steps: Steps = []): Generator<{ steps: Steps; value: Json }> {
  if (steps.length > 0) yield { steps, value };
  if (isList(value)) for (const [at, entry] of value.entries()) yield* placesIn(entry, [...steps, at]);
  else if (isMap(value))
    for (const [key, entry] of Object.entries(value)) yield* placesIn(entry, [...steps, key]);
}

/** The value at a path. */
export const valueAt = (value: Json | undefined, steps: Steps): Json | undefined =>
  steps.reduce<Json | undefined>(
    (inside, step) =>
      isList(inside) ? inside[step as number] : isMap(inside) ? inside[step as string] : undefined,
    value,
  );

/** Returns the value with the list or object that holds the given place changed. */
export function withHolder(
  value: Json,
  steps: Steps,
  change: (holder: Json, last: Steps[number]) => Json,
): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (rest.length === 0) return change(value, step);
  if (isList(value)) return value.map((entry, at) => (at === step ? withHolder(entry, rest, change) : entry));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === step ? withHolder(entry, rest, change) : entry,
    ]),
  );
}
