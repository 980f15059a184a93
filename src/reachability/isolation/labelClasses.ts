import { selected, type Maybe } from "../../resources/kubernetesObject";
import { append } from "../../resources/maps";
import { isObject, read, readText, readValue } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";

/** Labels of an object, all of them. */
export type Labels = Readonly<Record<string, string>>;

/** More label sets than anybody waits for. */
const MOST = 20_000;

/** Whether a selector selects an object with these labels and no others. */
export const selectsLabels = (selector: PropertyValue | undefined, labels: Labels): Maybe =>
  selected(selector, { labels, complete: true });

/**
 * One set of labels for each way in which these selectors tell objects apart: made of each key absent, with each value that a
 * selector names, and with one that none names. What holds for all of them holds for every object. `undefined` where they are
 * too many.
 */
export function labelClasses(selectors: readonly PropertyValue[]): Labels[] | undefined {
  const classes = new Map<string, Labels>();
  const every = everyLabels(valuesByKey(selectors));
  const selecting = every && selectingIndex(selectors);
  for (const labels of every ?? []) {
    const way = selecting!(labels);
    if (!classes.has(way)) classes.set(way, labels);
  }
  return every && [...classes.values()];
}

/** Which selectors select, or may select, an object with given labels: one text for each set of them. */
function selectingIndex(selectors: readonly PropertyValue[]): (labels: Labels) => string {
  // What demands a label selects nothing without it.
  const demanding = new Map<string, number[]>();
  const others: number[] = [];
  for (const [position, selector] of selectors.entries()) {
    const label = demandedLabel(selector);
    if (label === undefined) others.push(position);
    else append(demanding, label, [position]);
  }
  return (labels) => {
    const asked = Object.entries(labels).flatMap(([key, value]) => demanding.get(labelOf(key, value)) ?? []);
    return [...others, ...asked]
      .map((position) => [position, selectsLabels(selectors[position], labels)] as const)
      .filter(([, selects]) => selects !== false)
      .map(([position, selects]) => `${position} ${selects}`)
      .sort()
      .join();
  };
}

const labelOf = (key: string, value: string): string => `${key}\n${value}`;

function demandedLabel(selector: PropertyValue): string | undefined {
  const labels = readValue(selector, "matchLabels");
  const [found] = Object.entries(isObject(labels) ? labels : {}).filter(
    ([, value]) => typeof value === "string",
  );
  return found && labelOf(found[0], found[1] as string);
}

function everyLabels(values: ReadonlyMap<string, ReadonlySet<string>>): Labels[] | undefined {
  const count = [...values.values()].reduce((product, named) => product * (named.size + 2), 1);
  if (count > MOST) return undefined;
  return [...values].reduce<Labels[]>(
    (sets, [key, named]) => {
      const given = [...named, unnamed(named)].map((value) => ({ [key]: value }));
      return [{}, ...given].flatMap((label) => sets.map((labels) => ({ ...labels, ...label })));
    },
    [{}],
  );
}

function valuesByKey(selectors: readonly PropertyValue[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const note = (key: string, values: readonly PropertyValue[]) => {
    const known = all.get(key) ?? new Set();
    all.set(key, known);
    for (const value of values) if (typeof value === "string") known.add(value);
  };
  for (const selector of selectors) {
    const matchLabels = readValue(selector, "matchLabels");
    for (const [key, value] of Object.entries(isObject(matchLabels) ? matchLabels : {})) note(key, [value]);
    for (const { value } of read(selector, "matchExpressions[]")) {
      const key = readText(value, "key");
      if (typeof key === "string")
        note(
          key,
          read(value, "values[]").map((entry) => entry.value),
        );
    }
  }
  return all;
}

function unnamed(values: ReadonlySet<string>): string {
  let other = "other";
  while (values.has(other)) other += "s";
  return other;
}
