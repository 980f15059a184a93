import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

import { compiled } from "../repository";

/** A Node.js process that the language host runs for the engine. */
export interface NodeProgram {
  /** Defaults to this Node.js. */
  readonly command?: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Receives the program's output; by default the engine shows it as the program's own output. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly onError?: (chunk: Buffer) => void;
}

export interface RunningProgram {
  /** Its exit status, after all of its output. A signal counts as status 1. */
  readonly exited: Promise<number>;
  end(): void;
  /** Interrupts it as Ctrl-C does: a program that handles the signal has a few seconds to finish. */
  interrupt(): void;
}

const GRACE_MS = 3_000;
/** The same grace period as in Pulumi's own language host. */
const INTERRUPTED_GRACE_MS = 5_000;
const running = new Set<ChildProcess>();

/** Starts a program that ends together with the language host. */
export function spawnNode(program: NodeProgram): RunningProgram {
  const child = spawn(program.command ?? process.execPath, program.arguments, {
    cwd: program.cwd,
    env: program.env,
    stdio: ["ignore", program.onOutput ? "pipe" : "inherit", program.onError ? "pipe" : "inherit"],
  });
  running.add(child);
  if (program.onOutput) {
    child.stdout?.on("data", program.onOutput);
  }
  if (program.onError) {
    child.stderr?.on("data", program.onError);
  }
  const exited = new Promise<number>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("close", (code) => resolve(code ?? 1));
  });
  void exited.then(() => running.delete(child));
  const killed = (signal: NodeJS.Signals, grace: number) => () => {
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), grace).unref();
  };
  return {
    exited,
    end: killed("SIGTERM", GRACE_MS),
    interrupt: killed("SIGINT", INTERRUPTED_GRACE_MS),
  };
}

/** Kills every program that is still running. */
export function endPrograms(): void {
  running.forEach((child) => child.kill("SIGKILL"));
}

/** The SDK's runner for programs, policy packs or plugins: the copy that the program itself would load, else this repository's. */
export function toolOf(name: "run" | "run-policy-pack" | "run-plugin", folder: string): string {
  const tool = `@pulumi/pulumi/cmd/${name}`;
  try {
    return createRequire(join(folder, "package.json")).resolve(tool);
  } catch {
    return require.resolve(tool);
  }
}

/** Node.js options that preload the modules every program of a session needs. */
export function loadedAhead(): string[] {
  const files = ["engine/exitWithParent", "onDemand/codeCache", "onDemand/inPrograms"];
  return files.flatMap((file) => ["--require", compiled(`local/${file}`)]);
}

/** Node.js options for a runner: the preloaded modules and the options from Pulumi.yaml. */
export function nodeArguments(fromProject: string | undefined): string[] {
  return [...loadedAhead(), ...(fromProject?.split(/\s+/).filter(Boolean) ?? [])];
}
