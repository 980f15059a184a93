import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inherited, serverEnvironment } from "../environment";
import type { Report } from "../report";
import { offerServers } from "../servers/shared";
import { startServers, stopServers } from "../session";
import type { Tools } from "../toolchain/tools";
import { startResident } from "./startResident";

/** Environment variable with the folder that holds the servers for each Jest process, by its number. */
export const SERVERS_VARIABLE = "HYPERSHIFT_NETWORK_TEST_SERVERS";

/** The file that describes the resident process of a Jest process, from the path of its servers without extension. */
export const residentFile = (base: string): string => `${base}.resident.json`;

export interface SharedServers {
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Starts servers for `processes` Jest processes. A test file that starts no servers uses those of its process, and empties them
 * first: an API server takes longer to start than most files use it. An EC2 API that the user runs is never emptied, and so not
 * shared.
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
