import { pushAll } from "../pushAll";
import { LiveCluster } from "../cluster/liveCluster";
import { LiveFault } from "../cluster/liveCheck";
import { readEc2, type Ec2Access } from "../live/ec2";
import { readObjects } from "../live/objects/readObjects";
import type { LiveReading, Reading } from "../live/objects";
import type { InputFault, Inputs } from "../plan/inputs";

/** What is read of what runs. */
export interface LiveOptions {
  /** The cluster of a kubeconfig. */
  cluster?: { kubeconfig?: string; context?: string };
  /** The EC2 API that the AWS SDK finds. */
  ec2?: Ec2Access;
}

/** Adds what runs to what was read of files. Everything that keeps it from being judged is among the faults. */
export async function readLive(
  { cluster, ec2 }: LiveOptions,
  inputs: Inputs,
  reading: Reading,
): Promise<void> {
  if (cluster)
    await add(inputs, "--live", async () =>
      readObjects(await LiveCluster.open(cluster, "the cluster"), reading),
    );
  if (ec2) await add(inputs, "--ec2", () => readEc2(ec2, reading));
}

async function add(inputs: Inputs, flag: string, read: () => Promise<LiveReading>): Promise<void> {
  try {
    const { name, runsIn, resources, kinds = [], notes, faults } = await read();
    for (const { origin, ...resource } of resources)
      inputs.resources.push({ ...resource, origin: { ...origin, ...(runsIn !== undefined && { runsIn }) } });
    inputs.live.push(name);
    pushAll(inputs.liveKinds, kinds);
    pushAll(inputs.notes, notes);
    pushAll(
      inputs.faults,
      faults.map((fault) => inputFault(flag, fault)),
    );
  } catch (error) {
    if (!(error instanceof LiveFault)) throw error;
    inputs.faults.push(inputFault(flag, error));
  }
}

const inputFault = (flag: string, { message, remedy }: LiveFault): InputFault => ({
  file: flag,
  problem: message,
  remedy,
});
