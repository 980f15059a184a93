import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { compiled } from "../../local/repository";
import { processRuns, signal } from "../../local/servers/processes";
import { reapServers, supervise } from "../../local/servers/supervised";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "supervised-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A server that starts a helper, writes both process ids into a file and stays; with `stubborn` it ignores SIGTERM. */
const server = (file: string, stubborn = false) => [
  "-e",
  `${stubborn ? 'process.on("SIGTERM", () => {});' : ""}
   const helper = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
   require("fs").writeFileSync(${JSON.stringify(file)}, process.pid + " " + helper.pid);
   setInterval(() => {}, 1000);`,
];

async function idsIn(file: string): Promise<number[]> {
  while (!existsSync(file) || readFileSync(file, "utf8") === "") {
    await sleep(20);
  }
  return readFileSync(file, "utf8").split(" ").map(Number);
}

async function gone(ids: number[]): Promise<boolean> {
  for (let waited = 0; waited < 120_000 && ids.some(processRuns); waited += 50) {
    await sleep(50);
  }
  return !ids.some(processRuns);
}

describe("a supervised server", () => {
  test("stops together with the processes that it started", async () => {
    const file = join(folder, "ids");
    const running = supervise(process.execPath, server(file), { name: "server", folder });
    const ids = await idsIn(file);
    expect(ids.every(processRuns)).toBe(true);
    await running.stop();
    expect(await gone(ids)).toBe(true);
    expect(running.running()).toBe(false);
  });

  test("is killed if it ignores SIGTERM", async () => {
    const file = join(folder, "ids");
    const running = supervise(process.execPath, server(file, true), { name: "server", folder });
    const ids = await idsIn(file);
    await running.stop();
    expect(await gone(ids)).toBe(true);
  });

  test("stops when the program that started it is killed with SIGKILL", async () => {
    const file = join(folder, "ids");
    const program = `
      const { supervise } = require(${JSON.stringify(compiled("local/servers/supervised"))});
      supervise(process.execPath, ${JSON.stringify(server(file))}, { name: "server", folder: ${JSON.stringify(folder)} });
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["-e", program], { stdio: "inherit" });
    const ids = await idsIn(file);
    parent.kill("SIGKILL");
    expect(await gone(ids)).toBe(true);
  });

  test("is stopped by the next start if its supervisor was killed", async () => {
    const file = join(folder, "ids");
    const running = supervise(process.execPath, server(file), { name: "server", folder });
    const ids = await idsIn(file);
    const record = join(folder, "server.pid");
    const content = readFileSync(record, "utf8");
    signal(running.group, "SIGKILL");
    await running.exited;
    expect(ids.every(processRuns)).toBe(true);
    writeFileSync(record, content);
    await reapServers(folder);
    expect(await gone(ids)).toBe(true);
    expect(existsSync(record)).toBe(false);
  });

  test("reports its exit status and output, and keeps its log readable only by the user", async () => {
    const running = supervise(process.execPath, ["-e", "console.log('no room'); process.exit(7)"], {
      name: "server",
      folder,
    });
    expect(await running.exited).toBe(7);
    expect(running.output()).toContain("no room");
    expect(statSync(join(folder, "server.log")).mode & 0o077).toBe(0);
  });

  test("ends with status 127 if the command does not exist", async () => {
    expect(await supervise("/no/such/server", [], { name: "server", folder }).exited).toBe(127);
  });
});
