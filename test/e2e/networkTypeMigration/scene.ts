import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import type { Session } from "../../../local/session";
import {
  NetworkTypeMigration,
  type NetworkTypeMigrationArgs,
} from "../../../src/networkTypeMigration/component/networkTypeMigration";
import type { MigrationPhase } from "../../../src/networkTypeMigration/phases";
import { Bench } from "../conformance/kubernetesBench";
import { kubeconfigWithRoles } from "../roles";
import { PlayedOpenShift } from "./playedOpenShift";
import { sharedSession } from "../sharedSession";

/** An engine, an API server with an OpenShift cluster that the test simulates, and a user with the smallest role there. */
export class MigrationScene {
  private readonly benches: Bench[] = [];

  private constructor(
    readonly session: Session,
    readonly played: PlayedOpenShift,
    /** The content of the kubeconfig of a user with only the smallest role. */
    readonly smallest: string,
    private readonly folder: string,
  ) {}

  static async open(): Promise<MigrationScene> {
    const folder = mkdtempSync(join(tmpdir(), "network-type-"));
    const session = await sharedSession(folder);
    const played = await PlayedOpenShift.install(session);
    const kubeconfig = await kubeconfigWithRoles(session, "migration", "migration.yaml");
    return new MigrationScene(session, played, readFileSync(kubeconfig, "utf8"), folder);
  }

  async close(): Promise<void> {
    for (const bench of this.benches) bench.close();
    await this.session.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A new stack. */
  async bench(name: string, env?: Record<string, string>): Promise<Bench> {
    const bench = await Bench.open(this.session, name, env);
    this.benches.push(bench);
    return bench;
  }

  /** A program that runs a phase, with confirmed backups, and returns all outputs. */
  program(phase: MigrationPhase, more: Partial<NetworkTypeMigrationArgs> = {}): PulumiFn {
    return () => {
      const args = { phase, backupsTaken: true, kubeconfig: this.smallest, timeoutSeconds: 600, ...more };
      const { written, toDo, wayBack, translations, ...migration } = new NetworkTypeMigration(
        "cluster",
        args,
      );
      return Promise.resolve({ phase: migration.phase, written, toDo, wayBack, translations });
    };
  }
}
