import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { NotReady } from "./ready";

/**
 * Below the ephemeral ports, which systems assign to connections and to servers that bind any port: from 32768 on Linux, from 49152
 * elsewhere. Such a port may be taken before the server that it was found for listens, or while it restarts.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const ATTEMPTS = 5;

/** A free TCP port on loopback: the wanted one if it is free, else a random one below the ephemeral ports. */
export async function freePort(wanted?: number): Promise<number> {
  const port = wanted ?? randomInt(FIRST_PORT, LAST_PORT + 1);
  return (await isFree(port)) ? port : freePort();
}

/** Starts a server on a free port; tries another one if that port is taken in the meantime. */
export async function onFreePort<Server>(
  wanted: number | undefined,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort(attempt === 1 ? wanted : undefined));
    } catch (error) {
      if (!(error instanceof NotReady && error.portTaken) || attempt === ATTEMPTS) throw error;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" || error.code === "EACCES" ? resolve(false) : reject(error),
    );
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

/** The ports of the last start in a state folder: reused if they are free, so that addresses stay the same. */
export function rememberedPorts(stateFolder: string): Partial<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(join(stateFolder, "ports.json"), "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}

/** Records the ports of these addresses for the next start. */
export function rememberPorts(stateFolder: string, urls: Readonly<Record<string, string>>): void {
  const ports = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, Number(new URL(url).port)]),
  );
  writeFileSync(join(stateFolder, "ports.json"), JSON.stringify(ports), { mode: 0o600 });
}
