import { ByteFuzzer, corpusCases } from "../../local/fuzz/bytes/byteFuzzer";
import { seedsFor } from "../../local/fuzz/bytes/seeds";
import { targets } from "../../local/fuzz/bytes/targets";

let fuzzer: ByteFuzzer;
beforeAll(() => (fuzzer = new ByteFuzzer()));
afterAll(() => fuzzer.close());

test("mutated bytes break no invariant", async () => {
  const found: string[] = [];
  for (const one of fuzzer.cases(440, 7)) {
    const breach = await fuzzer.breach(one);
    if (breach) found.push(`${one.target.name}: ${breach}`);
  }
  expect(found).toEqual([]);
}, 60_000);

test("the corpus breaks no invariant", async () => {
  const all = corpusCases();
  expect(all.length).toBeGreaterThan(2);
  const found: string[] = [];
  for (const one of all) {
    const breach = await fuzzer.breach(one);
    if (breach) found.push(`${one.target.name}: ${breach}`);
  }
  expect(found).toEqual([]);
});

test("every target has seeds to mutate", () => {
  expect(targets.map((target) => [target.name, seedsFor(target).length > 0])).toEqual(
    targets.map(({ name }) => [name, true]),
  );
});

test("the same seed gives the same bytes", () => {
  const bytes = (seed: number) => [...fuzzer.cases(22, seed)].map((one) => one.bytes.toString("hex"));
  expect(bytes(3)).toEqual(bytes(3));
  expect(bytes(3)).not.toEqual(bytes(4));
});

test("bytes that break an invariant are minimised", async () => {
  const [target] = targets;
  const breaking = new ByteFuzzer();
  jest
    .spyOn(breaking, "breach")
    .mockImplementation(({ bytes }) => Promise.resolve(bytes.includes("x") ? "throws" : undefined));
  const found = { target: target!, bytes: Buffer.from("aaaaaaaxbbbbbbbbbbbb") };
  expect((await breaking.minimised(found)).bytes.toString()).toBe("x");
  breaking.close();
});

test("a thrown error is a breach, and refused arguments are not", async () => {
  const [check] = targets;
  const saying = { ...check!, args: () => ["explain", "no-such-word"] };
  expect(await fuzzer.breach({ target: saying, bytes: Buffer.from("") })).toBeUndefined();
  const throwing = { ...check!, args: () => [undefined as unknown as string] };
  expect(await fuzzer.breach({ target: throwing, bytes: Buffer.from("") })).toMatch(/^throws /);
});
