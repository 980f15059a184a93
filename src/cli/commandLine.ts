import { prefetched } from "./prefetch";

import { isatty } from "node:tty";

import { onLostOutput, tell, type Terminal, UNUSABLE, wantsColors } from "./terminal";
import { expectShortRun, program } from "./program";

const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  // Created on first use: most commands never read it.
  get stdin() {
    return process.stdin;
  },
  colors: wantsColors(process.env, isatty(1)),
  isWatched: isatty(2),
  ahead: prefetched,
  now: () => performance.now(),
};

process.stdout.on(
  "error",
  onLostOutput(terminal, (status) => process.exit(status)),
);
// No reader is left to tell, and the exit status says enough.
process.stderr.on("error", () => undefined);

expectShortRun();
program(terminal)
  .run(process.argv.slice(2))
  .then(
    (status) => (process.exitCode = status),
    (error: unknown) => {
      const { stack, message } = error instanceof Error ? error : new Error(String(error));
      if ((error as NodeJS.ErrnoException).syscall === "uv_cwd") {
        tell(
          terminal,
          "hypershift-network: the working folder does not exist any more: change into another one",
        );
        process.exitCode = UNUSABLE;
        return;
      }
      const shown = process.env.HYPERSHIFT_NETWORK_DEBUG ? (stack ?? message).split("\n") : [message];
      const [first = "", ...lines] = shown;
      tell(terminal, [`hypershift-network: internal error: ${first}`, ...lines]);
      process.exitCode = UNUSABLE;
    },
  );
