import { setFlagsFromString } from "node:v8";

/**
 * A command is over before most machine code has paid for its making, which was a third of what a check of a large plan took:
 * V8 makes it for what runs very often, and copies less into one piece.
 */
export const SETTINGS = ["--interrupt-budget=300000", "--max-inlined-bytecode-size-cumulative=200"];

/** Tells V8 that this process ends soon. */
export function expectShortRun(): void {
  for (const setting of SETTINGS) setFlagsFromString(setting);
}
