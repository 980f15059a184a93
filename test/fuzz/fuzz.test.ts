import { readFileSync } from "node:fs";
import { join } from "node:path";

import { casesOf, mutationsOf, type Case } from "../../local/fuzz/cases";
import { differences, sameSaid } from "../../local/fuzz/differences";
import { urnOf } from "../../local/fuzz/documents";
import { Fuzzer, type Found } from "../../local/fuzz/fuzz";
import { baselineOf } from "../../local/fuzz/invariants";
import { minimised } from "../../local/fuzz/minimise";
import { changes } from "../../local/fuzz/mutations";
import type { Checked, Said } from "../../local/fuzz/outcome";
import { samples } from "../../local/fuzz/samples";
import { lost, silences } from "../../local/fuzz/silences";
import { kubernetesKinds } from "../../src/resources/resourceTypes";

const regressions = JSON.parse(readFileSync(join(__dirname, "regressions.json"), "utf8")) as Case[];
const seen = ({ key, detail }: Found) => `${key} (${detail})`;

let fuzzer: Fuzzer;
beforeAll(() => (fuzzer = new Fuzzer()));
afterAll(() => fuzzer.close());

test("mutated inputs break no invariant", async () => {
  const found: string[] = [];
  for (const one of casesOf(samples(), 300, 7)) found.push(...(await fuzzer.breaches(one)).map(seen));
  expect(found).toEqual([]);
});

test.each(regressions.map((one) => [one.sample.name, one.mutation, one] as const))(
  "%s stays fixed: %j",
  async (_, __, one) => {
    expect((await fuzzer.breaches(one)).map(seen)).toEqual([]);
  },
);

test("the samples have every kind that rules check", () => {
  const types = new Set(samples().flatMap(({ resources }) => resources.map(({ type }) => type)));
  const kinds = new Set([...types].map((type) => type.slice(type.lastIndexOf(":") + 1)));
  // Workloads contain pods in the same way, so one of them represents all.
  const others = ["ReplicationController", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"];
  expect(kubernetesKinds.map(({ kind }) => kind).filter((kind) => !kinds.has(kind))).toEqual(others);
  expect([...types].filter((type) => type.startsWith("aws:")).length).toBeGreaterThan(15);
});

test("the same seed gives the same cases, and every change occurs, in every part", () => {
  const cases = (seed: number) => [...casesOf(samples(), 20, seed)];
  expect(cases(3)).toEqual(cases(3));
  expect(cases(3)).not.toEqual(cases(4));
  const some = samples().filter(({ name }) => /port|proxy|configuration/.test(name));
  const happening = some.flatMap(mutationsOf);
  expect(new Set(happening.map(({ change }) => change))).toEqual(new Set(changes.map(({ name }) => name)));
  expect(new Set(happening.map(({ part }) => (typeof part === "number" ? "resource" : part)))).toEqual(
    new Set(["resource", "configuration", "preview", "export"]),
  );
});

test("a case that breaks an invariant is minimised", async () => {
  const [sample] = samples();
  const [mutation] = mutationsOf(sample!);
  const breaksAlways = {
    breaches: (one: Case) =>
      Promise.resolve([{ ...one, invariant: "throws", detail: "", key: "" } satisfies Found]),
  };
  const found: Found = { sample: sample!, mutation: mutation!, invariant: "throws", detail: "", key: "" };
  const { sample: smallest } = await minimised(found, breaksAlways as unknown as Fuzzer);
  expect(smallest.resources).toHaveLength(1);
  expect(Object.keys(smallest.resources[0]!.properties)).toEqual([String(mutation!.steps[0])]);
});

describe("the invariants", () => {
  const said = (one: Partial<Said>): Said => ({
    rule: "port-public",
    level: "error",
    status: "violated",
    urn: "urn",
    path: "ingress[0]",
    text: "ingress[0]: open",
    ...one,
  });
  const checked = (...all: Said[]): Checked => ({ status: 1, said: all, faults: [], notes: [] });

  test("detect a difference between pack and check in either direction", () => {
    const packs = (...violations: string[]) => ({ violations, unknown: [] });
    expect(differences(checked(said({})), packs("port-public ingress[0]: open"))).toEqual([]);
    expect(differences(checked(said({})), packs())).toHaveLength(1);
    expect(differences(checked(), packs("port-public ingress[0]: open"))).toHaveLength(1);
    expect(differences(checked(said({ status: "unknown" })), packs())).toHaveLength(1);
    expect(differences({ ...checked(), status: 2 }, packs())).toHaveLength(1);
  });

  test("detect a difference between two forms of an input in either direction", () => {
    expect(sameSaid("order", checked(said({})), checked(said({})))).toEqual([]);
    expect(sameSaid("order", checked(said({})), checked())).toHaveLength(1);
    expect(sameSaid("order", checked(), checked(said({})))).toHaveLength(1);
    expect(sameSaid("order", checked(), { ...checked(), status: 0 })).toHaveLength(1);
    const beside = (place: string) => checked(said({ text: `another one is at ${place}` }));
    expect(sameSaid("forms differ", beside("stdin:3"), beside("stdin:12"))).toEqual([]);
    expect(sameSaid("forms differ", beside("stdin:3"), beside("other.yaml:3"))).toHaveLength(1);
  });

  test("detect a finding that vanishes without a message", async () => {
    const sample = samples().find(({ name }) => name === "port-public violated")!;
    const baseline = await baselineOf(sample, () => undefined);
    const at = sample.resources.findIndex(({ type }) => type.endsWith(":SecurityGroup"));
    const mutation = { part: at, steps: ["ingress"], change: "string" };
    expect(silences(baseline, mutation, checked())).toHaveLength(1);
    expect(silences(baseline, mutation, checked(said({ urn: urnOf(sample.resources[at]!) })))).toEqual([]);
    expect(silences(baseline, mutation, { ...checked(), notes: ["a new note"] })).toEqual([]);
    expect(lost(baseline, baseline.said, { ...mutation, part: "preview" }, checked())).toHaveLength(1);
  });
});
