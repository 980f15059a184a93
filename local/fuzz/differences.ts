import type { Breach, Checked, Packed, Said } from "./outcome";

/** Rule and place of a text; the rest may differ, because resources by themselves may be described in other words than in a whole stack. */
const placeIn = (text: string): string => text.split(": ", 1)[0]!;

/** Differences between the results of `check` and the pack. */
export function differences({ status, said }: Checked, pack: Packed): Breach[] {
  const breach = (detail: string): Breach => ({ invariant: "check and pack differ", detail });
  if (status === 2) {
    const isRefused = pack.violations.some((text) => text.startsWith("topology "));
    return isRefused ? [] : [breach("check refuses the input, and the pack says nothing of it")];
  }
  const texts = (which: Said["status"]) => said.filter((one) => one.status === which);
  const violations = new Set(texts("violated").map(({ rule, text }) => placeIn(`${rule} ${text}`)));
  const unknown = new Set(texts("unknown").map(({ text }) => text));
  const places = new Set(texts("unknown").map(({ urn, path }) => JSON.stringify([urn, path])));
  const ofPack = new Set(pack.violations.map(placeIn));
  const more = pack.violations.filter((text) => !violations.has(placeIn(text)));
  const less = [...violations].filter((text) => !ofPack.has(text));
  const strange = pack.unknown.filter((text) => !unknown.has(text));
  const detail = [
    ...more.map((text) => `only the pack: ${text}`),
    ...less.map((text) => `only check: ${text}`),
    ...strange.map((text) => `unknown only to the pack: ${text}`),
    ...(places.size === pack.unknown.length ? [] : ["other numbers of unknown values"]),
  ];
  return detail.length === 0 ? [] : [breach(detail.join("\n"))];
}

/** The line number of another object differs between the forms. */
const LINE = /\bstdin:\d+/g;

const wordsOf = ({ rule, status, path, text, urn }: Said): string =>
  `${rule} ${status} ${urn} ${path} ${text.replace(LINE, "stdin")}`;

/** Differences between the results for two forms of the same input. */
export function sameSaid(invariant: "order" | "forms differ", one: Checked, other: Checked): Breach[] {
  if (one.status !== other.status) return [{ invariant, detail: `${one.status} and ${other.status}` }];
  const [first, second] = [one, other].map(({ said }) => new Set(said.map(wordsOf))) as [
    Set<string>,
    Set<string>,
  ];
  const detail = [
    ...[...first].filter((text) => !second.has(text)).map((text) => `only the first: ${text}`),
    ...[...second].filter((text) => !first.has(text)).map((text) => `only the second: ${text}`),
  ];
  return detail.length === 0 ? [] : [{ invariant, detail: detail.join("\n") }];
}
