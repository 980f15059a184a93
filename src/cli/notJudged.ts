import { plural } from "../plural";
import { isJudged } from "../resources/judgedTypes";
import type { JudgedResources } from "../gate/judgedResources";
import type { Verdict } from "../gate/verdict";
import { leftUnjudged, some } from "../gate/notJudged";

/** What a reader of a report without findings has to know: nothing of some inputs was judged, or not all that could be. */
export function notJudged(judged: JudgedResources, { rules }: Verdict): string[] {
  if (rules.length === 0) return ["every rule is disabled: nothing was judged"];
  const { resources, clusters } = judged;
  if (clusters.length === 0 && !resources.some(({ type }) => isJudged(type))) return [noKind(judged)];
  return leftUnjudged(judged);
}

function noKind({ resources }: JudgedResources): string {
  const kinds = [...new Set(resources.map(({ type }) => type.slice(type.lastIndexOf(":") + 1)))].sort();
  return `nothing was judged: no rule looks at any of the kinds in the ${plural(resources.length, "resource")} (${some(kinds)})`;
}
