import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Report } from "../report";
import { offerServers } from "../servers/shared";
import { startServers, stopServers } from "../session";
import type { Tools } from "../toolchain/tools";

/** Names the folder in which servers stand for each of Jest's processes, by its number. */
export const SERVERS_VARIABLE = "HYPERSHIFT_NETWORK_TEST_SERVERS";

export interface SharedServers {
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Starts servers for that many processes of Jest. A file that starts none of its own finds those of its process, and empties them
 * first: an API server takes longer to start than most files need it. An EC2 API that the user runs is never emptied, and so
 * not shared.
 */
export async function shareServers(processes: number, tools: Tools, report: Report): Promise<SharedServers> {
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-servers-"));
  const sets = "endpoint" in tools.ec2.tool ? 0 : processes;
  const started = await report.step("starting the EC2 and Kubernetes APIs", () =>
    Promise.allSettled(
      Array.from({ length: sets }, async (_, place) => {
        const state = join(folder, `${place + 1}`);
        mkdirSync(state, { mode: 0o700 });
        const servers = await startServers(state, tools);
        offerServers(servers, `${state}.json`);
        return servers;
      }),
    ),
  );
  const stop = async () => {
    const running = started.flatMap((server) => (server.status === "fulfilled" ? [server.value] : []));
    await Promise.all(running.map(stopServers));
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = started.find((server) => server.status === "rejected");
  if (failed === undefined) return { folder, stop };
  await stop();
  throw failed.reason;
}
