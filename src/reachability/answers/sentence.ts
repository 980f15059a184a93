import { plural } from "../../plural";
import type { FlowCounts } from "./answer";

/** `8 of 49 documented flows proved, 30 assumed, 11 unknown, 0 refuted`: the same words wherever proofs are counted. */
export function flowsSentence({ proved, assumed, unknown, refuted, optionalRefuted }: FlowCounts): string {
  const all = proved + assumed + unknown + refuted;
  const counts = `${proved} of ${plural(all, "documented flow")} proved, ${assumed} assumed, ${unknown} unknown, ${refuted} refuted`;
  const dropped =
    optionalRefuted > 0
      ? `, and ${plural(optionalRefuted, "flow that not every pod needs is", "flows that not every pod needs are")} dropped`
      : "";
  return `${counts}${dropped}${proved > 0 || all === 0 ? "" : ": this plan proves nothing"}`;
}
