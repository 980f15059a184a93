import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { LoggedCall } from "../../../local/plugins/provider/callLog";
import { type Session, startSession } from "../../../local/session";
import { type RunningResident, startResident } from "../../../local/testing/startResident";
import { Engine, type Moment, type Run, STACK } from "./engine";
import { Ec2World } from "./network";
import { KubernetesWorld } from "./objects";

/** What exists after a run, in the two APIs and in the engine's state. */
export interface World {
  readonly network: readonly string[];
  readonly objects: readonly string[];
  readonly state: readonly string[];
  /** Objects in the state that the EC2 API does not have. */
  readonly dangling: readonly string[];
  /** Operations whose outcome the engine does not know. */
  readonly pending: readonly PendingOperation[];
}

export interface PendingOperation {
  type: string;
  resource: { urn: string };
}

interface Deployment {
  resources?: { urn: string; id?: string; delete?: boolean }[];
  pending_operations?: PendingOperation[];
}

const PLAIN = ["--yes", "--skip-preview"];
/** A deployment without a preview. */
export const UP = ["up", ...PLAIN];
const DESTROY = ["destroy", ...PLAIN, "--exclude-protected"];

/** A separate world of engine, EC2 API and Kubernetes API. It is emptied between cases, not restarted. */
export class Lane {
  private readonly kubernetes: KubernetesWorld;
  private readonly ec2: Ec2World;
  private readonly state: string;

  private constructor(
    readonly session: Session,
    readonly engine: Engine,
    private readonly standing: RunningResident,
    private readonly folder: string,
  ) {
    this.kubernetes = new KubernetesWorld(session);
    this.ec2 = new Ec2World(session);
    this.state = join(fileURLToPath(session.env.PULUMI_BACKEND_URL ?? ""), ".pulumi");
  }

  static async open(folder: string): Promise<Lane> {
    // Each lane empties its EC2 API repeatedly, so it must never be one that others run.
    delete process.env.AWS_ENDPOINT_URL;
    const session = await startSession({ stateFolder: join(folder, "state"), plugins: "stand-in" });
    const engine = new Engine(session, folder);
    // It is not started by an engine, and leaves no record that it was.
    const { HYPERSHIFT_NETWORK_RECORDS: _, ...env } = session.env;
    const lane = new Lane(session, engine, await startResident(env), folder);
    await engine.mustRun("stack", "init", STACK);
    cpSync(lane.state, join(folder, "empty-stack"), { recursive: true });
    return lane;
  }

  async close(): Promise<void> {
    await this.standing.stop();
    await this.session.stop();
  }

  /** Empties the state and the APIs, and restores the program of the repository. */
  async empty(): Promise<void> {
    for (const folder of [this.state, join(this.session.stateFolder, "begun-creates")])
      rmSync(folder, { recursive: true, force: true });
    cpSync(join(this.folder, "empty-stack"), this.state, { recursive: true });
    this.engine.writeProgram();
    await Promise.all([this.ec2.empty(), this.kubernetes.empty()]);
  }

  /** If the program is not under test, a resident process may run it. */
  up(program: "own process" | "standing" = "own process"): Promise<Run> {
    return this.engine.run(UP, program === "standing" ? this.programs : {});
  }

  private get programs(): Readonly<Record<string, string>> {
    return this.standing.resident.programs;
  }

  /** Kills the engine while it deploys. Returns the call at which it was killed. */
  killedUp(moment: Moment): Promise<LoggedCall | undefined> {
    return this.engine.killedAt(moment, ...UP);
  }

  /** Destroys everything that is not protected. */
  destroy(): Promise<Run> {
    return this.engine.run(DESTROY);
  }

  /** Kills the engine while it destroys. Returns the call at which it was killed. */
  killedDestroy(moment: Moment): Promise<LoggedCall | undefined> {
    return this.engine.killedAt(moment, ...DESTROY);
  }

  cancel(): Promise<Run> {
    return this.engine.run(["cancel", "--yes", STACK]);
  }

  /** Refreshes the state, and drops creates whose outcome the engine did not know. */
  refresh(): Promise<Run> {
    return this.engine.run(["refresh", ...PLAIN, "--clear-pending-creates"], this.programs);
  }

  /** Previews the next `up`. Fails if it would change anything. */
  previewOfNothing(): Promise<Run> {
    return this.engine.run(["preview", "--expect-no-changes"], this.programs);
  }

  /** What the EC2 API holds. */
  async network(): Promise<readonly string[]> {
    return (await this.ec2.network()).lines;
  }

  async world(): Promise<World> {
    const [{ lines, ids }, objects] = await Promise.all([this.ec2.network(), this.kubernetes.objects()]);
    const { resources = [], pending_operations: pending = [] } = this.deployment();
    return {
      network: lines,
      objects,
      state: resources.map(({ urn, delete: doomed }) => `${urn}${doomed ? " to be deleted" : ""}`).sort(),
      dangling: resources.flatMap(({ id = "" }) =>
        /^[a-z]+-[0-9a-f]{17}$/.test(id) && !ids.has(id) ? id : [],
      ),
      pending,
    };
  }

  /** Reads the engine's own file, because asking the engine for it would take as long as the test itself. */
  private deployment(): Deployment {
    const file = join(this.state, "stacks", "hypershift-network-quickstart", `${STACK}.json`);
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as { checkpoint: { latest?: Deployment } };
    return checkpoint.latest ?? {};
  }
}
