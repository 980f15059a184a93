import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import {
  CALL_LOG_VARIABLE,
  INTERRUPT_VARIABLE,
  type Interruption,
  type LoggedCall,
  readCalls,
} from "../../../local/plugins/provider/callLog";
import { compiled } from "../../../local/repository";
import type { Session } from "../../../local/session";

const PROJECT = "hypershift-network-quickstart";
export const STACK = "interrupted";

/** How one command ended. */
export interface Run {
  /** `null` if a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Everything that the user would read. */
  readonly output: string;
}

/** Which call is the last. */
export type Moment = Omit<Interruption, "counter">;

/** The `pulumi` of a session, run as users run it, with a project that holds the program of the quick start. */
export class Engine {
  private readonly project: string;
  private readonly calls: string;

  constructor(
    private readonly session: Session,
    private readonly folder: string,
  ) {
    this.project = join(folder, "project");
    this.calls = join(folder, "calls.jsonl");
    mkdirSync(this.project, { recursive: true });
    const runtime = { name: "nodejs", options: { typescript: false } };
    const project = { name: PROJECT, runtime, main: join(this.project, "program.js") };
    writeFileSync(join(this.project, "Pulumi.yaml"), JSON.stringify(project));
    this.writeProgram();
  }

  /**
   * The program of the quick start as it was compiled: what is tried here is the engine and the providers, and hundreds of
   * compilations would be most of the time. What `change` names of the topology is other than in the repository.
   */
  writeProgram(change: object = {}): void {
    const [topology, program] = ["topology", "index"].map((name) => compiled(`examples/quickstart/${name}`));
    const lines = [
      `Object.assign(require(${JSON.stringify(topology)}).topology, ${JSON.stringify(change)});`,
      `module.exports = require(${JSON.stringify(program)});`,
    ];
    writeFileSync(join(this.project, "program.js"), `${lines.join("\n")}\n`);
  }

  /** Runs a command to its end. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
    return this.start(args, env).ended;
  }

  /** Runs a command that must succeed. */
  async mustRun(...args: string[]): Promise<void> {
    const { status, output } = await this.run(args);
    if (status !== 0) throw new Error(`pulumi ${args.join(" ")} ended with status ${status}:\n${output}`);
  }

  /** Runs a command until the engine is killed at that moment. Returns the call, or undefined if it was not killed. */
  async killedAt(moment: Moment, ...args: string[]): Promise<LoggedCall | undefined> {
    rmSync(this.calls, { force: true });
    const interruption: Interruption = { counter: this.calls, ...moment };
    const run = await this.start(args, { [INTERRUPT_VARIABLE]: JSON.stringify(interruption) }).ended;
    return run.signal === "SIGKILL" ? this.callsSoFar()[moment.at - 1] : undefined;
  }

  /** Starts a command and holds one call up: `reached` resolves when the call arrives, and it is served when released. */
  held(moment: Moment, ...args: string[]) {
    const go = join(this.folder, "go");
    for (const file of [this.calls, go]) rmSync(file, { force: true });
    const interruption: Interruption = { counter: this.calls, heldUntil: go, ...moment };
    const { child, ended } = this.start(args, { [INTERRUPT_VARIABLE]: JSON.stringify(interruption) });
    return {
      reached: async () => {
        while (child.exitCode === null && this.callsSoFar().length < moment.at) await sleep(20);
      },
      letGo: () => writeFileSync(go, ""),
      ended,
    };
  }

  /** Starts a command whose calls to providers are logged. */
  logged(...args: string[]): { child: ChildProcess; ended: Promise<Run> } {
    rmSync(this.calls, { force: true });
    return this.start(args, { [CALL_LOG_VARIABLE]: this.calls });
  }

  /** The calls of the last command. */
  callsSoFar(): LoggedCall[] {
    return existsSync(this.calls) ? readCalls(this.calls) : [];
  }

  private start(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    const file = join(this.folder, "output.txt");
    // Into a file, because a pipe stays open as long as any process that the command started.
    const output = openSync(file, "w");
    const child = spawn(this.session.pulumiCommand.command, [...args, "--non-interactive", "--color=never"], {
      cwd: this.project,
      env: { ...this.session.env, ...settings },
      stdio: ["ignore", output, output],
    });
    closeSync(output);
    const ended = new Promise<Run>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (status, signal) => resolve({ status, signal, output: readFileSync(file, "utf8") }));
    });
    return { child, ended };
  }
}
