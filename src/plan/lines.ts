import type { Origin } from "../resources/resource";
import { lineAt, positionsOf, type Positions } from "./positions";
import { yamlTrees } from "./yamlTree";

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
 * The lines of properties in manifests. A text is parsed for them when somebody first asks, and once: most have no findings,
 * and some have thousands.
 */
export class Lines {
  readonly #places = new WeakMap<Origin, Place>();
  readonly #positions = new WeakMap<ParsedText, readonly Positions[]>();

  /** Remembers where an object was read. */
  remember(origin: Origin, place: Place): void {
    this.#places.set(origin, place);
  }

  /** The line of a property, or of what would hold it; the object's own where nobody knows better. */
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
