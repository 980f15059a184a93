import { readAhead } from "../plan/readAhead";

/** The first large file that the arguments name. Imported before everything else, all of which is loaded meanwhile. */
export const ahead = readAhead(process.argv.slice(2));
