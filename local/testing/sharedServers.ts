import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inherited, serverEnvironment } from "../environment";
import type { Report } from "../report";
import { offerServers } from "../servers/shared";
import { startServers, stopServers } from "../session";
import type { Tools } from "../toolchain/tools";
import { startResident } from "./startResident";

/** Names the folder in which servers stand for each of Jest's processes, by its number. */
export const SERVERS_VARIABLE = "HYPERSHIFT_NETWORK_TEST_SERVERS";

/** Where what stands for the engines of a process is written, by the path without an end of its servers. */
export const residentFile = (base: string): string => `${base}.resident.json`;

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
        const { kubeconfig } = servers.kubernetes;
        const standing = await startResident({
          ...inherited(process.env),
          ...serverEnvironment(kubeconfig, servers.ec2),
          XDG_CACHE_HOME: state,
        });
        writeFileSync(residentFile(state), JSON.stringify(standing.resident));
        return { stop: () => standing.stop().then(() => stopServers(servers)) };
      }),
    ),
  );
  const stop = async () => {
    const running = started.flatMap((server) => (server.status === "fulfilled" ? [server.value] : []));
    await Promise.all(running.map((set) => set.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = started.find((server) => server.status === "rejected");
  if (failed === undefined) return { folder, stop };
  await stop();
  throw failed.reason;
}
