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

  /** Fires when the engine cancels. */
  readonly signal: Call["signal"] = this.controller.signal;

  /** Takes the address at which the engine listens, however it was learnt. */
  connect(address: string | undefined): void {
    if (address && !this.client) this.client = new EngineClient(address, credentials.createInsecure());
  }

  cancel(): void {
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
