import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Task, usageOf } from "../check/measure";
import { commandLines, PACK, type Row } from "./rows";

/** The limit of n log n growth, with a margin for caches that overflow. */
export const LIMIT = 2.3;
/** Milliseconds of processor time from which a size is doubled for the last time. */
const ENOUGH = 700;
/** Bytes of input from which a size is doubled for the last time, because input that is hardly processed would fill disks. */
const LARGE = 16e6;
/** Smaller results are not judged, because start-up, the steps in which the heap grows, and chance dominate them. */
const JUDGED = { milliseconds: 500, megabytes: 250 } as const;
/** A process that takes longer exceeds its limit. */
const WITHIN = 60_000;
/** Preparing a measurement, such as writing a certificate, may take longer than the measured command. */
const BEFORE_WITHIN = 300_000;
/** How often both sizes are measured before the limit counts as exceeded: other load and garbage collections are random. */
const TURNS = 6;
/**
 * How much garbage V8 keeps depends on how fast it collects, so twice the input may show up to four times the memory. With these
 * options it collects whenever the heap has grown by a fifth: what remains is what a command needs.
 */
const COLLECTED = ["--single-threaded-gc", "--heap-growing-percent=20"];

/** The measurement of one size, without what the command takes for a count of one. */
interface Sized {
  count: number;
  /** Bytes of its input. */
  bytes: number;
  worked: number;
  peak: number;
  written: number;
}

/** The growth of a row. */
export interface Growth {
  row: string;
  title: string;
  small: Sized;
  large: Sized;
  /** Milliseconds of processor time for a count of one, which are subtracted: starting node and loading the package. */
  start: number;
  /** Why the work itself is quadratic, if it is. */
  pairs?: string;
  kept: boolean;
}

/** The factor by which a measure grew; undefined if the measure is too small to judge. */
export function ratioOf({ small, large }: Growth, of: "worked" | "peak"): number | undefined {
  const least = of === "worked" ? JUDGED.milliseconds : JUDGED.megabytes;
  return large[of] < least ? undefined : large[of] / Math.max(small[of], 1);
}

/** The allowed factor: larger if the output grows faster, or if every pair must be judged. */
export const limitOf = ({ small, large, pairs }: Growth): number =>
  Math.max(pairs === undefined ? LIMIT : 2 * LIMIT, (1.15 * large.written) / Math.max(small.written, 1));

const keepsLimit = (growth: Growth, of: "worked" | "peak"): boolean =>
  (ratioOf(growth, of) ?? 0) <= limitOf(growth);

/** Measures a row: doubles the size until it takes most of a second or its input is large, and then once more. */
export function growthOf(root: string, row: Row): Growth {
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-growth-"));
  const usage = (count: number, options: readonly string[] = []) =>
    usageAt(root, row, count, join(folder, `${count}`), options);
  try {
    const first = [usage(1), usage(1)];
    const [start, base] = (["worked", "peak"] as const).map((of) => Math.min(...first.map((one) => one[of])));
    const leanest = (size: Sized): Sized => ({
      ...size,
      peak: Math.min(size.peak, Math.max(usage(size.count, COLLECTED).peak - base!, 0)),
    });
    const sized = (count: number): Sized => {
      const { bytes, worked, peak, written = 0 } = usage(count);
      return { count, bytes, worked: Math.max(worked - start!, 0), peak: Math.max(peak - base!, 0), written };
    };
    const { upTo = Infinity, from } = row.dimension;
    let small = sized(from);
    while (small.worked < ENOUGH && small.bytes < LARGE && small.count * 4 <= upTo)
      small = sized(small.count * (isFarFrom(small, upTo) ? 4 : 2));
    let growth = judged(row, start!, small, sized(small.count * 2));
    for (let turn = 1; turn < TURNS && !keepsLimit(growth, "peak"); turn++)
      growth = judged(row, start!, leanest(growth.small), leanest(growth.large));
    const fastest = (size: Sized): Sized => ({
      ...size,
      worked: Math.min(size.worked, sized(size.count).worked),
    });
    for (let turn = 1; turn < TURNS && !keepsLimit(growth, "worked"); turn++)
      growth = judged(row, start!, fastest(growth.small), fastest(growth.large));
    return growth;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a size can be multiplied by four, and doubled after that, without becoming too large. */
const isFarFrom = ({ worked, bytes, count }: Sized, upTo: number): boolean =>
  worked < ENOUGH / 5 && bytes * 2 < LARGE && count * 8 <= upTo;

function judged({ name, dimension }: Row, start: number, small: Sized, large: Sized): Growth {
  const { title, pairs } = dimension;
  const growth: Growth = { row: name, title, small, large, start, ...(pairs && { pairs }), kept: true };
  return { ...growth, kept: keepsLimit(growth, "worked") && keepsLimit(growth, "peak") };
}

function usageAt(root: string, row: Row, count: number, folder: string, options: readonly string[]) {
  const { before, measured } = commandLines(row, count, folder);
  const bytes = bytesIn(folder);
  const main = join(root, "dist", "src", "cli", "main.js");
  const task = ([command = "", ...rest]: readonly string[]): Task => ({
    arguments: [
      ...options,
      ...(command === PACK
        ? [join(root, "dist", "bench", "growth", "packProcess.js"), ...rest]
        : [main, command, ...rest]),
    ],
    statuses: row.dimension.refused ? [0, 1, 2] : [0, 1],
  });
  for (const one of before) usageOf(task(one), { within: BEFORE_WITHIN });
  return { bytes, ...usageOf(task(measured), { output: join(folder, "written"), within: WITHIN }) };
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
