import { readAhead } from "../plan/readAhead";

/** Options whose file is an output. */
const WRITTEN: ReadonlySet<string | undefined> = new Set(["-o", "--out"]);

const given = process.argv.slice(2);

/** The first large file among the arguments. Import this before everything else, so that the file is read while the rest is loaded. */
export const prefetched = readAhead(given.filter((_, position) => !WRITTEN.has(given[position - 1])));
