import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { program } from "../../../src/cli/program";
import { oneOf, randomFrom } from "../random";
import { mutatedBytes } from "./mutations";
import { keptFor, seedsFor } from "./seeds";
import { type Target, targets } from "./targets";

/** Bytes that a command reads. */
export interface ByteCase {
  target: Target;
  bytes: Buffer;
}

/** More processor time than reading one of these small files may take. */
const MOST_MS = 5_000;
const STATUSES: ReadonlySet<number> = new Set([0, 1, 2]);
/** A stack frame as Node.js prints it. */
const FRAME = /^ {2,}at .*(?:\.[jt]s:\d|node:)/m;
/** Control characters that terminals interpret; file content must not reach a terminal with them. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const OBEYED = /[\0-\x08\x0B-\x1F\x7F\u202A-\u202E\u2066-\u2069]/;

/** Feeds bytes to commands, and checks the output. */
export class ByteFuzzer {
  readonly #folder = mkdtempSync(join(tmpdir(), "hypershift-network-bytes-"));
  readonly #seeds = new Map<Target, readonly Buffer[]>();

  constructor() {
    for (const target of targets)
      for (const [name, text] of Object.entries(target.beside)) this.#put(target, name, text);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Generates `count` cases, the same for the same seed; the targets take turns. */
  *cases(count: number, seed: number): Generator<ByteCase> {
    const random = randomFrom(seed);
    for (let made = 0; made < count; made++) {
      const target = targets[made % targets.length]!;
      const seeds = this.#seeds.get(target) ?? seedsFor(target);
      this.#seeds.set(target, seeds);
      yield { target, bytes: mutatedBytes(oneOf(seeds, random), random, oneOf(seeds, random)) };
    }
  }

  /** The fault in how a command handles the bytes; undefined if there is none. */
  async breach({ target, bytes }: ByteCase): Promise<string | undefined> {
    this.#put(target, target.file, bytes);
    const [seen, start] = [{ out: "", error: "" }, process.cpuUsage()];
    try {
      const status = await program({
        out: (text) => void (seen.out += text),
        error: (text) => void (seen.error += text),
        stdin: (async function* () {})(),
        colors: false,
        isWatched: false,
        now: () => 0,
      }).run(target.args(join(this.#folder, target.name)));
      if (!STATUSES.has(status)) return `ends with status ${status}`;
      if (status === 2 && seen.error === "") return "ends with status 2 and says nothing";
    } catch (error) {
      return `throws ${error instanceof Error ? error.stack : String(error)}`;
    }
    const { user } = process.cpuUsage(start);
    if (user > MOST_MS * 1_000) return `takes ${Math.round(user / 1_000)} ms`;
    const frame = FRAME.exec(seen.error);
    if (frame) return `prints a stack: ${frame[0]}`;
    const obeyed = OBEYED.exec(seen.out + seen.error);
    return obeyed ? `prints the character ${obeyed[0].codePointAt(0)}` : undefined;
  }

  /** Fewer bytes that still cause a fault: removes halves, then quarters, and so on, as long as the fault remains. */
  async minimised(found: ByteCase): Promise<ByteCase> {
    let { bytes } = found;
    for (let size = Math.ceil(bytes.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let from = 0; from < bytes.length;) {
        const fewer = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + size)]);
        if (await this.breach({ ...found, bytes: fewer })) bytes = fewer;
        else from += size;
      }
    return { ...found, bytes };
  }

  #put(target: Target, name: string, content: string | Buffer): void {
    const file = join(this.#folder, target.name, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Every file in the corpus, unchanged. */
export const corpusCases = (): ByteCase[] =>
  targets.flatMap((target) => keptFor(target.name).map((bytes) => ({ target, bytes })));
