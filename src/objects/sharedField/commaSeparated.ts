import type { Merge, Share } from "./merge";

/** The entries of a text with commas between them. Spaces around an entry do not belong to it. */
export function commaSeparatedEntries(text: string | undefined): string[] {
  return segmentsOf(text)
    .map((segment) => segment.trim())
    .filter((entry) => entry !== "");
}

/**
 * A text with commas between its entries, such as noProxy, with the wanted entries behind those that stand there. What
 * stands there keeps its place, its spaces and its empty entries. Nothing is missing that an entry covers.
 */
export function mergeCommaSeparated(
  current: string | undefined,
  { wanted, ours }: Share<string>,
  covers: (present: string, entry: string) => boolean = (present, entry) => present === entry,
): Merge<string | undefined, string> {
  const dropped = ours.filter((entry) => !wanted.includes(entry));
  const kept = withoutOneOfEach(segmentsOf(current), dropped);
  const present = kept.map((segment) => segment.trim());
  const missing = [...new Set(wanted)].filter((entry) => !present.some((one) => covers(one, entry)));
  const text = [...kept, ...missing].join(",");
  return {
    value: text === "" && current === undefined ? undefined : text,
    ours: [...ours.filter((entry) => wanted.includes(entry) && present.includes(entry)), ...missing],
    conflicts: [],
  };
}

/** Somebody else may have written the same entry after us: only one of two is ours. */
function withoutOneOfEach(segments: readonly string[], dropped: readonly string[]): string[] {
  const left = new Set(dropped);
  return segments.filter((segment) => !left.delete(segment.trim()));
}

const segmentsOf = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : text.split(",");
