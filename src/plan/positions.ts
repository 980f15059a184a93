import type { Document, LineCounter } from "yaml";
import { yaml } from "./yaml";
import { keyOf } from "./yamlValue";
import type { Origin } from "../resources/resource";
import { yamlTrees } from "./yamlTree";

/** The line on which a value begins, and those of the values in it. Much smaller than the parser's tree. */
export interface Positions {
  /** From 1, counted in the text that was parsed. */
  line: number;
  inside?: ReadonlyMap<string, Positions> | readonly Positions[];
}

/** The positions of everything in a document. What an alias stands for is where the alias is. */
export const positionsOf = ({ contents }: Document, lines: LineCounter): Positions =>
  positionsIn(contents, lines, 1);

/** @param outside the line of what holds the node */
function positionsIn(node: unknown, lines: LineCounter, outside: number): Positions {
  const { isMap, isNode, isSeq } = yaml();
  const line = isNode(node) && node.range ? lines.linePos(node.range[0]).line : outside;
  if (isSeq(node)) return { line, inside: node.items.map((item) => positionsIn(item, lines, line)) };
  if (!isMap(node)) return { line };
  const inside = new Map<string, Positions>();
  for (const { key, value } of node.items) {
    const name = keyOf(key);
    if (name !== undefined) inside.set(name, positionsIn(value, lines, line));
  }
  return { line, inside };
}

/** The line of the value at a path, or of what would hold it. */
export function lineAt(positions: Positions, path: string): number {
  let place = positions;
  for (const step of stepsOf(path)) {
    const { inside } = place;
    const next = inside && ("get" in inside ? inside.get(step) : inside[Number(step)]);
    if (!next) break;
    place = next;
  }
  return place.line;
}

/** `spec.egress[3].to["a.b"]` as keys and positions. */
const stepsOf = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, position, key]) => (quoted ?? key ?? position)!,
  );

/** A text that is parsed by itself: a file, or a part of one. */
export interface ParsedText {
  text: string;
  /** The line of the file, from 1, on which it begins. */
  line: number;
}

/** Where an object stands in a file. */
export interface Place {
  part: ParsedText;
  /** Which document of the part. */
  document: number;
  /** Where in it: `items[3]`; empty for the document itself. */
  path: string;
}

/**
 * The lines of properties in manifests. A text is parsed for them on the first request, and once: most have no findings,
 * and some have thousands.
 */
export class Lines {
  readonly #places = new WeakMap<Origin, Place>();
  readonly #positions = new WeakMap<ParsedText, readonly Positions[]>();

  /** Remembers where an object was read. */
  remember(origin: Origin, place: Place): void {
    this.#places.set(origin, place);
  }

  /** The line of a property, or of what would hold it; the object's own where nothing better is known. */
  lineOf(origin: Origin, path: string): number | undefined {
    const place = this.#places.get(origin);
    const document = place && this.#positionsOf(place.part)[place.document];
    if (!document) return origin.line;
    const whole = [place.path, path].filter((text) => text !== "").join(".");
    return lineAt(document, whole) + place.part.line - 1;
  }

  #positionsOf(part: ParsedText): readonly Positions[] {
    const known = this.#positions.get(part);
    if (known) return known;
    const { documents, lines } = yamlTrees(part.text);
    const positions = documents.map((document) => positionsOf(document, lines));
    this.#positions.set(part, positions);
    return positions;
  }
}
