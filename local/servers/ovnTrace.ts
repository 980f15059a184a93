import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { outputOf } from "../toolchain/command";
import { ask } from "./jsonRpc";
import { processRuns, signal } from "./processes";

/** How `ovn-trace` is run. */
export interface TracerOptions {
  readonly program: string;
  /** Holds its socket and the record of its process. */
  readonly folder: string;
  /** The southbound database: `unix:/tmp/ovn/db.sock`. */
  readonly database: string;
  readonly env: NodeJS.ProcessEnv;
}

const ASK_AGAIN_MS = 20;

/**
 * `ovn-trace` needs a connection state at each firewall on the path; without one it assumes an established connection, which allows
 * more. It reads all states from its command line at its start: when they are used up, another one is started.
 */
const STATES = 20_000;
const STATES_OF_ONE_PACKET = 50;

/** Traces packets through the logical flows as they are at the first packet, or at the first packet after a stop. */
export class Tracer {
  private readonly control: string;
  private readonly record: string;
  private statesLeft = 0;
  /** Traces one packet at a time: a program whose states are used up is stopped before the next packet. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly options: TracerOptions) {
    this.control = join(options.folder, "trace.ctl");
    this.record = join(options.folder, "trace.pid");
  }

  /** The path of a packet of a new connection that enters a switch. */
  trace(network: string, microflow: string): Promise<string> {
    const answer = this.last.then(() => this.traceNext(network, microflow));
    this.last = answer.then(
      () => {},
      () => {},
    );
    return answer;
  }

  private async traceNext(network: string, microflow: string): Promise<string> {
    if (this.statesLeft < STATES_OF_ONE_PACKET) await this.start();
    const answer = await ask<string>(this.control, "trace", [network, microflow]);
    this.statesLeft -= answer.match(/^ct_next\(/gm)?.length ?? 0;
    return answer;
  }

  /** `ovn-trace` reads the flows at its start, then answers on a socket, and ends by itself when the database ends. */
  private async start(): Promise<void> {
    await this.stop();
    const { program, database, env } = this.options;
    const states = Array.from({ length: STATES }, () => "--ct=new");
    const args = [`--pidfile=${this.record}`, `--unixctl=${this.control}`, `--db=${database}`];
    const start = outputOf(program, ["--detach", "--no-chdir", "-vsyslog:off", ...args, ...states], env);
    await start.catch((error: Error) => {
      throw new Error(error.message.replaceAll(" --ct=new", ""));
    });
    this.statesLeft = STATES;
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.statesLeft = 0;
    if (!existsSync(this.record)) return;
    const process = Number(readFileSync(this.record, "utf8"));
    signal(process, "SIGTERM");
    // The process removes the file when it ends, but its parent may be slow to reap it.
    while (existsSync(this.record) && processRuns(process)) await sleep(ASK_AGAIN_MS);
    [this.record, this.control].forEach((file) => rmSync(file, { force: true }));
  }
}
