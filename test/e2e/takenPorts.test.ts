import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { freePort } from "../../local/servers/ports";
import { startSession, type Session } from "../../local/session";

let folder: string;
let session: Session | undefined;
const others: Server[] = [];
const connections: Socket[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "taken-ports-"));
});
afterEach(async () => {
  await session?.stop();
  connections.forEach((connection) => connection.destroy());
  await Promise.all(others.map((other) => new Promise((resolve) => other.close(resolve))));
  rmSync(folder, { recursive: true, force: true });
});

/** The file of each server that exists once its port is chosen, before it listens. */
const WRITTEN_BEFORE = { ec2: "ec2/gateway.json", kubernetes: "kubernetes/tokens.csv" };

test("servers start on other ports if another process takes theirs before they listen", async () => {
  const wanted = { ec2: await freePort(), kubernetes: await freePort() };
  writeFileSync(join(folder, "ports.json"), JSON.stringify(wanted));
  const starting = startSession({ stateFolder: folder, plugins: "stand-in" });
  await Promise.all([
    takeAfter(WRITTEN_BEFORE.ec2, wanted.ec2),
    takeAfter(WRITTEN_BEFORE.kubernetes, wanted.kubernetes),
  ]);
  session = await starting;
  const ports = JSON.parse(readFileSync(join(folder, "ports.json"), "utf8")) as typeof wanted;
  expect([ports.ec2, ports.kubernetes]).not.toContain(wanted.ec2);
  expect([ports.ec2, ports.kubernetes]).not.toContain(wanted.kubernetes);
  expect(new URL(session.awsEndpoint).port).toBe(`${ports.ec2}`);
  expect((await session.kubernetes.request("GET", "/api/v1/namespaces/default")).status).toBe(200);
});

async function takeAfter(file: string, port: number): Promise<void> {
  while (!existsSync(join(folder, file))) {
    await sleep(5);
  }
  const other = createServer((connection) => connections.push(connection));
  others.push(other);
  await new Promise<void>((resolve, reject) => {
    other.on("error", reject);
    other.listen(port, "127.0.0.1", resolve);
  });
}
