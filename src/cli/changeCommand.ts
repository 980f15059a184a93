import { makeRunBook, Outcome, type RunBook } from "../runBook";
import type { Loaded } from "./commands";
import { comparedClusters, currentState, TOLERATED } from "./changeSides";
import { configurationOf, orUnusable, planOf, Unusable } from "./plans";
import { runBookMarkdown, runBookText } from "./runBookReport";
import { CLEAN, FINDINGS } from "./terminal";

/** `hypershift-network plan [PATH...] --change CURRENT` */
export const changeCommand: Loaded = (paths, { config, change, cluster, format }, terminal) =>
  orUnusable(terminal, async () => {
    if (change === undefined || change === "")
      throw new Unusable(["hypershift-network plan: name the current state with --change"]);
    const wanted = await planOf(paths, configurationOf(config, TOLERATED), terminal);
    const current = await currentState(change, terminal);
    const books = comparedClusters(current, wanted, cluster).map(({ change: sides, assumptions }) =>
      makeRunBook(sides, assumptions),
    );
    terminal.out(WRITERS[format ?? "text"]!(books));
    return books.every(({ outcome }) => DONE.has(outcome)) ? CLEAN : FINDINGS;
  });

/** What nothing stands against. */
const DONE: ReadonlySet<Outcome> = new Set([Outcome.NothingToDo, Outcome.InPlace]);

const WRITERS: Readonly<Record<string, (books: RunBook[]) => string>> = {
  text: runBookText,
  markdown: runBookMarkdown,
  json: (books) => `${JSON.stringify({ version: 1, hostedClusters: books }, undefined, 2)}\n`,
};
