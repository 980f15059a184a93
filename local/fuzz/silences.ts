import { urnOf } from "./documents";
import { pathOf, shapeOf, typeOf, valueAt } from "./json";
import { changeNamed } from "./mutations";
import type { Baseline, Breach, Checked, Said } from "./outcome";
import { partOf, type Mutation } from "./parts";
import type { Sample } from "./samples";

/**
 * A value of a wrong type that some rule reads must be reported; and if a violation disappears because a value has a wrong type or is
 * unknown, something else must be reported instead.
 */
export function silences(
  { sample, said, notes, read }: Baseline,
  mutation: Mutation,
  after: Checked,
): Breach[] {
  const { keepsValue } = changeNamed(mutation.change);
  if (!keepsValue || isSaidOtherwise(notes, after) || isPortByNumber(sample, mutation)) return [];
  const part = mutation.part as number;
  const urn = urnOf(sample.resources[part]!);
  const path = pathOf(mutation.steps);
  const isNamed = after.said.some((one) => one.urn === urn && (isNew(one, said) || isAround(one.path, path)));
  if (isNamed || said.some((one) => isMended(one, path, mutation))) return [];
  // A violation may move: another place may now violate the same rule.
  const isMoved = ({ rule }: Said) =>
    after.said.some((one) => one.rule === rule && one.status === "violated" && isNew(one, said));
  const vanished = vanishedOf(said, after).filter((one) => !isMoved(one));
  if (vanished.length > 0)
    return [{ invariant: "silence", detail: `vanished: ${vanished[0]!.rule} ${vanished[0]!.text}` }];
  if (!isWrongThere(sample, mutation) || !read[part]!.has(path)) return [];
  return [{ invariant: "silence", detail: `read, of a wrong type, and not named: ${shapeOf(path)}` }];
}

/** Turning a value into a string fixes a finding that it is not a string. */
const isMended = (one: Said, path: string, { change }: Mutation): boolean =>
  change === "string" && one.path === path && one.text.includes("is not a string");

/** Findings that disappear silently because of a change around the resources or in the configuration. */
export function lost(
  { sample, notes }: Baseline,
  said: readonly Said[],
  mutation: Mutation,
  after: Checked,
): Breach[] {
  if (maySayLess(sample, mutation)) return [];
  if (isSaidOtherwise(notes, after) || after.said.some((one) => isNew(one, said))) return [];
  const [first] = vanishedOf(said, after);
  return first ? [{ invariant: "silence", detail: `vanished: ${first.rule} ${first.text}` }] : [];
}

/**
 * Whether a change may remove findings. Settings may be removed; what the engine writes may not. But a resource with another URN or
 * type is a different one, one without properties has none, and nothing counts the resources of a stack export.
 */
function maySayLess(sample: Sample, { part, steps, change }: Mutation): boolean {
  const { keepsValue, isText } = changeNamed(change);
  if (part === "configuration") return !keepsValue;
  const value = valueAt(partOf(sample, part), steps);
  if (isText && typeof value === "string") return true;
  if (keepsValue) return false;
  const last = steps.at(-1);
  return last === "inputs" || last === "outputs" || (part === "export" && steps.includes("resources"));
}

const isSaidOtherwise = (notes: ReadonlySet<string>, after: Checked): boolean =>
  after.status === 2 || after.notes.some((note) => !notes.has(note) && !isCount(note));

/** A note on how many resources have secrets does not concern a single value. */
const isCount = (note: string): boolean => /have secret values|has secret values/.test(note);

const isNew = (one: Said, said: readonly Said[]): boolean =>
  !said.some((other) => other.rule === one.rule && other.text === one.text);

const vanishedOf = (said: readonly Said[], after: Checked): Said[] =>
  said.filter(
    (one) =>
      one.status === "violated" &&
      !after.said.some((other) => other.rule === one.rule && other.urn === one.urn),
  );

/** A port name may be replaced by a number, which is another port. */
function isPortByNumber({ resources }: Sample, { part, steps, change }: Mutation): boolean {
  const { properties } = resources[part as number]!;
  const isText = typeOf(valueAt(properties, steps) ?? null) === "string";
  return isText && change === "number" && /(?:^|\.)(?:port|targetPort)$/.test(pathOf(steps));
}

/** A provider converts a number or a boolean to a string; the API server does not. */
function isWrongThere({ resources }: Sample, { part, steps, change }: Mutation): boolean {
  const { type, properties } = resources[part as number]!;
  const isText = typeOf(valueAt(properties, steps) ?? null) === "string";
  return (
    changeNamed(change).isWrong &&
    (type.startsWith("kubernetes:") || !isText || (change !== "number" && change !== "boolean"))
  );
}

/** Whether the places are equal or one is inside the other. */
const isAround = (one: string, other: string): boolean =>
  one === other || isInside(one, other) || isInside(other, one);
const isInside = (path: string, outer: string): boolean =>
  outer === "" || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
