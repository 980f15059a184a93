import { makeRunBook } from "../runBook/makeRunBook";
import { Outcome, type RunBook } from "../runBook";
import { jsonDocument } from "../text";
import type { Loaded } from "./commands";
import { comparedClusters, currentState, TOLERATED, type CurrentPlace } from "./changeSides";
import { liveOptions } from "./liveOptions";
import { configurationOf, orUnusable, planOf, Unusable } from "./plans";
import { runBookMarkdown, runBookText } from "./runBookReport";
import { CLEAN, FINDINGS } from "./terminal";

/** `hypershift-network plan [PATH...] --change CURRENT`, `hypershift-network plan [PATH...] --live` */
export const changeCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const { cluster, format } = options;
    const place = placeOf(options);
    const wanted = await planOf(paths, configurationOf(options, paths, terminal, TOLERATED), terminal);
    const current = await currentState(place, terminal);
    const books = comparedClusters(current, wanted, cluster).map(({ change: sides, assumptions }) =>
      makeRunBook(sides, assumptions),
    );
    terminal.out(WRITERS[format ?? "text"]!(books));
    return books.every(({ outcome }) => DONE.has(outcome)) ? CLEAN : FINDINGS;
  });

/** Where the current state is: one place. */
function placeOf(options: Options): CurrentPlace {
  const { change } = options;
  const live = liveOptions("plan", options);
  if (change !== undefined && live)
    throw new Unusable([
      "hypershift-network plan: --change and --live both say the current state: leave out --change to read it from the cluster, or --live (and --ec2) to read it from the file",
    ]);
  if (live && !live.cluster)
    throw new Unusable([
      "hypershift-network plan: --ec2 has no HostedClusters: write --live beside it, for the management cluster that has them",
    ]);
  if (live) return { live };
  if (change === undefined || change === "")
    throw new Unusable([
      "hypershift-network plan: name the current state with --change, or read it from the management cluster with --live",
    ]);
  return { path: change };
}

type Options = Parameters<Loaded>[1];

/** What nothing stands against. */
const DONE: ReadonlySet<Outcome> = new Set([Outcome.NothingToDo, Outcome.InPlace]);

const WRITERS: Readonly<Record<string, (books: RunBook[]) => string>> = {
  text: runBookText,
  markdown: runBookMarkdown,
  json: (books) => jsonDocument({ version: 1, hostedClusters: books }),
};
