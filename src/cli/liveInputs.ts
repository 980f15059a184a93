import type { LiveReading, Reading } from "../live/objects";
import type { Inputs } from "../plan";

/** What is read of what runs. */
export interface LiveOptions {
  /** The cluster of a kubeconfig. */
  cluster?: { kubeconfig?: string; context?: string };
}

/* eslint-disable @typescript-eslint/no-require-imports -- an import would load with every check what few ask for */
const loadCluster = () => require("../live/liveCluster") as typeof import("../live/liveCluster");
const loadObjects = () => require("../live/objects") as typeof import("../live/objects");

/** Adds what runs to what was read of files. Everything that keeps it from being judged is among the faults. */
export async function readLive({ cluster }: LiveOptions, inputs: Inputs, reading: Reading): Promise<void> {
  if (cluster)
    await add(inputs, "--live", CLUSTER, async () =>
      loadObjects().readObjects(await loadCluster().LiveCluster.open(cluster, CLUSTER), reading),
    );
}

const CLUSTER = "the cluster";

async function add(
  inputs: Inputs,
  flag: string,
  name: string,
  read: () => Promise<LiveReading>,
): Promise<void> {
  const { LiveFault } = loadCluster();
  const { resources, notes, faults } = await read().catch((error: unknown): LiveReading => {
    if (error instanceof LiveFault) return { resources: [], notes: [], faults: [error] };
    throw error;
  });
  for (const resource of resources) inputs.resources.push(resource);
  inputs.live.push(name);
  inputs.notes.push(...notes);
  inputs.faults.push(...faults.map(({ message: problem, remedy }) => ({ file: flag, problem, remedy })));
}
