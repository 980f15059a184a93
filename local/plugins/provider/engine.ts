import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

import type { Call } from "./kind";

/** How often a provider looks whether the engine that started it still lives. */
const PARENT_CHECK_MS = 250;

/** The engine as a provider sees it: someone to tell things, whose end is the provider's end. */
export class Engine {
  private client: EngineClient | undefined;
  private readonly controller = new AbortController();

  /** Calls that have not been answered yet. */
  private underWay = 0;
  /** Whether the engine cancelled while calls were under way: not all of what was done reached its state, perhaps. */
  cutOff = false;

  /** Fires when the engine cancels, which it also does when it ends in good order. */
  readonly signal: Call["signal"] = this.controller.signal;

  /** Takes the address at which the engine listens, however it was learnt. */
  connect(address: string | undefined): void {
    if (address && !this.client) this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Does the work of a call. */
  async serving<T>(work: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
    }
  }

  cancel(): void {
    this.cutOff ||= this.underWay > 0;
    this.controller.abort(new Error("cancelled"));
  }

  /** Shows a line to the user. A line that cannot be delivered is not worth failing for. */
  log(severity: "info" | "warning" | "status", message: string, urn = ""): void {
    const request = new LogRequest();
    request.setSeverity(severity === "warning" ? LogSeverity.WARNING : LogSeverity.INFO);
    request.setEphemeral(severity === "status");
    request.setMessage(message);
    request.setUrn(urn);
    this.client?.log(request, () => undefined);
  }
}

/** Ends the process when the engine that started it is gone, however it went. */
export function endWithParent(onGone: () => void = () => process.exit(0)): NodeJS.Timeout {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent || !isAlive(parent)) onGone();
  }, PARENT_CHECK_MS);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
