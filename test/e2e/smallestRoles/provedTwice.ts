import { setTimeout as sleep } from "node:timers/promises";

import type { Session } from "../../../local/session";
import { OvnSubnetVerification } from "../../../src";
import { applied } from "../applied";
import { Bench, fine } from "../conformance/kubernetesBench";
import { ready, type ProbeWorld } from "../probes/probeWorld";

const PLACE = "/api/v1/namespaces/verify";
const FINALIZER = "example.com/mesh";

/**
 * Makes a verification, repeats it, at first with a pod that does not get ready, and destroys it while somebody else holds its
 * Service for a while.
 */
export async function provedTwice(session: Session, world: ProbeWorld, user: string): Promise<void> {
  const bench = await Bench.open(session, "smallest-role", { KUBECONFIG: user });
  const verification = (trigger: string) => () => {
    const { jobName } = new OvnSubnetVerification("tenant-a", { namespace: "verify", triggers: [trigger] });
    return Promise.resolve({ jobName });
  };
  try {
    fine(await bench.up(verification("a"), true));
    await stopped(session, world, () => bench.up(verification("b")));
    fine(await bench.up(verification("b")));
    const { jobName: name } = (await bench.outputs()) as { jobName: string };
    const holds = (finalizers: string[]) => {
      const service = { apiVersion: "v1", kind: "Service", metadata: { name, finalizers } };
      return applied(session, `${PLACE}/services/${name}`, service, "mesh");
    };
    await holds([FINALIZER]);
    const destroyed = bench.destroy();
    while (!(await isGoing(session, name))) await sleep(100);
    // Until the provider watches for its end.
    await sleep(1_000);
    await holds([]);
    fine(await destroyed);
  } finally {
    bench.close();
  }
}

/** A deployment ends at a pod that is not ready, sooner than by its time-out: the API server is away. */
async function stopped(
  session: Session,
  world: ProbeWorld,
  up: () => Promise<{ ok: boolean }>,
): Promise<void> {
  const { pods } = world;
  const waiting = new Set<string>();
  world.pods = ({ metadata: { name } }) => {
    if (!name.endsWith("-two")) return ready("10.132.0.9");
    waiting.add(name);
    return undefined;
  };
  const ended = up();
  while (waiting.size === 0) await sleep(100);
  // Until it is waited for.
  await sleep(1_000);
  await session.stopApiServer();
  const { ok } = await ended;
  await session.startApiServer();
  world.pods = pods;
  expect(ok).toBe(false);
}

async function isGoing({ kubernetes }: Session, name: string): Promise<boolean> {
  const { body } = await kubernetes.request("GET", `${PLACE}/services/${name}`);
  return (body as { metadata: { deletionTimestamp?: string } }).metadata.deletionTimestamp !== undefined;
}
