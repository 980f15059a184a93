import type { EngineEvent } from "@pulumi/pulumi/automation";

type Counts = Readonly<Record<string, number>>;

/**
 * How many resources a run created, updated, left the same and so on, as the engine reports at its end. The summary that the
 * Automation API returns is the newest entry of the stack's history, and that is an older run's when the clock was set back.
 */
export async function changesOf(
  run: (onEvent: (event: EngineEvent) => void) => Promise<unknown>,
): Promise<Counts> {
  let counts: Counts | undefined;
  await run(({ summaryEvent }) => {
    if (summaryEvent) counts = summaryEvent.resourceChanges;
  });
  if (!counts) throw new Error("the engine ended without a summary");
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
