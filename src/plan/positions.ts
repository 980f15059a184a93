import type { Document, LineCounter } from "yaml";

import { yaml } from "./yaml";
import { keyOf } from "./yamlValue";

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
