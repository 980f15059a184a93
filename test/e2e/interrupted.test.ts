import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isChange, type LoggedCall } from "../../local/plugins/provider/callLog";
import { differences } from "./interrupted/difference";
import type { Moment } from "./interrupted/engine";
import { inLanes } from "../../local/inLanes";
import { Lane, UP, type World } from "./interrupted/lane";
import { leftRunning } from "./interrupted/processes";
import { sample } from "./interrupted/sample";

/**
 * The quick start, interrupted at every possible point: the engine is killed when a call reaches a provider, or when its work is done
 * but no client knows of it, together with all calls in progress. Two worlds run in parallel, one for each core of a small machine.
 * The many runs after an interruption get their program from a resident process, which saves a quarter of the time; all interrupted
 * runs start it as users do.
 */
const PATIENCE_MS = 60 * 60_000;
/** In every n-th case the engine also checks whether the world matches the state, and whether it would change anything. */
const LOOK_EVERY = 10;

let folder: string;
let lanes: Lane[];
let calls: LoggedCall[];
let clean: World;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "interrupted-"));
  lanes = await Promise.all(["left", "right"].map((name) => Lane.open(join(folder, name))));
  const lane = anyLane();
  const { status, output } = await lane.engine.logged(...UP).ended;
  if (status !== 0) throw new Error(output);
  calls = lane.engine.callsSoFar();
  clean = await lane.world();
}, PATIENCE_MS);
afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
  rmSync(folder, { recursive: true, force: true });
}, PATIENCE_MS);

test("an uninterrupted run creates nothing twice and leaves no pending operation", () => {
  const named = clean.network.filter((line) => !line.includes("default"));
  expect(new Set(named).size).toBe(named.length);
  expect(calls.filter(isChange).length).toBeGreaterThan(30);
  expect(differences(clean, { ...clean, dangling: [], pending: [] })).toEqual([]);
});

test(
  "an `up` whose engine is killed before one of its calls to providers converges at the next one",
  async () => {
    const moments = calls.map((_call, place): Moment => ({ at: place + 1, when: "before" }));
    expect(await faultsOfAll(sample(moments, { every: 80, first: 3 }))).toEqual([]);
  },
  PATIENCE_MS,
);

// A call that changes nothing (a check, a configuration) leaves the same world before and after its work.
test(
  "an `up` whose engine is killed before it hears of a change that was made converges at the next one",
  async () => {
    const moments = calls
      .filter(isChange)
      .map((_call, place): Moment => ({ at: place + 1, when: "after", counting: "changes" }));
    expect(await faultsOfAll(sample(moments, { every: 2 * LOOK_EVERY, first: LOOK_EVERY - 1 }))).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  "an `up` whose API server stops half-way fails with a reason, and converges when the API server is back",
  async () => {
    const lane = anyLane();
    await lane.empty();
    const { status, output } = await upWithOutage(lane);
    expect(status).not.toBe(0);
    // A server that is about to stop still reports that itself.
    expect(output).toMatch(/the Kubernetes API server \S+ is unreachable|apiserver is shutting down/);
    expect(output).not.toMatch(/^\s+at /m);
    expect(await faultsOfRecovery(lane, clean)).toEqual([]);
    expect(await faultsOfAnotherLook(lane)).toEqual([]);
  },
  PATIENCE_MS,
);

test.each(["before", "after"] as const)(
  "an update of a cluster's subnets whose engine is killed %s the change converges at the next one",
  async (when) => {
    const lane = anyLane();
    await lane.empty();
    expect(await lane.up("standing")).toMatchObject({ status: 0 });
    lane.engine.writeProgram({ internalJoinSubnet: "100.98.0.0/16" });
    const call = await lane.killedUp({ at: 1, when, counting: "changes" });
    expect(call).toMatchObject({
      method: "Update",
      type: expect.stringMatching(/:HostedCluster$/) as string,
    });
    const objects = clean.objects.map((line) => line.replace("100.99.0.0/16", "100.98.0.0/16"));
    expect(objects).not.toEqual(clean.objects);
    expect(await faultsOfRecovery(lane, { ...clean, objects })).toEqual([]);
    expect(await faultsOfAnotherLook(lane)).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  "a destroy whose engine is killed goes on at the next one, and keeps what is protected",
  async () => {
    const moments = [1, 15, 30].flatMap((at): Moment[] => [
      { at, when: "before", counting: "changes" },
      { at, when: "after", counting: "changes" },
    ]);
    const faults = await inLanes(lanes, sample(moments, { every: 3 }), async (lane, moment) => {
      await lane.empty();
      const untouched = await lane.network();
      const { status, output } = await lane.up("standing");
      if (status !== 0) return [output];
      const call = await lane.killedDestroy(moment);
      if (call?.method !== "Delete") return ["the engine was not killed at a delete"];
      return faultsOfRecovery(lane, leftByDestroy(untouched), () => lane.destroy());
    });
    expect(faults.flat()).toEqual([]);
  },
  PATIENCE_MS,
);

/** The HostedCluster is protected, and so its namespace and the stack itself stay. */
function leftByDestroy(network: readonly string[]): World {
  const stays = (line: string) =>
    /HostedCluster|clusters|pulumi:pulumi:Stack|providers:kubernetes::default/.test(line);
  const { objects, state } = clean;
  return { ...clean, network, objects: objects.filter(stays), state: state.filter(stays) };
}

/** The first object in a namespace is held up while the API server stops, so the server stops before all objects are created. */
async function upWithOutage(lane: Lane) {
  const ofCluster = calls.filter((call) => call.provider === "kubernetes" && isChange(call));
  const at = ofCluster.findIndex(({ type }) => !/:Namespace$/.test(type)) + 1;
  expect(at).toBeGreaterThan(1);
  const up = lane.engine.held({ at, when: "before", counting: "changes", provider: "kubernetes" }, ...UP);
  await up.reached();
  await lane.session.stopApiServer();
  up.letGo();
  const run = await up.ended;
  await lane.session.startApiServer();
  return run;
}

async function faultsOfAll(moments: readonly Moment[]): Promise<string[]> {
  return (await inLanes(lanes, moments, faultsAfter)).flat();
}

/** Interrupts an `up` in an empty world and repeats it. Returns the faults, each with the moment of the interruption. */
async function faultsAfter(lane: Lane, moment: Moment): Promise<string[]> {
  await lane.empty();
  const call = await lane.killedUp(moment);
  const faults =
    call === undefined
      ? ["the engine was not killed"]
      : await faultsOfRecovery(lane, clean, () => lane.up("standing"));
  if (faults.length === 0 && moment.at % LOOK_EVERY === 0) faults.push(...(await faultsOfAnotherLook(lane)));
  const { counting = "calls", at, when } = moment;
  return faults.map((fault) => `${when} ${at} of ${counting}, ${call?.method} ${call?.urn}: ${fault}`);
}

/** What users do: no manual changes, `pulumi cancel`, and the same command again. */
async function faultsOfRecovery(lane: Lane, wanted: World, again = () => lane.up()): Promise<string[]> {
  const left = await leftRunning(lane.session);
  const cancelled = await lane.cancel();
  const repeated = await again();
  if (repeated.status !== 0) return [`the next one failed: ${repeated.output}`];
  return [
    ...left.map((command) => `still running: ${command}`),
    ...(cancelled.status === 0 ? [] : [`cancel failed: ${cancelled.output}`]),
    ...(await leftRunning(lane.session)).map((command) => `running after the end: ${command}`),
    ...differences(await lane.world(), wanted),
  ];
}

/** Expects that a refresh finds no drift, and that nothing is left to do or pending. */
async function faultsOfAnotherLook(lane: Lane): Promise<string[]> {
  const before = await lane.world();
  const refreshed = await lane.refresh();
  const preview = await lane.previewOfNothing();
  const { pending, ...after } = await lane.world();
  return [
    ...(refreshed.status === 0 ? [] : [`the refresh failed: ${refreshed.output}`]),
    ...(preview.status === 0 ? [] : [`another up would change something: ${preview.output}`]),
    ...pending.map(({ resource }) => `pending after a refresh: ${resource.urn}`),
    ...differences({ ...after, pending }, before),
  ];
}

function anyLane(): Lane {
  const [lane] = lanes;
  if (lane === undefined) throw new Error("there is no lane");
  return lane;
}
