import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** A free TCP port on the loopback interface: the wanted one when it is free, else any. */
export async function freePort(wanted = 0): Promise<number> {
  const port = await portIfFree(wanted);
  return port ?? freePort();
}

function portIfFree(wanted: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" || error.code === "EACCES" ? resolve(undefined) : reject(error),
    );
    server.listen({ port: wanted, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : undefined));
    });
  });
}

/** The ports of the last start in a state folder: taken again when they are free, so that addresses stay the same. */
export function rememberedPorts(stateFolder: string): Partial<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(join(stateFolder, "ports.json"), "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}

/** Keeps the ports of these addresses for the next start. */
export function rememberPorts(stateFolder: string, urls: Readonly<Record<string, string>>): void {
  const ports = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, Number(new URL(url).port)]),
  );
  writeFileSync(join(stateFolder, "ports.json"), JSON.stringify(ports), { mode: 0o600 });
}
