import { setTimeout as sleep } from "node:timers/promises";

import type { Supervised } from "./supervised";

/** A server ended, or did not answer in time. */
export class NotReady extends Error {}

const ASK_AGAIN_MS = 50;

/** Asks until the server is ready; fails with the end of its log when it ends before or takes too long. */
export async function waitUntilReady(
  name: string,
  server: Supervised,
  patience: number,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await isReady())) {
    if (!server.running() || Date.now() > deadline) {
      await server.stop();
      const what =
        Date.now() > deadline ? `does not answer after ${patience / 1000} s` : "ended at its start";
      throw new NotReady(`${name} ${what}\n${server.output().trimEnd().split("\n").slice(-8).join("\n")}`);
    }
    await sleep(ASK_AGAIN_MS);
  }
}
