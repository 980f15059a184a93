import { isList, isMap, NOT_KNOWN, SECRET, typeOf, withHolder, type Json, type Steps } from "./json";

/** What is done to one value. */
export interface Change {
  name: string;
  /**
   * Whether the value says something else now than it may say there: a rule that reads it has to judge it, to name it as
   * not known, or to find it.
   */
  isWrong: boolean;
  /** Whether a violation may not vanish without a word: the value was not taken away. */
  keepsValue: boolean;
  /** A text stands there now. */
  isText?: boolean;
  /** Only previews can write it. */
  ofPreviews?: true;
  /** The list or object around the value afterwards; undefined where the change means nothing there. */
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

/** Values at the edge of a type. What they mean differs from place to place. */
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

/** Everything that may happen to a value. */
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

/** A value with one place in it changed; undefined where the change means nothing there. */
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
