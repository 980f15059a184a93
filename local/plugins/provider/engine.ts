import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

import type { Call } from "./kind";

/** How often a provider checks whether the engine that started it is still running. */
const PARENT_CHECK_MS = 250;

/** The provider's connection to the engine. The provider ends when the engine ends. */
export class Engine {
  private client: EngineClient | undefined;
  private readonly controller = new AbortController();

  /** The number of calls without a reply. */
  private underWay = 0;
  /** Whether the engine cancelled while calls were in progress: some changes may be missing in its state. */
  cutOff = false;

  /** Fires when the engine cancels, which it also does at a normal end. */
  readonly signal: Call["signal"] = this.controller.signal;

  /** Connects to the engine at the address, unless already connected. */
  connect(address: string | undefined): void {
    if (address && !this.client) this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Runs the work of a call and counts it as in progress. */
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

  /** Shows a line to the user. Ignores a failure to deliver it. */
  log(severity: "info" | "warning" | "status", message: string, urn = ""): void {
    const request = new LogRequest();
    request.setSeverity(severity === "warning" ? LogSeverity.WARNING : LogSeverity.INFO);
    request.setEphemeral(severity === "status");
    request.setMessage(message);
    request.setUrn(urn);
    this.client?.log(request, () => undefined);
  }
}

/** Ends the process when the engine that started it is gone, for whatever reason. */
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
