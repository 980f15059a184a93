import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A call from the engine to a provider, as recorded in the log of calls: one line of JSON for each. */
export interface LoggedCall {
  /** `Check`, `Diff`, `Create`, `Read`, `Update`, `Delete`, `CheckConfig`, `DiffConfig`, `Configure`, `Invoke`. */
  method: string;
  /** The provider: `aws`. */
  provider: string;
  /** Empty for calls that do not concern a resource. */
  urn: string;
  /** The type of the resource, or the token of the function. */
  type: string;
  /** Only for Create and Update, and for Invoke if the engine sets it. */
  preview?: boolean;
}

/** Requests to kill the engine or to hold up a call, for tests of interrupted deployments. */
export interface Interruption {
  /** The file that counts the calls of all providers; it also serves as a log of calls. */
  counter: string;
  /** The number of the call, from 1. */
  at: number;
  /** Counts only calls that change something: a create, update or delete that is not a preview. Defaults to all calls. */
  counting?: "changes";
  /** Counts only calls to this provider. Defaults to all providers. */
  provider?: string;
  /** Before the call is served, or after its work is done but before the engine gets the reply. */
  when: "before" | "after";
  /** Kills no process: the call is not served before this file exists. */
  heldUntil?: string;
}

/** Environment variables by which tests request an interruption or a log of calls. */
export const INTERRUPT_VARIABLE = "HYPERSHIFT_NETWORK_INTERRUPT";
export const CALL_LOG_VARIABLE = "HYPERSHIFT_NETWORK_CALL_LOG";

const LOOK_EVERY_MS = 20;

/** Records calls, and kills the engine at the call that a test selected. Does nothing by default. */
export class CallLog {
  private readonly interruption: Interruption | undefined;
  private readonly file: string | undefined;

  constructor(
    environment: NodeJS.ProcessEnv = process.env,
    private readonly killEngine: () => Promise<never> = killParent,
  ) {
    const asked = environment[INTERRUPT_VARIABLE];
    this.interruption = asked ? (JSON.parse(asked) as Interruption) : undefined;
    this.file = environment[CALL_LOG_VARIABLE];
  }

  /** Does the work of a call, unless the engine is to be killed at this call. */
  async around<T>(call: LoggedCall, work: () => Promise<T>): Promise<T> {
    if (this.file) append(this.file, call);
    if (!this.interruption) return work();
    const { counter, at, counting, provider = call.provider, when, heldUntil } = this.interruption;
    if ((counting === "changes" && !isChange(call)) || provider !== call.provider) return work();
    const reached = append(counter, call) === at;
    if (reached && heldUntil !== undefined) {
      while (!existsSync(heldUntil)) await sleep(LOOK_EVERY_MS);
      return work();
    }
    if (reached && when === "before") return this.killEngine();
    if (!reached) return work();
    // A failed call has a reply too, which must not arrive either.
    await work().catch(() => undefined);
    return this.killEngine();
  }
}

/** Whether serving the call changes something. */
export function isChange({ method, preview = false }: LoggedCall): boolean {
  return ["Create", "Update", "Delete"].includes(method) && !preview;
}

/** Appends the call and returns its line number: appending is atomic across processes, counting is not. */
function append(file: string, call: LoggedCall): number {
  const mark = randomUUID();
  appendFileSync(file, `${JSON.stringify({ ...call, mark })}\n`);
  return (
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((line) => line.includes(mark)) + 1
  );
}

/** The calls in a log, in the order in which they arrived. */
export function readCalls(file: string): LoggedCall[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LoggedCall);
}

function killParent(): Promise<never> {
  process.kill(process.ppid, "SIGKILL");
  // Never replies: the process ends as soon as it notices that the engine is gone.
  return new Promise<never>(() => undefined);
}
