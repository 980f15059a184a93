import type { Stack } from "@pulumi/pulumi/automation";

/**
 * The same stack, whose runs return neither outputs nor a summary: for these the Automation API starts up to three more commands of
 * the engine after each run, and the tests only check events and existing objects.
 */
export function withoutSummary(stack: Stack): Stack {
  const bare = Object.assign(Object.create(stack) as Stack, {
    outputs: () => Promise.resolve({}),
    info: () => Promise.resolve(undefined),
  });
  return Object.assign(Object.create(stack) as Stack, {
    up: bare.up.bind(bare),
    refresh: bare.refresh.bind(bare),
    destroy: bare.destroy.bind(bare),
  });
}
