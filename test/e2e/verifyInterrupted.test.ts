import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { applied, namespaced } from "./applied";
import { objectsOf } from "./examples/inventory";
import { hostedClusterObject } from "./hostedCluster";
import { interpose, type Asked, type Interposer } from "./interposer";
import { sample } from "./interrupted/sample";
import { HostedNetwork } from "./probes/hostedNetwork";
import { ProbeWorld, ready } from "./probes/probeWorld";
import { sharedSession } from "./sharedSession";

const JOIN = "100.99.0.0/16";
const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const OWN = "/api/v1/namespaces/hypershift-network-verify";
const JOBS = "/apis/batch/v1/namespaces/hypershift-network-verify/jobs";
const KINDS = [JOBS, `${OWN}/services`, `${OWN}/pods`];
const TENANT = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";
const WHEN = ["before", "after"] as const;
const EVERY = 16;
type When = (typeof WHEN)[number];

/** The outcome of a run. */
interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  out: string;
}

/**
 * Interrupts each request, in turn, of a verification that creates the namespace of its probes itself. Kubelets and controllers do
 * their part before a write is answered, so that a run never waits.
 */
describe("M7 hypershift-network verify, interrupted at any request", () => {
  const folder = mkdtempSync(join(tmpdir(), "verify-interrupted-"));
  const kubeconfig = join(folder, "kubeconfig.json");
  let session: Session;
  let world: ProbeWorld;
  let front: Interposer;
  /** The requests and the output of an uninterrupted run. */
  const asked: string[] = [];
  let whole: Ended;
  let inventory: string[];

  const everything = async () => [...(await objectsOf(session.kubernetes)).keys()].sort();
  const get = (path: string) => session.kubernetes.request("GET", path);

  /** The kinds of the probe objects that are left. */
  async function left(): Promise<string[]> {
    const isThere = [(await get(OWN)).status !== 404 && "namespace"];
    for (const path of KINDS) {
      const { items = [] } = (await get(path)).body as { items?: object[] };
      isThere.push(items.length > 0 && path.split("/").at(-1)!);
    }
    return isThere.filter((kind) => kind !== false);
  }

  /** Does the work of the session's namespace controller, which checks every kind and takes longer. */
  async function finishNamespace(): Promise<void> {
    const { status, body } = await get(OWN);
    const namespace = body as { metadata: { deletionTimestamp?: string }; spec: object };
    if (status === 404 || namespace.metadata.deletionTimestamp === undefined) return;
    await Promise.all(KINDS.map((path) => session.kubernetes.request("DELETE", path)));
    const empty = { ...namespace, apiVersion: "v1", kind: "Namespace", spec: { finalizers: [] } };
    await session.kubernetes.request("PUT", `${OWN}/finalize`, empty);
  }

  function started(): { child: ChildProcess; ended: Promise<Ended> } {
    const options = [
      "--management-kubeconfig",
      kubeconfig,
      "--hosted-kubeconfig",
      kubeconfig,
      "--timeout",
      "600",
    ];
    const child = spawn(process.execPath, [command, "verify", "clusters/tenant-a", ...options], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const out = text(child.stdout);
    const ended = once(child, "close").then(async ([status, signal]) => ({
      status: status as Ended["status"],
      signal: signal as Ended["signal"],
      // The API server chooses the Service's address.
      out: (await out).replaceAll(/10\.255\.\d+\.\d+/g, "SERVICE"),
    }));
    return { child, ended };
  }

  /** A run that is disturbed at one of its requests, and what it leaves. */
  async function interrupted(at: number, happens: (child: ChildProcess) => void, when?: When) {
    const { child, ended } = started();
    const seen: string[] = [];
    front.cut = (request) => {
      if (seen.push(wordsOf(request)) !== at) return undefined;
      if (when === undefined) happens(child);
      return when;
    };
    front.onCut = () => happens(child);
    const end = await ended;
    front.cut = () => undefined;
    expect(seen[at - 1]).toBe(asked[at - 1]);
    return { ...end, rest: await left() };
  }

  /** Expects that the next run ends like an uninterrupted one, and leaves nothing. */
  async function runsAgain(at: number): Promise<void> {
    expect([asked[at - 1], await started().ended, await left()]).toEqual([asked[at - 1], whole, []]);
  }

  beforeAll(async () => {
    session = await sharedSession(join(folder, "state"));
    await new HostedNetwork(session).runs(JOIN);
    await namespaced(session, "clusters");
    const ipv4 = { internalJoinSubnet: JOIN };
    const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
    await applied(session, TENANT, hostedClusterObject({ operatorConfiguration }));
    world = new ProbeWorld(session.kubernetes);
    // It acts only after writes.
    await world.stop();
    world.pods = ({ metadata: { name } }) => ready(name.endsWith("-one") ? "10.132.0.9" : "10.132.2.9");
    front = await interpose(session.kubernetes);
    front.afterWrite = async ({ method }) => {
      if (method !== "POST") return finishNamespace();
      while (!(await world.turn()));
    };
    writeFileSync(kubeconfig, front.kubeconfig);
    inventory = await everything();
    front.cut = (request) => void asked.push(wordsOf(request));
    whole = await started().ended;
    front.cut = () => undefined;
  });
  afterAll(async () => {
    front?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("an uninterrupted run creates all probes, and removes them", async () => {
    expect(whole.out).toContain("clusters/tenant-a: verified, 8 of 8 checks passed\n");
    expect(whole).toMatchObject({ status: 0, signal: null });
    expect(asked.filter(isWrite)).toEqual([
      "POST /api/v1/namespaces",
      `POST ${OWN}/pods`,
      `POST ${OWN}/pods`,
      `POST ${OWN}/services`,
      `POST ${JOBS}`,
      `DELETE ${JOBS}/RUN`,
      `DELETE ${OWN}/services/RUN`,
      ...Array<string>(3).fill(`DELETE ${OWN}/pods/RUN`),
      `DELETE ${OWN}`,
    ]);
    expect(asked.filter((words) => !isWrite(words)).length).toBeGreaterThan(10);
    expect(await everything()).toEqual(inventory);
  });

  /** The positions of the requests at which a run is interrupted. Every sample has those that leave the most, and the last write. */
  function places(isMeant: (words: string) => boolean): number[] {
    const all = asked.flatMap((words, index) => (isMeant(words) ? [index + 1] : []));
    const telling = [`POST ${JOBS}`, `DELETE ${JOBS}/RUN`, `DELETE ${OWN}`];
    return sample(all, { every: EVERY, always: telling.map((words) => asked.indexOf(words) + 1) });
  }

  test.each(WHEN)("killed %s the API server answers: the next run removes what is left", async (when) => {
    const seen = new Set<string>();
    // Whether a read was answered does not affect what is left.
    for (const at of places((words) => when === "before" || isWrite(words))) {
      const { signal, rest } = await interrupted(at, (child) => child.kill("SIGKILL"), when);
      expect([asked[at - 1], signal]).toEqual([asked[at - 1], "SIGKILL"]);
      for (const kind of rest) seen.add(kind);
      // If nothing is left, the next run finds what this one found.
      if (rest.length > 0) await runsAgain(at);
    }
    expect([...seen].sort()).toEqual(["jobs", "namespace", "pods", "services"]);
    expect(await everything()).toEqual(inventory);
  });

  test.each([
    ["before", [`DELETE ${OWN}`]],
    ["after", []],
  ] as const)(
    "a write that is lost %s the API server answers leaves nothing unsaid",
    async (when, unsaved) => {
      const leaving: string[] = [];
      for (const at of places(isWrite)) {
        const { status, out, rest } = await interrupted(at, () => undefined, when);
        const words = asked[at - 1]!;
        expect([words, status]).toEqual([words, 1]);
        if (rest.length === 0) continue;
        leaving.push(words);
        expect(out).toMatch(/unknown {2}probes in namespace .*\n +expected {2}removed\n.*does not answer/);
        await runsAgain(at);
      }
      expect(leaving).toEqual(unsaved);
      expect(await everything()).toEqual(inventory);
    },
  );

  /** Ctrl-C comes at any request; other signals take the same path, and come only at creations. */
  test.each([
    ["SIGINT", 130, () => true],
    ["SIGTERM", 143, (words: string) => words.startsWith("POST ")],
  ] as const)(
    "%s at a request: it ends at its next pause, and leaves nothing",
    async (signal, code, isMeant) => {
      const statuses: [string, number | null][] = [];
      for (const at of places(isMeant)) {
        const { pods, jobs } = world;
        const stop = (child: ChildProcess) => {
          // From here on nothing gets ready, so that the run pauses.
          Object.assign(world, { pods: () => undefined, jobs: () => undefined });
          child.kill(signal);
        };
        const { status, rest } = await interrupted(at, stop);
        Object.assign(world, { pods, jobs });
        expect([asked[at - 1], rest]).toEqual([asked[at - 1], []]);
        statuses.push([`${at} ${asked[at - 1]}`, status]);
      }
      // The run waits for nothing after the Job, which has ended before its creation is answered.
      const lastPause = asked.indexOf(`POST ${JOBS}`) + 1;
      const expected = places(isMeant).map((at) => [`${at} ${asked[at - 1]}`, at <= lastPause ? code : 0]);
      expect(statuses).toEqual(expected);
      expect(await everything()).toEqual(inventory);
    },
  );
});

const isWrite = (words: string): boolean => !words.startsWith("GET ");

/** A request, without the parts that differ in each run. */
const wordsOf = ({ method, path }: Asked): string =>
  `${method} ${path.replace(/\?.*/, "").replace(/verify-[0-9a-f]{8}[-0-9a-z]*/, "RUN")}`;
