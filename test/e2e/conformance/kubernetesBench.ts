import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import {
  LocalWorkspace,
  type ConfigMap,
  type DestroyOptions,
  type EngineEvent,
  type PulumiFn,
  type RefreshOptions,
  type Stack,
} from "@pulumi/pulumi/automation";

import type { Session } from "../../../local/session";
import { changesOf } from "../changes";
import { unprotect } from "../examples/stack";
import type { SharedSession } from "../sharedSession";
import {
  type StateResource,
  stateFile,
  storedOutputs,
  storedResources,
  writtenResources,
} from "../storedState";
import { withoutSummary } from "../withoutSummary";

const PROJECT = "conformance";
const execute = promisify(execFile);

/** An object as kubectl prints it. */
export interface LiveObject {
  metadata: {
    name: string;
    uid: string;
    labels?: Record<string, string>;
    managedFields: { manager: string; operation: string }[];
  };
  data?: Record<string, string>;
  spec?: Record<string, unknown>;
}

/** The outcome of a run of the engine. */
export interface Outcome {
  ok: boolean;
  /** Everything that the user would read. */
  output: string;
  /** How many resources were created, updated, deleted, replaced or left the same. */
  changes: Record<string, number>;
}

/** Returns the outcome if the run succeeded; otherwise fails the test with what the user would read. */
export function fine(outcome: Outcome): Outcome {
  if (!outcome.ok) throw new Error(outcome.output);
  return outcome;
}

/** The environment of a stack whose engine starts its own providers, required if it is killed or follows a killed one. */
export const OWN_PROVIDERS = {};

/** A stack whose program can change between runs. */
export class Bench {
  private program: PulumiFn = async () => {};

  private constructor(
    private readonly stack: Stack,
    private readonly session: Session,
    private readonly folder: string,
  ) {}

  /**
   * Opens a stack, or the one that an earlier bench of that name left. `env` is laid over the session's; providers that stand
   * already know nothing of it, and are used only where there is none.
   */
  static async open(
    session: Session & Partial<SharedSession>,
    name: string,
    env: Record<string, string> | undefined = session.resident?.providers,
  ): Promise<Bench> {
    const folder = mkdtempSync(join(tmpdir(), "conformance-"));
    const run: PulumiFn = () => bench.program();
    const open = existsSync(stateFile(session, PROJECT, { name })) ? "selectStack" : "createStack";
    const stack = await LocalWorkspace[open](
      { stackName: name, projectName: PROJECT, program: run },
      {
        workDir: folder,
        envVars: { ...session.env, ...env },
        pulumiCommand: session.pulumiCommand,
      },
    );
    const bench: Bench = new Bench(withoutSummary(stack), session, folder);
    return bench;
  }

  /** Sets values of the stack's configuration. */
  async configure(values: ConfigMap): Promise<void> {
    await this.stack.setAllConfig(values);
  }

  preview(program: PulumiFn): Promise<Outcome> {
    return this.outcome(program, (options) => this.stack.preview(options));
  }

  up(program: PulumiFn, refresh = false): Promise<Outcome> {
    return this.outcome(program, (options) => this.stack.up({ ...options, refresh }));
  }

  /** Runs without a preview, as the Automation API does. */
  destroy(
    program: PulumiFn = this.program,
    more: Pick<DestroyOptions, "excludeProtected"> = {},
  ): Promise<Outcome> {
    return this.outcome(program, (options) => this.stack.destroy({ ...options, ...more }));
  }

  /** The output of `pulumi destroy` with its preview, as a user runs it. */
  async previewAndDestroy(): Promise<Omit<Outcome, "changes">> {
    const { workDir, envVars } = this.stack.workspace;
    const args = ["destroy", "--yes", "--non-interactive", "--stack", this.stack.name];
    const { command } = this.session.pulumiCommand;
    const env = { ...process.env, ...(envVars as Record<string, string>) };
    return execute(command, args, { cwd: workDir, env }).then(
      ({ stdout, stderr }) => ({ ok: true, output: stdout + stderr }),
      (error: { stdout: string; stderr: string }) => ({ ok: false, output: error.stdout + error.stderr }),
    );
  }

  /** Removes the protection of all resources, as a user would do on purpose. */
  async unprotect(): Promise<void> {
    await unprotect(this.stack, await storedResources(this.session, PROJECT, this.stack));
  }

  /** Changes the state of the stack as text, to make it what another version of a program left. */
  async rewrite(change: (state: string) => string): Promise<void> {
    const exported = await this.stack.exportStack();
    await this.stack.importStack(JSON.parse(change(JSON.stringify(exported))) as typeof exported);
  }

  /** Refreshes the stack; `clearPendingCreates` also drops creates whose outcome is unknown. */
  refresh(more: Pick<RefreshOptions, "clearPendingCreates"> = {}): Promise<Outcome> {
    return this.outcome(this.program, (options) => this.stack.refresh({ ...options, ...more }));
  }

  /** What the program returned at its last run. */
  outputs(): Promise<Record<string, unknown>> {
    return storedOutputs(this.session, PROJECT, this.stack);
  }

  /** Releases the lock of the stack after its engine was killed. */
  async cancel(): Promise<void> {
    await this.stack.cancel();
  }

  /** The resources in Pulumi's state on disk. */
  resources(): StateResource[] {
    return writtenResources(this.session, PROJECT, this.stack);
  }

  /** Pulumi's state on disk. */
  state(): string {
    return readFileSync(stateFile(this.session, PROJECT, this.stack), "utf8");
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async outcome(program: PulumiFn, run: (options: Listening) => Promise<unknown>): Promise<Outcome> {
    this.program = program;
    const lines: string[] = [];
    const onOutput = (text: string) => lines.push(text);
    try {
      const changes = await changesOf((onEvent) => run({ onOutput, onEvent }));
      return { ok: true, output: lines.join(""), changes };
    } catch (error) {
      return { ok: false, output: lines.join("") + String(error), changes: {} };
    }
  }
}

/** The options that capture the output and events of every run of the engine. */
interface Listening {
  onOutput: (text: string) => void;
  onEvent: (event: EngineEvent) => void;
}

/** kubectl against the session's API server. */
export function kubectl(session: Session, ...args: string[]): string {
  return kubectlWith(session, undefined, ...args);
}

/** kubectl with standard input. */
export function kubectlWith(session: Session, input: string | undefined, ...args: string[]): string {
  const all = ["--kubeconfig", session.kubeconfig, ...args];
  return execFileSync("kubectl", all, { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}

/** The object, or undefined if it does not exist. */
export function live(session: Session, ...args: string[]): LiveObject | undefined {
  const text = kubectl(session, "get", ...args, "-o", "json", "--show-managed-fields", "--ignore-not-found");
  return text.trim() === "" ? undefined : (JSON.parse(text) as LiveObject);
}
