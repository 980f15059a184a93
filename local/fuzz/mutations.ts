import { isList, isMap, NOT_KNOWN, pathOf, SECRET, withHolder, type Json, type Steps } from "./json";
import type { FuzzedResource, Sample } from "./samples";

/** What is done to one value. */
export interface Change {
  name: string;
  /**
   * Whether the value says something else now than it may say there: a rule that reads it has to judge it, to name it as
   * not known, or to find it.
   */
  isWrong: boolean;
  /** Whether a violation may not vanish without a word: nobody took the value away. */
  keepsValue: boolean;
  /** Previews alone can write it. */
  ofPreviews?: true;
  /** The list or object around the value afterwards; undefined where the change means nothing there. */
  apply: (holder: Json, step: Steps[number], value: Json) => Json | undefined;
}

/** A change of one value of one resource. */
export interface Mutation {
  resource: number;
  steps: Steps;
  change: string;
}

const put =
  (by: Json) =>
  (holder: Json, step: Steps[number]): Json | undefined =>
    isList(holder)
      ? holder.with(step as number, by)
      : isMap(holder)
        ? Object.fromEntries(Object.entries(holder).map(([key, value]) => [key, key === step ? by : value]))
        : undefined;

const typeOf = (value: Json): string => (value === null ? "null" : isList(value) ? "list" : typeof value);

/** One value of every type, none of which stands for another type: a text of digits would be a number. */
const OF_TYPES: Readonly<Record<string, Json>> = {
  string: "nonsense",
  number: 7,
  boolean: true,
  list: ["nonsense"],
  object: { nonsense: "nonsense" },
};

const swaps = Object.entries(OF_TYPES).map(([type, by]): Change => ({
  name: type,
  isWrong: true,
  keepsValue: true,
  apply: (holder, step, value) => (typeOf(value) === type ? undefined : put(by)(holder, step)),
}));

const taken = (name: string, apply: Change["apply"]): Change => ({
  name,
  isWrong: false,
  keepsValue: false,
  apply,
});

const hidden = (name: string, by: Json): Change => ({
  name,
  isWrong: false,
  keepsValue: true,
  ofPreviews: true,
  apply: put(by),
});

/** Everything that may happen to a value. */
export const changes: readonly Change[] = [
  ...swaps,
  hidden("unknown", NOT_KNOWN),
  hidden("secret", SECRET),
  taken("null", put(null)),
  taken("missing", (holder, step) =>
    isList(holder)
      ? holder.toSpliced(step as number, 1)
      : isMap(holder)
        ? Object.fromEntries(Object.entries(holder).filter(([key]) => key !== step))
        : undefined,
  ),
  taken("doubled", (holder, step, value) =>
    isList(holder) ? holder.toSpliced(step as number, 0, value) : undefined,
  ),
  taken("renamed", (holder, step) =>
    isMap(holder)
      ? Object.fromEntries(
          Object.entries(holder).map(([key, value]) => [key === step ? `${key}X` : key, value]),
        )
      : undefined,
  ),
  taken("reordered", (holder, step, value) => {
    if (isList(value)) return value.length > 1 ? put(value.toReversed())(holder, step) : undefined;
    return isMap(value) ? put(Object.fromEntries(Object.entries(value).reverse()))(holder, step) : undefined;
  }),
];

export const changeNamed = (name: string): Change => changes.find((one) => one.name === name)!;

/** The sample after a mutation; undefined where it changes nothing. */
export function mutated(sample: Sample, { resource, steps, change }: Mutation): Sample | undefined {
  const one = sample.resources[resource];
  if (!one) return undefined;
  let applied = false;
  const properties = withHolder(one.properties, steps, (holder, step) => {
    const value = isList(holder)
      ? holder[step as number]
      : isMap(holder)
        ? holder[step as string]
        : undefined;
    const changed = value === undefined ? undefined : changeNamed(change).apply(holder, step, value);
    applied = changed !== undefined;
    return changed ?? holder;
  }) as FuzzedResource["properties"];
  if (!applied) return undefined;
  return { ...sample, resources: sample.resources.with(resource, { ...one, properties }) };
}

/** `EgressFirewall spec.egress[0].to is list` */
export const describeMutation = (sample: Sample, { resource, steps, change }: Mutation): string => {
  const type = sample.resources[resource]?.type ?? "";
  return `${type.slice(type.lastIndexOf(":") + 1)} ${pathOf(steps)}: ${change}`;
};
