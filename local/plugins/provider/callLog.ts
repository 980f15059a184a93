import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** One call of the engine to a provider, as the log of calls holds it: one JSON text a line. */
export interface LoggedCall {
  /** `Check`, `Diff`, `Create`, `Read`, `Update`, `Delete`, `CheckConfig`, `DiffConfig`, `Configure`, `Invoke`. */
  method: string;
  /** The provider: `aws`. */
  provider: string;
  /** Empty for calls that are about no resource. */
  urn: string;
  /** The type of the resource, or the token of the function. */
  type: string;
  /** Create and Update only; an Invoke where the engine says so. */
  preview?: boolean;
}

/** When the engine is to be killed, or a call to be held up, as tests of interrupted deployments ask for it. */
export interface Interruption {
  /** The file in which the calls of all providers together are counted; it becomes a log of calls too. */
  counter: string;
  /** The number of the call, from 1. */
  at: number;
  /** Count only the calls that change something: a create, update or delete that is no preview. Defaults to all calls. */
  counting?: "changes";
  /** Count only the calls to this provider. Defaults to all providers. */
  provider?: string;
  /** Before the call is served, or after its work is done and before the engine hears of it. */
  when: "before" | "after";
  /** No process is killed: the call is not served before this file is there. */
  heldUntil?: string;
}

/** Names of the environment variables by which tests ask for an interruption or a log of calls. */
export const INTERRUPT_VARIABLE = "HYPERSHIFT_NETWORK_INTERRUPT";
export const CALL_LOG_VARIABLE = "HYPERSHIFT_NETWORK_CALL_LOG";

const LOOK_EVERY_MS = 20;

/** Records calls, and kills the engine at the one that a test named. Does nothing unless the environment asks for it. */
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

  /** Does the work of a call, unless this is the call at which everything ends. */
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
    // A call that fails has an answer too, and that is not to arrive either.
    await work().catch(() => undefined);
    return this.killEngine();
  }
}

/** Whether the provider changes something when it serves the call. */
export function isChange({ method, preview = false }: LoggedCall): boolean {
  return ["Create", "Update", "Delete"].includes(method) && !preview;
}

/** Appends the call and says the how-manieth line that is: appending is atomic among processes, counting is not. */
function append(file: string, call: LoggedCall): number {
  const mark = randomUUID();
  appendFileSync(file, `${JSON.stringify({ ...call, mark })}\n`);
  return (
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((line) => line.includes(mark)) + 1
  );
}

/** The calls that a log holds, in the order in which they arrived. */
export function readCalls(file: string): LoggedCall[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LoggedCall);
}

function killParent(): Promise<never> {
  process.kill(process.ppid, "SIGKILL");
  // No reply, ever: the process ends as soon as it sees that the engine is gone.
  return new Promise<never>(() => undefined);
}
