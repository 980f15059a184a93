import type { EngineEvent, OpMap, PolicyEvent } from "@pulumi/pulumi/automation";

/** The outcome of one run of the engine, collected from its events. */
export interface Outcome {
  /** Whether the engine ended with status 0. */
  succeeded: boolean;
  /** Number of resources by operation: `{ create: 40 }`. */
  changes: OpMap;
  /** Policy violations that stop the run. */
  refusals: PolicyEvent[];
  /** Policy violations that do not stop the run. */
  remarks: PolicyEvent[];
  /** Messages of the program and the engine at level warning. */
  warnings: string[];
  /** Messages of the program and the engine at level error. */
  errors: string[];
  /** Duration of the run. */
  seconds: number;
}

/** Runs the engine and collects its events. A failed run is an outcome too: only a run without any event throws. */
export async function outcomeOf(
  run: (onEvent: (event: EngineEvent) => void) => Promise<unknown>,
  onEvent: (event: EngineEvent) => void = () => undefined,
): Promise<Outcome> {
  const events: EngineEvent[] = [];
  let failure: Error | undefined;
  try {
    await run((event) => {
      events.push(event);
      onEvent(event);
    });
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  if (failure !== undefined && events.length === 0) throw failure;
  return summarize(events, failure === undefined);
}

function summarize(events: readonly EngineEvent[], succeeded: boolean): Outcome {
  const policies = unique(
    events.flatMap(({ policyEvent }) => policyEvent ?? []),
    (event) => [event.policyName, event.resourceUrn, event.message].join("\n"),
  );
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const messages = (severity: string) => [
    ...new Set(
      diagnostics
        .filter((event) => event.severity === severity && !isNoise(event.message))
        .map((event) => plain(event.message)),
    ),
  ];
  const summary = events.flatMap(({ summaryEvent }) => summaryEvent ?? []).at(-1);
  return {
    succeeded,
    changes: summary?.resourceChanges ?? {},
    refusals: policies.filter((event) => event.enforcementLevel === "mandatory"),
    remarks: policies.filter((event) => event.enforcementLevel !== "mandatory"),
    warnings: messages("warning"),
    errors: messages("error"),
    seconds: summary?.durationSeconds ?? 0,
  };
}

/** The engine reports every plugin that it uses from PATH, which users of the quick start need not know. */
function isNoise(message: string): boolean {
  return /^(warning: )?using pulumi-\S+ from \$PATH/i.test(plain(message));
}

/** Removes colour directives such as `<{%reset%}>`, which messages contain regardless of the colour setting. */
export function plain(message: string): string {
  return message.replace(/<\{%.*?%\}>/g, "").trim();
}

function unique<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
