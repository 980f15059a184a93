import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { PhaseSettings, PhaseState } from "../../../src/networkTypeMigration/component/carryOut";

/** Carries out phases as the engine does, with the compiled provider in a separate process. */
export class PhaseEngine {
  /** What the engine stores of the last phase that was carried out. */
  state: PhaseState | undefined;
  readonly #provider: ChildProcess = fork(join(__dirname, "phaseProcess.cjs"), { execArgv: [] });

  /**
   * Checks the phase, then creates or updates the resource.
   *
   * @throws Error with what the engine would show
   */
  async up(settings: PhaseSettings): Promise<void> {
    const { inputs, failures = [] } = await this.#called<Checked>("check", this.state ?? {}, settings);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    const { outs } = await (this.state
      ? this.#called<{ outs: PhaseState }>("update", "network-type", this.state, inputs)
      : this.#called<{ outs: PhaseState }>("create", inputs));
    this.state = outs;
  }

  stop(): void {
    this.#provider.kill();
  }

  async #called<Result>(method: "check" | "create" | "update", ...given: unknown[]): Promise<Result> {
    this.#provider.send({ method, given });
    const [answer] = (await once(this.#provider, "message")) as [{ result: Result; failure?: string }];
    if (answer.failure !== undefined) throw new Error(answer.failure);
    return answer.result;
  }
}

interface Checked {
  inputs: PhaseSettings;
  failures?: { reason: string }[];
}
