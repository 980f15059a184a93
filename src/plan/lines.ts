import type { Document } from "yaml";

import type { Origin } from "../resources/resource";
import { yaml } from "./yaml";
import { yamlTrees } from "./yamlTree";

/** Where an object stands in a file. */
export interface Place {
  /** The part of the file that was parsed by itself, and the line, from 1, on which it begins. */
  part: { text: string; line: number };
  /** Which document of the part. */
  document: number;
  /** Where in it: `items[3]`; empty for the document itself. */
  path: string;
}

/** The lines of properties in manifests. They are looked for when somebody asks: findings are few, properties many. */
export class Lines {
  readonly #places = new WeakMap<Origin, Place>();

  /** Remembers where an object was read. */
  remember(origin: Origin, place: Place): void {
    this.#places.set(origin, place);
  }

  /** The line of a property, or of what would hold it; the object's own where nobody knows better. */
  lineOf(origin: Origin, path: string): number | undefined {
    const place = this.#places.get(origin);
    if (!place) return origin.line;
    const { documents, lines } = yamlTrees(place.part.text);
    const document = documents[place.document];
    const offset = document && offsetOf(document, [place.path, path].filter((text) => text !== "").join("."));
    return offset === undefined ? origin.line : lines.linePos(offset).line + place.part.line - 1;
  }
}

/** Where the value at a path begins, or what would hold it. */
export function offsetOf(document: Document, path: string): number | undefined {
  const steps = stepsOf(path);
  for (let length = steps.length; length >= 0; length--) {
    const node: unknown = document.getIn(steps.slice(0, length), true);
    if (yaml().isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

/** `spec.egress[3].to["a.b"]` as keys and positions. */
function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\["([^"]*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, position, key]) => quoted ?? key ?? Number(position),
  );
}
