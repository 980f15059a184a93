import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { OvnTools } from "../toolchain/ovn";
import { outputOf } from "../toolchain/command";
import { ask } from "./jsonRpc";
import { Tracer } from "./ovnTrace";
import { waitUntilReady } from "./ready";
import { supervise, type Supervised } from "./supervised";

/** An operation of the OVSDB protocol (RFC 7047, section 5.2). */
export type Operation = Readonly<Record<string, unknown>>;

/** OVN's databases and its translator to logical flows, without a data path. */
export interface Ovn {
  /** Holds its databases, sockets and logs. */
  readonly folder: string;
  /** Whether its northbound database has this column. */
  hasColumn(table: string, column: string): boolean;
  /** Changes the northbound database, and waits until the logical flows are updated. */
  change(operations: readonly Operation[]): Promise<void>;
  /** The path of a packet of a new connection that enters a switch, in the words of `ovn-trace`. */
  trace(network: string, microflow: string): Promise<string>;
  /** Stops all its processes and deletes their folder. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 60_000;
const ASK_AGAIN_MS = 20;
const SOCKET = "db.sock";

/** Starts the databases in a new temporary folder, on Unix sockets. */
export async function startOvn(tools: OvnTools): Promise<Ovn> {
  const ovn = new RunningOvn(tools);
  try {
    await ovn.start();
    return ovn;
  } catch (error) {
    await ovn.stop();
    throw error;
  }
}

class RunningOvn implements Ovn {
  readonly folder = mkdtempSync(join(tmpdir(), "ovn-"));
  private readonly env: NodeJS.ProcessEnv;
  private readonly servers: Supervised[] = [];
  private readonly remote = `unix:${join(this.folder, SOCKET)}`;
  private readonly tracer: Tracer;
  private round = 0;

  constructor(private readonly tools: OvnTools) {
    const own = Object.fromEntries(
      ["OVN_RUNDIR", "OVN_LOGDIR", "OVN_DBDIR", "OVS_RUNDIR", "OVS_LOGDIR", "OVS_DBDIR"].map((name) => [
        name,
        this.folder,
      ]),
    );
    this.env = { ...process.env, ...own, ...tools.env };
    const program = tools.programs["ovn-trace"];
    this.tracer = new Tracer({ program, folder: this.folder, database: this.remote, env: this.env });
  }

  async start(): Promise<void> {
    const { programs, schemas } = this.tools;
    const databases = ["nb.db", "sb.db"].map((file) => join(this.folder, file));
    for (const [position, file] of databases.entries())
      await outputOf(programs["ovsdb-tool"], ["create", file, schemas[position]!], this.env);
    await this.serve("ovsdb-server", [`--remote=p${this.remote}`, ...databases]);
    // ovn-northd creates this row if there is none, and there must be exactly one.
    await this.northbound([{ op: "insert", table: "NB_Global", row: {} }]);
    await this.serve("ovn-northd", [`--ovnnb-db=${this.remote}`, `--ovnsb-db=${this.remote}`]);
  }

  hasColumn(table: string, column: string): boolean {
    const schema = JSON.parse(readFileSync(this.tools.schemas[0], "utf8")) as {
      tables: Record<string, { columns: object }>;
    };
    return Object.hasOwn(schema.tables[table]?.columns ?? {}, column);
  }

  async change(operations: readonly Operation[]): Promise<void> {
    this.round += 1;
    const row = { nb_cfg: this.round };
    await this.northbound([...operations, { op: "update", table: "NB_Global", where: [], row }]);
    const question = { op: "select", table: "NB_Global", where: [], columns: ["sb_cfg"] };
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const [answer] = await this.northbound([question]);
      if ((answer as { rows: { sb_cfg: number }[] }).rows[0]?.sb_cfg === this.round) break;
      if (Date.now() > deadline) throw new Error(`ovn-northd made no flows within ${PATIENCE_MS / 1000} s`);
      await sleep(ASK_AGAIN_MS);
    }
    await this.tracer.stop();
  }

  trace(network: string, microflow: string): Promise<string> {
    return this.tracer.trace(network, microflow);
  }

  async stop(): Promise<void> {
    await this.tracer.stop();
    for (const server of this.servers.reverse()) await server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async northbound(operations: readonly Operation[]): Promise<unknown[]> {
    const answers = await ask<unknown[]>(join(this.folder, SOCKET), "transact", [
      "OVN_Northbound",
      ...operations,
    ]);
    const refusal = answers.find((answer) => Object.hasOwn(answer ?? {}, "error"));
    if (refusal) throw new Error(`the northbound database refuses: ${JSON.stringify(refusal)}`);
    return answers;
  }

  private async serve(program: "ovsdb-server" | "ovn-northd", args: readonly string[]): Promise<void> {
    const control = join(this.folder, `${program}.ctl`);
    const server = supervise(
      this.tools.programs[program],
      [`--unixctl=${control}`, "-vconsole:warn", "-vsyslog:off", ...args],
      { name: program, folder: this.folder, cwd: this.folder, env: this.env },
    );
    this.servers.push(server);
    const answers = () =>
      ask(control, "version", []).then(
        () => true,
        () => false,
      );
    await waitUntilReady(program, server, PATIENCE_MS, answers);
  }
}
