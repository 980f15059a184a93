import { readFileSync } from "node:fs";
import { join } from "node:path";

import { casesOf, mutationsOf, type Case } from "../../local/fuzz/cases";
import { Fuzzer, type Found } from "../../local/fuzz/fuzz";
import { minimised } from "../../local/fuzz/minimise";
import { changes } from "../../local/fuzz/mutations";
import { samples } from "../../local/fuzz/samples";
import { kubernetesKinds } from "../../src/resources/kubernetesKinds";

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
  "%s stays mended: %j",
  async (_, __, one) => {
    expect((await fuzzer.breaches(one)).map(seen)).toEqual([]);
  },
);

test("every kind that rules look at is mutated", () => {
  const types = new Set(samples().flatMap(({ resources }) => resources.map(({ type }) => type)));
  const kinds = new Set([...types].map((type) => type.slice(type.lastIndexOf(":") + 1)));
  // Workloads hold pods in the same way, and one of them stands for all.
  const others = ["ReplicationController", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"];
  expect(kubernetesKinds.map(({ kind }) => kind).filter((kind) => !kinds.has(kind))).toEqual(others);
  expect([...types].filter((type) => type.startsWith("aws:")).length).toBeGreaterThan(15);
});

test("the same seed gives the same cases, and every change happens", () => {
  const cases = (seed: number) => [...casesOf(samples(), 200, seed)];
  expect(cases(3)).toEqual(cases(3));
  expect(cases(3)).not.toEqual(cases(4));
  const happening = new Set(samples().flatMap((sample) => mutationsOf(sample).map(({ change }) => change)));
  expect([...happening].sort()).toEqual(changes.map(({ name }) => name).sort());
});

test("what breaks an invariant is made as small as it can be", async () => {
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
