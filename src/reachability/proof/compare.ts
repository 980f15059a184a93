import { allowedBy, type Filter } from "../filters";
import { difference, type PacketSet } from "../packets";

/** What a change opens and closes at one place. */
export interface Change {
  /** Packets that may pass now and that surely did not before. */
  opened: PacketSet;
  /** Packets that may be dropped now and that surely passed before. */
  closed: PacketSet;
}

/** What becomes of packets when one list of filters takes the place of another. */
export function changeBetween(before: readonly Filter[], after: readonly Filter[]): Change {
  const [old, now] = [allowedBy(before), allowedBy(after)];
  return { opened: difference(now.possible, old.possible), closed: difference(old.sure, now.sure) };
}
