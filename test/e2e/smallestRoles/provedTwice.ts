import { setTimeout as sleep } from "node:timers/promises";

import type { Session } from "../../../local/session";
import { OvnSubnetVerification } from "../../../src/ovnSubnets/component/ovnSubnetVerification";
import { applied } from "../applied";
import { Bench, fine } from "../conformance/kubernetesBench";
import { ready, type ProbeWorld } from "../probes/probeWorld";
import { askedBy } from "./asked";

const PLACE = "/api/v1/namespaces/verify";
const FINALIZER = "example.com/mesh";

/**
 * Creates a verification, repeats it, at first with a pod that does not get ready, and destroys it while another owner holds its
 * Service for a while. Awaited objects change only once the provider watches them, so that all its rights are used.
 */
export async function provedTwice(
  session: Session,
  world: ProbeWorld,
  user: string,
  account: string,
): Promise<void> {
  const bench = await Bench.open(session, "smallest-role", { KUBECONFIG: user });
  const watches = (kind: string, name: string) =>
    askedBy(session, account).filter(
      (asked) => asked.verb === "watch" && asked.resource === kind && asked.name === name,
    ).length;
  const { jobs } = world;
  world.jobs = (job) => (watches("jobs", job.metadata.name) > 0 ? jobs(job) : undefined);
  const verification = (trigger: string) => () => {
    const { jobName } = new OvnSubnetVerification("tenant-a", { namespace: "verify", triggers: [trigger] });
    return Promise.resolve({ jobName });
  };
  try {
    fine(await bench.up(verification("a"), true));
    await stopped(session, world, watches, () => bench.up(verification("b")));
    fine(await bench.up(verification("b")));
    const { jobName: name } = (await bench.outputs()) as { jobName: string };
    const holds = (finalizers: string[]) => {
      const service = { apiVersion: "v1", kind: "Service", metadata: { name, finalizers } };
      return applied(session, `${PLACE}/services/${name}`, service, "mesh");
    };
    await holds([FINALIZER]);
    const before = watches("services", name);
    const destroyed = bench.destroy();
    while (watches("services", name) === before) await sleep(100);
    await holds([]);
    fine(await destroyed);
  } finally {
    world.jobs = jobs;
    bench.close();
  }
}

/** Ends a deployment at a pod that is not ready before its timeout, by stopping the API server. */
async function stopped(
  session: Session,
  world: ProbeWorld,
  watches: (kind: string, name: string) => number,
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
  while (![...waiting].some((name) => watches("pods", name) > 0)) await sleep(100);
  await session.stopApiServer();
  const { ok } = await ended;
  await session.startApiServer();
  world.pods = pods;
  expect(ok).toBe(false);
}
