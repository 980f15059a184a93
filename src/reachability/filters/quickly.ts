import { isEmpty, type PacketSet } from "../packets";
import type { Filter } from "./filter";
import { QuickAnswer } from "./orderedBlocks";
import { clausesAbout, preparedOf } from "./prepared";

/** What is quickly seen of packets that have to pass one filter; undefined where that takes a closer look. */
export function quickly(filter: Filter, required: PacketSet): QuickAnswer | undefined {
  const known = preparedOf(filter);
  const answer = known.ordered?.answer(required);
  if (answer || !known.onlyAllows) return answer;
  const { index } = known;
  if (index.surelyContains(required)) return QuickAnswer.Allows;
  if (index.surelyMisses(required)) return QuickAnswer.DropsSome;
  // No rule has to do with any of them.
  if (!isEmpty(required) && clausesAbout(filter, required).length === 0) return QuickAnswer.DropsSome;
  return index.surelyDoubts(required) ? QuickAnswer.Doubts : undefined;
}
