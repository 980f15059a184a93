import { MOST_LISTED, onceForEach } from "../collections";
import type { KubernetesKind } from "../resources/resourceTypes";
import type { Origin, Resource } from "../resources/resource";
import { plural } from "../text";
import { plainDocument } from "./plainYaml";
import { lineAt, type Positions, yamlTrees } from "./yamlTree";
import { positionsOf } from "./yamlValue";

/** What was read from all inputs. */
export class Inputs {
  resources: Resource[] = [];
  /** Old states of resources that previews change or delete and that write into lists of others. */
  readonly former: Resource[] = [];
  /** Rules of security groups that previews delete, which happens after all other steps. */
  readonly deleted: Resource[] = [];
  /** All faults that prevent the inputs from being judged. */
  readonly faults: InputFault[] = [];
  /** What the user should know although nothing is wrong: `values.yaml contains nothing to judge`. */
  readonly notes: string[] = [];
  /** How many files were read. */
  files = 0;
  /** What was read other than files: `the cluster`. */
  readonly live: string[] = [];
  /** The kinds of Kubernetes objects that were read from a running cluster. */
  readonly liveKinds: KubernetesKind[] = [];
  /** Whether a document states that there is nothing: the preview or export of an empty stack, or a list without objects. */
  saysNothing = false;
  readonly lines = new Lines();

  /** Whether nothing was read that could be judged, and no document states that there is nothing. */
  get isVoid(): boolean {
    return this.resources.length === 0 && this.live.length === 0 && !this.saysNothing;
  }

  /** The line of a property in the file that it was read from. */
  lineOf(origin: Origin, path: string): number | undefined {
    return this.lines.lineOf(origin, path);
  }
}

/** A fault at a place in an input that prevents it from being judged. */
export interface InputFault {
  /** The file, see `Origin`; `stdin` for standard input. */
  file: string;
  /** From 1; absent if the fault concerns the whole file. */
  line?: number;
  /** From 1. */
  column?: number;
  /** What is wrong; never a value of the input, which may be a secret. */
  problem: string;
  /** The fix. */
  remedy: string;
}

/** `plan.json:3:17` */
export function placeOf({ file, line, column }: Pick<InputFault, "file" | "line" | "column">): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
}

/** `plan.json:3:17  ends in the middle of a value: write the file again` */
export function describeInputFault(fault: InputFault): string {
  return `${placeOf(fault)}  ${fault.problem}: ${fault.remedy}`;
}

/** The faults that are shown, and a line about the others. */
export function shownFaults<Fault>(faults: readonly Fault[]): { shown: readonly Fault[]; rest: string[] } {
  const more = faults.length - MOST_LISTED;
  return {
    shown: faults.slice(0, MOST_LISTED),
    rest:
      more > 0
        ? [`${plural(more, "fault")} more, which ${more === 1 ? "is" : "are"} not shown: fix these first`]
        : [],
  };
}

/** A line for each fault that is shown, and one about the others. */
export function describeInputFaults(faults: readonly InputFault[]): string[] {
  const { shown, rest } = shownFaults(faults);
  return [...shown.map(describeInputFault), ...rest];
}

/** The line and column, from 1, of a byte of UTF-8. Columns count UTF-16 units, as in editors and JavaScript. */
export function lineAndColumn(bytes: Buffer, position: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1 && end < position; end = bytes.indexOf(0x0a, start)) {
    line++;
    start = end + 1;
  }
  let column = 1;
  for (let at = start; at < position; at++) column += unitsOf(bytes[at]!);
  return { line, column };
}

/** Continuation bytes begin no character; the first byte of four begins a character of two units. */
const unitsOf = (byte: number): number => ((byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1);

/** A text that is parsed by itself: a file or a part of one. */
export interface ParsedText {
  text: string;
  /** The line of the file, from 1, on which it begins. */
  line: number;
}

/** The place of an object in a file. */
export interface SourceLocation {
  part: ParsedText;
  /** The index of the document in the part. */
  document: number;
  /** The path in the document: `items[3]`; empty for the document itself. */
  path: string;
}

/**
 * The lines of properties in manifests. A text is parsed for them once, on the first request: most texts have no findings,
 * and some have thousands.
 */
export class Lines {
  readonly #places = new WeakMap<Origin, SourceLocation>();

  /** Remembers the place of an object. */
  remember(origin: Origin, place: SourceLocation): void {
    this.#places.set(origin, place);
  }

  /** The line of a property, or of what would contain it; the line of the object if nothing better is known. */
  lineOf(origin: Origin, path: string): number | undefined {
    const place = this.#places.get(origin);
    const document = place && positionsIn(place.part)[place.document];
    if (!document) return origin.line;
    const whole = [place.path, path].filter((text) => text !== "").join(".");
    return lineAt(document, whole) + place.part.line - 1;
  }
}

const positionsIn = onceForEach(({ text }: ParsedText): readonly Positions[] => {
  const plain = plainDocument(text);
  if (plain) return [plain.positions()];
  const { documents, lines } = yamlTrees(text);
  return documents.map((document) => positionsOf(document, lines));
});
