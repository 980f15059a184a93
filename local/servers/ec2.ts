import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { compiled } from "../repository";
import type { Ec2Tool } from "../toolchain/moto";
import { onFreePort } from "./ports";
import { supervise } from "./supervised";
import { waitUntilReady } from "./ready";

/** An EC2 API on loopback. */
export interface Ec2Api {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

export interface Ec2Options {
  readonly tool: Ec2Tool;
  /** Holds the journal from which the next start restores everything. */
  readonly folder: string;
  /** The port to use if it is free. */
  readonly wantedPort?: number;
}

/** Takes seconds on a quiet machine, minutes on a busy one; the wait stops when the server has ended. */
const PATIENCE_MS = 300_000;

/** Starts moto with the state it had when it was stopped; uses an API that already runs as it is. */
export async function startEc2({ tool, folder, wantedPort }: Ec2Options): Promise<Ec2Api> {
  if ("endpoint" in tool) {
    return {
      endpoint: tool.endpoint,
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? "test",
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? "test",
      stop: () => Promise.resolve(),
    };
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return onFreePort(wantedPort, (port) => startGateway(tool.python, folder, port));
}

async function startGateway(python: string, folder: string, port: number): Promise<Ec2Api> {
  const accessKeyId = `AKIA${randomBytes(10).toString("hex").slice(0, 16).toUpperCase()}`;
  const configuration = join(folder, "gateway.json");
  rmSync(configuration, { force: true });
  writeFileSync(
    configuration,
    JSON.stringify({ python, port, journal: join(folder, "journal.jsonl"), accessKeyId }),
    { mode: 0o600 },
  );
  const server = supervise(process.execPath, [compiled("local/servers/ec2Gateway"), configuration], {
    name: "ec2",
    folder,
  });
  const endpoint = `http://127.0.0.1:${port}`;
  // Sends the key, so that another server on this port is not mistaken for the one that was started.
  const headers = { authorization: `Credential=${accessKeyId}/` };
  await waitUntilReady("the EC2 API", server, PATIENCE_MS, () =>
    fetch(`${endpoint}/ready`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    endpoint,
    accessKeyId,
    secretAccessKey: randomBytes(30).toString("base64"),
    stop: () => server.stop(),
  };
}
