import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import type { Session } from "../../../local/session";
import { migrationPhases, MigrationPhase } from "../../../src/networkTypeMigration/phases";
import { PhaseEngine } from "../networkTypeMigration/phaseEngine";
import { PlayedOpenShift } from "../networkTypeMigration/playedOpenShift";

/** Changes the network type of a simulated cluster and back, with the kubeconfig of a user. */
export async function migrated(session: Session, user: string): Promise<void> {
  const played = await PlayedOpenShift.install(session);
  const kubeconfig = readFileSync(user, "utf8");
  const engine = new PhaseEngine();
  try {
    for (const phase of Object.keys(migrationPhases) as MigrationPhase[]) {
      let isRunning = true;
      const up = engine
        .up({
          ...{
            phase,
            kubeconfig,
            backupsTaken: true,
            timeoutSeconds: 600,
            genevePort: 6082,
            vxlanPort: 4790,
          },
          fieldManager: "hypershift-network-migration",
        })
        .finally(() => (isRunning = false));
      while (isRunning) {
        await played.operatorFollows();
        await played.poolsFollow();
        await Promise.race([up, sleep(100)]);
      }
      await up;
      if (changesType(phase)) await played.reboot();
      await played.poolsFollow();
    }
  } finally {
    engine.stop();
  }
}

const changesType = (phase: MigrationPhase): boolean =>
  ([MigrationPhase.ChangeNetworkType, MigrationPhase.RollBackNetworkType] as MigrationPhase[]).includes(
    phase,
  );
