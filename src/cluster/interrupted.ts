import { constants } from "node:os";

import type { LiveCheck } from "./liveCheck";

/** Somebody ended what was waited for. */
export class Interrupted extends Error {
  /** What of the probes could not be removed; none where all are. Absent where none were made. */
  removal?: readonly LiveCheck[];

  constructor(readonly by: NodeJS.Signals) {
    super(by);
  }

  /** What shells expect of a program that a signal ended. */
  get status(): number {
    return 128 + constants.signals[this.by];
  }
}
