import { readAhead } from "../plan/readAhead";

/** Options whose file is written. */
const WRITTEN: ReadonlySet<string | undefined> = new Set(["-o", "--out"]);

const given = process.argv.slice(2);

/** The first large file that the arguments name. Imported before everything else, all of which is loaded meanwhile. */
export const prefetched = readAhead(given.filter((_, position) => !WRITTEN.has(given[position - 1])));
