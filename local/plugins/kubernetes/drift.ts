import { equal, isMap, type Props, type Value } from "../provider";

/** The part of a live value that the program's inputs set. */
export function prune(live: Value, inputs: Value): Value {
  if (isMap(live) && isMap(inputs)) {
    const spoken = Object.keys(inputs).filter((name) => live[name] !== undefined);
    return Object.fromEntries(spoken.map((name) => [name, prune(live[name], inputs[name])]));
  }
  if (Array.isArray(live) && Array.isArray(inputs)) {
    return live.map((item, index) => (index < inputs.length ? prune(item, inputs[index]) : item));
  }
  return live;
}

/**
 * The inputs that would produce the live object: those of the program, except where the live value has changed since the state was
 * recorded. Values that the server only formats differently ("0.5" as "500m") are no change.
 */
export function drifted(inputs: Props, before: Props, now: Props): Props {
  return moved(inputs, before, now) as Props;
}

function moved(input: Value, before: Value, now: Value): Value {
  if (equal(before, now)) return input;
  if (isMap(input) && isMap(before) && isMap(now)) {
    const entries = Object.keys(input).map((name): [string, Value] => [
      name,
      moved(input[name], before[name], now[name]),
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (Array.isArray(input) && Array.isArray(before) && Array.isArray(now) && sameLength(input, before, now)) {
    return input.map((item, index) => moved(item, before[index], now[index]));
  }
  return now === undefined ? undefined : prune(now, input);
}

const sameLength = (...lists: Value[][]): boolean => new Set(lists.map(({ length }) => length)).size === 1;
