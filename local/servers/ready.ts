import { setTimeout as sleep } from "node:timers/promises";

import type { Supervised } from "./supervised";

/** Thrown if a server ended or did not answer in time. */
export class NotReady extends Error {
  /** Whether another process listens on the port, by the messages of Node.js, Go and Python. */
  get portTaken(): boolean {
    return /EADDRINUSE|address already in use/i.test(this.message);
  }
}

const ASK_AGAIN_MS = 50;
const ANSWER_MS = 30_000;
const LAST_LINES = 20;

/** Polls until the server is ready; fails with the end of its log if the server ends first or takes too long. */
export async function waitUntilReady(
  name: string,
  server: Supervised,
  patience: number,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + patience;
  const ended = server.exited.then(() => false);
  // Another process on this port may accept connections and never answer: do not wait for it past the server's end or deadline.
  const answered = () => Promise.race([isReady(), ended, sleep(ANSWER_MS, false, { ref: false })]);
  while (!(await answered())) {
    if (!server.running() || Date.now() > deadline) {
      await server.stop();
      const what =
        Date.now() > deadline ? `does not answer after ${patience / 1000} s` : "ended at its start";
      throw new NotReady(
        `${name} ${what}\n${server.output().trimEnd().split("\n").slice(-LAST_LINES).join("\n")}`,
      );
    }
    await sleep(ASK_AGAIN_MS);
  }
}
