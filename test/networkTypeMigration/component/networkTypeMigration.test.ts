import { createRequire } from "node:module";
import { MigrationPhase, migrationPhases } from "../../../src/networkTypeMigration/phases";
import {
  NetworkTypeMigration,
  type NetworkTypeMigrationArgs,
} from "../../../src/networkTypeMigration/component/networkTypeMigration";
import { Unreachable, type ServerAnswer } from "../../../src/cluster/cluster";
import {
  carryOut,
  type PhaseSettings,
  type PhaseState,
  refusalsOf,
  provider,
} from "../../../src/networkTypeMigration/component/carryOut";
import { eventually } from "../../components/eventually";
import { MigrationServer } from "./migrationServer";
import { run, unknownValue } from "../../components/program";
import type { Clock } from "../../../src/cluster/interruptible";

const phases = Object.keys(migrationPhases) as MigrationPhase[];
const settings = (phase: MigrationPhase, more: Partial<PhaseSettings> = {}): PhaseSettings => ({
  phase,
  backupsTaken: true,
  translationsPrepared: true,
  timeoutSeconds: 10,
  fieldManager: "ours",
  ...more,
});

/** A clock that advances only while something sleeps, and then lets others do their part. */
class PlayedTime implements Clock {
  private time = 0;
  constructor(private readonly meanwhile: (time: number) => void = () => undefined) {}
  now = () => this.time;
  sleep = (milliseconds: number) => {
    this.time += milliseconds;
    this.meanwhile(this.time);
    return Promise.resolve();
  };
}
const following = ({ cluster }: MigrationServer) =>
  new PlayedTime(() => {
    cluster.operatorFollows();
    cluster.poolsFollow();
  });
/** Carries out a phase together with the actions of operators and people after it. */
async function step(server: MigrationServer, phase: MigrationPhase) {
  const result = await carryOut(server, settings(phase), following(server));
  server.cluster.operatorFollows();
  if (migrationPhases[phase].step === migrationPhases[MigrationPhase.ChangeNetworkType].step)
    server.cluster.reboot();
  server.cluster.poolsFollow();
  return result;
}
const upTo = async (last: MigrationPhase): Promise<MigrationServer> => {
  const server = new MigrationServer();
  for (const phase of phases.slice(0, phases.indexOf(last) + 1)) await step(server, phase);
  return server;
};

describe("M21 a phase on a cluster", () => {
  test("writes what is missing, and nothing when run again", async () => {
    const server = await upTo(MigrationPhase.Begin);
    const pause = settings(MigrationPhase.PausePools);
    const written = ["pause MachineConfigPool master", "pause MachineConfigPool worker"];
    expect((await carryOut(server, pause, following(server))).written).toEqual(written);
    expect((await carryOut(server, pause, following(server))).written).toEqual([]);
    expect(server.writes).toHaveLength(3);
  });

  test("is refused with all faults, and writes nothing", async () => {
    const server = new MigrationServer();
    const change = settings(MigrationPhase.ChangeNetworkType, { genevePort: 4789 });
    await expect(carryOut(server, change, new PlayedTime())).rejects.toThrow(
      /^phase changeNetworkType is refused: 3 faults\n.*run phase begin first\n.*is not paused.*\n.*UDP 4789 is/,
    );
    expect(server.writes).toEqual([]);
    expect(await refusalsOf(server, change)).toHaveLength(3);
  });

  test("waits for Multus, and reports its progress at the timeout", async () => {
    const server = await upTo(MigrationPhase.PausePools);
    const change = settings(MigrationPhase.ChangeNetworkType);
    await expect(carryOut(server, change, new PlayedTime())).rejects.toThrow(
      /^phase changeNetworkType is written, but not done after 10 seconds; run it again.*\n.*still the generation from before/,
    );
    const again = await carryOut(server, change, following(server));
    expect(again.written).toEqual([]);
  });

  test("stops waiting at a degraded pool", async () => {
    const server = await upTo(MigrationPhase.ChangeNetworkType);
    const time = new PlayedTime(() => {
      server.cluster.set(server.cluster.list("pools")[1]!, "status.conditions", [
        { type: "Degraded", status: "True" },
      ]);
    });
    await expect(carryOut(server, settings(MigrationPhase.ResumePools), time)).rejects.toThrow(
      /has problems: 1 fault\n {2}MachineConfigPool worker {2}is degraded/,
    );
    expect(time.now()).toBe(1000);
  });

  test("keeps waiting while the API server is unavailable, but fails if it forbids access", async () => {
    const server = await upTo(MigrationPhase.PausePools);
    const change = settings(MigrationPhase.ChangeNetworkType);
    const answers = (status: number) => () =>
      Promise.resolve({ status, body: { message: `says ${status}` } });
    const reset = () => Promise.reject(new Unreachable("ECONNRESET"));
    const after = (answer: () => Promise<ServerAnswer>, until = Infinity) => {
      const time = following(server);
      const waiting: MigrationServer["send"] = (...asked) =>
        time.now() > 0 && time.now() < until ? answer() : server.send(...asked);
      return carryOut({ send: waiting }, change, time);
    };
    server.cluster.set(server.cluster.part("multus"), "status.numberAvailable", 2);
    for (const [answer, words] of [
      [answers(503), "says 503"],
      [answers(429), "says 429"],
      [reset, "ECONNRESET"],
    ] as const)
      await expect(after(answer)).rejects.toThrow(new RegExp(`not done after 10 seconds[^]*${words}`));
    for (const status of [401, 403])
      await expect(after(answers(status))).rejects.toThrow(new RegExp(`^/api[^]*says ${status}`));
    const recovering = () => {
      server.cluster.set(server.cluster.part("multus"), "status.numberAvailable", 3);
      return reset();
    };
    await expect(after(recovering, 3000)).resolves.toMatchObject({ written: [] });
  });

  test("is judged again after a conflict with another writer, and fails if conflicts continue", async () => {
    const server = await upTo(MigrationPhase.Begin);
    let conflicts = 2;
    server.beforeWrite = () => (conflicts-- > 0 ? { status: 409, body: {} } : undefined);
    const pause = settings(MigrationPhase.PausePools);
    expect((await carryOut(server, pause, new PlayedTime())).written).toHaveLength(2);
    const never = await upTo(MigrationPhase.Begin);
    never.beforeWrite = () => ({ status: 409, body: {} });
    await expect(carryOut(never, pause, new PlayedTime())).rejects.toThrow(
      /another program changed the objects/,
    );
  });

  test("lists objects to translate on the way to OVN-Kubernetes, and none on the way back", async () => {
    const server = new MigrationServer();
    const annotations = { "netnamespace.network.openshift.io/multicast-enabled": "true" };
    server.cluster.list("netNamespaces").push({ metadata: { name: "chat", annotations } });
    const multicast = { object: "NetNamespace chat", what: "multicast" };
    for (const phase of [MigrationPhase.Begin, MigrationPhase.PausePools])
      expect((await step(server, phase)).translations).toMatchObject([multicast]);
    for (const phase of [MigrationPhase.RollBackResumePools, MigrationPhase.RollBackEnd])
      expect((await step(server, phase)).translations).toEqual([]);
  });

  test("names the forbidden verb and resource, and the role to bind", async () => {
    const server = new MigrationServer();
    const message = 'User "x" cannot patch resource "networks" in API group "operator.openshift.io"';
    server.beforeWrite = () => ({ status: 403, body: { message } });
    await expect(carryOut(server, settings(MigrationPhase.Begin), new PlayedTime())).rejects.toThrow(
      /networks\/cluster: User "x" cannot patch resource "networks" .*: bind the role in rbac\/migration\.yaml/,
    );
  });

  test("converges to the same result after an interruption at any write", async () => {
    const clean = new MigrationServer();
    for (const phase of phases) await step(clean, phase);
    const count = clean.writes.length;
    expect(count).toBe(20);
    for (const when of ["beforeWrite", "afterWrite"] as const)
      for (let at = 1; at <= count; at++) {
        const server = new MigrationServer();
        let seen = 0;
        server[when] = () => {
          if (++seen === at) throw new Error("cut off");
          return undefined;
        };
        let cuts = 0;
        for (const phase of phases)
          await step(server, phase).catch(async (error: Error) => {
            expect(error.message).toBe("cut off");
            cuts++;
            await step(server, phase);
          });
        expect({ when, at, cuts, writes: server.writes }).toEqual({
          when,
          at,
          cuts: 1,
          writes: clean.writes,
        });
        expect(server.cluster.objects).toEqual(clean.cluster.objects);
      }
  });
});

describe("M21 the phase as a resource", () => {
  const state = (phase: MigrationPhase): PhaseState => ({
    ...settings(phase),
    written: ["something"],
    translations: [],
  });
  const { Begin, PausePools } = MigrationPhase;

  test("is updated in place, and writes nothing for another kubeconfig or timeout", async () => {
    const diff = (now: PhaseSettings) => provider.diff!("id", state(Begin), now);
    await expect(diff(settings(PausePools))).resolves.toEqual({ changes: true, replaces: [] });
    await expect(diff(settings(Begin))).resolves.toEqual({ changes: false, replaces: [] });
    const now = settings(Begin, { kubeconfig: "/nowhere", timeoutSeconds: 1 });
    await expect(diff(now)).resolves.toEqual({ changes: true, replaces: [] });
    await expect(provider.update!("id", state(Begin), now)).resolves.toEqual({
      outs: { ...now, written: ["something"], translations: [] },
    });
  });

  test("is not checked if the phase is unchanged, or while inputs are unknown or the cluster is unreadable", async () => {
    const nowhere = { kubeconfig: "/nowhere" };
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    for (const [old, now] of [
      [state(Begin), settings(Begin, nowhere)],
      [state(Begin), settings(PausePools, { kubeconfig: unknown })],
      // An unreadable kubeconfig is reported at the write.
      [state(Begin), settings(PausePools, nowhere)],
    ] as const)
      await expect(provider.check!(old, now)).resolves.toMatchObject({ inputs: now });
  });

  test("does not change the cluster when it is deleted", async () => {
    await expect(provider.delete!("id", state(Begin))).resolves.toBeUndefined();
  });
});

describe("M21 NetworkTypeMigration", () => {
  const create = (args: Partial<NetworkTypeMigrationArgs>) => () =>
    new NetworkTypeMigration("cluster", { phase: MigrationPhase.Begin, ...args });
  const answer = (_type: string, _name: string, inputs: Record<string, unknown>) => ({
    id: "network-type",
    state: { ...inputs, written: ["annotate Network.operator cluster"], translations: [] },
  });

  test("creates one resource for the phase, and outputs the next steps", async () => {
    const args = { backupsTaken: true, smallestNodeMtu: 1500, phase: MigrationPhase.ChangeNetworkType };
    const { result, objects, warnings } = await run(create(args), { answer });
    expect(objects).toMatchObject([
      {
        type: "pulumi-nodejs:dynamic/hypershift-network:NetworkTypePhase",
        inputs: { ...args, timeoutSeconds: 600, fieldManager: "hypershift-network-migration" },
      },
    ]);
    expect(warnings).toEqual([expect.stringContaining("pods lose their connections")]);
    await expect(eventually(result.written)).resolves.toEqual(["annotate Network.operator cluster"]);
    await expect(eventually(result.wayBack)).resolves.toBe("rollBackNetworkType");
    await expect(eventually(result.toDo)).resolves.toEqual([
      expect.stringContaining("rollout status daemonset/multus"),
      expect.stringContaining("sudo shutdown -r -t 3"),
    ]);
  });

  test("waits longer for pools, which restart nodes one after the other", async () => {
    const phase = MigrationPhase.ResumePools;
    const seconds = async (args: Partial<NetworkTypeMigrationArgs>) =>
      (await run(create({ phase, ...args }), { answer })).objects[0]!.inputs.timeoutSeconds;
    expect(await seconds({})).toBe(7200);
    expect(await seconds({ timeoutSeconds: 60 })).toBe(60);
  });

  test("does not warn for a phase that interrupts no connections", async () => {
    expect((await run(create({}), { answer })).warnings).toEqual([]);
  });

  test("loads its provider by a name that the package exports", async () => {
    const { objects } = await run(create({}), { answer });
    const [, name] = /\("(hypershift-network\/[^"]+)"\)/.exec(objects[0]!.inputs.__provider as string)!;
    const root = createRequire(`${process.cwd()}/package.json`);
    const { exports } = root("./package.json") as { exports: Record<string, string> };
    expect(exports[name!.replace("hypershift-network", ".")]).toBe(
      "./dist/src/networkTypeMigration/component/carryOut.js",
    );
  });

  test("reports all faults of its inputs at once", () => {
    const wrong = {
      phase: "start",
      backupsTaken: "yes",
      smallestNodeMtu: 100,
      genevePort: 70000,
      vxlanPort: 6081,
      clusterNetwork: [
        { cidr: "10.128.0.1/14", hostPrefix: 14 },
        { cidr: "10.0.0.0/14", hostPrefix: 12 },
      ],
      timeoutSeconds: -1,
    } as unknown as NetworkTypeMigrationArgs;
    const message = (() => {
      try {
        new NetworkTypeMigration("cluster", wrong);
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(message.split("\n").map((line) => line.trim().split(" ")[0])).toEqual([
      "NetworkTypeMigration",
      "phase",
      "backupsTaken",
      "smallestNodeMtu",
      "genevePort",
      "clusterNetwork[0].cidr",
      "clusterNetwork[1].hostPrefix",
      "timeoutSeconds",
    ]);
  });

  test("accepts inputs that a preview does not know", async () => {
    const phase = unknownValue<MigrationPhase>();
    expect((await run(create({ phase }), { preview: true })).failures).toEqual([]);
  });
});
