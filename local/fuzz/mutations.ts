import { isList, isMap, NOT_KNOWN, SECRET, typeOf, withHolder, type Json, type Steps } from "./json";

/** A change of one value. */
export interface Change {
  name: string;
  /** Whether the new value is invalid at its place: a rule that reads it must judge it, report it as unknown, or raise a finding. */
  isWrong: boolean;
  /** Whether a violation must not disappear silently, because the value was not removed. */
  keepsValue: boolean;
  /** Whether the new value is a string. */
  isText?: boolean;
  /** Only previews can contain it. */
  ofPreviews?: true;
  /** Returns the list or object around the value after the change; undefined if the change does not apply there. */
  apply: (holder: Json, step: Steps[number], value: Json) => Json | undefined;
}

const put =
  (by: Json) =>
  (holder: Json, step: Steps[number]): Json | undefined =>
    isList(holder)
      ? holder.with(step as number, by)
      : isMap(holder)
        ? Object.fromEntries(Object.entries(holder).map(([key, value]) => [key, key === step ? by : value]))
        : undefined;

/** One value of every type, none of which could be read as another type: a string of digits would be a number. */
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

/** Edge cases of a type. Their meaning differs from place to place. */
const edges = Object.entries({
  "empty text": "",
  "text of a number": "10250",
  "text of a switch": "true",
  "negative number": -1,
  fraction: 0.5,
  "empty list": [],
  "empty object": {},
} satisfies Record<string, Json>).map(([name, by]): Change => ({
  ...taken(name, put(by)),
  isText: typeof by === "string",
}));

const hidden = (name: string, by: Json): Change => ({
  name,
  isWrong: false,
  keepsValue: true,
  ofPreviews: true,
  apply: put(by),
});

/** All changes of a value. */
export const changes: readonly Change[] = [
  ...swaps,
  ...edges,
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

/** The value with a change at one place; undefined if the change does not apply there. */
export function changed(whole: Json, steps: Steps, change: string): Json | undefined {
  let isApplied = false;
  const after = withHolder(whole, steps, (holder, step) => {
    const value = isList(holder)
      ? holder[step as number]
      : isMap(holder)
        ? holder[step as string]
        : undefined;
    const made = value === undefined ? undefined : changeNamed(change).apply(holder, step, value);
    isApplied = made !== undefined;
    return made ?? holder;
  });
  return isApplied ? after : undefined;
}
