import fc from "fast-check";

import { flowsClosed } from "../../src/runBook/steps/firewalls";
import { normal } from "../topology/topologies";
import { answers, base, runBook, stepIds } from "./sides";
import { Outcome, type RunBook } from "../../src/runBook/runBook";

const settingsOf = ({ steps }: RunBook) => steps.map(({ id, settings }) => [id, settings]);
const aws = { platform: "AWS" };
const narrow = ["203.0.113.10/32"];

describe("an absent list stands for its default while flows open", () => {
  test("so its default blocks are set together with the first written block", () => {
    expect(settingsOf(runBook({}, { dnsServerCidrs: ["10.3.0.2/32"] }))).toEqual([
      ["open-flows", { dnsServerCidrs: ["10.3.0.2/32", "10.1.0.0/16", "10.0.0.0/16"] }],
      ["close-flows", { dnsServerCidrs: ["10.3.0.2/32"] }],
    ]);
  });

  test("so a default of every address stays while flows open, as for a public API server", () => {
    expect(settingsOf(runBook(aws, { ...aws, controlPlaneEndpointCidrs: narrow }))).toEqual([
      ["open-flows", { controlPlaneEndpointCidrs: null }],
      ["close-flows", { controlPlaneEndpointCidrs: narrow }],
    ]);
  });

  test("and stays absent if the default contains all written blocks", () => {
    expect(settingsOf(runBook({}, { registryCidrs: narrow }))).toEqual([
      ["open-flows", { registryCidrs: null }],
      ["close-flows", { registryCidrs: narrow }],
    ]);
  });

  test("and is removed at once if the default comes back", () => {
    expect(settingsOf(runBook({ registryCidrs: narrow }, {}))).toEqual([
      ["open-flows", { registryCidrs: null }],
    ]);
  });

  test("but a list without a default gets only the written blocks", () => {
    expect(settingsOf(runBook({}, { externalClientCidrs: narrow }))[0]).toEqual([
      "open-flows",
      { externalClientCidrs: narrow },
    ]);
  });
});

test("the wanted lists are written last if no flow closes", () => {
  const dns = (...dnsServerCidrs: string[]) => ({ dnsServerCidrs });
  const book = runBook(dns("10.3.0.0/24"), dns("10.3.0.0/16"));
  expect(settingsOf(book)).toEqual([
    ["open-flows", { dnsServerCidrs: ["10.3.0.0/24", "10.3.0.0/16"] }],
    ["wanted-lists", { dnsServerCidrs: ["10.3.0.0/16"] }],
  ]);
  expect(answers(book)).toEqual([["dnsServerCidrs", "mutable", "open-flows", "wanted-lists"]]);
  expect(book.outcome).toBe(Outcome.InPlace);
  expect(stepIds(runBook(dns("10.3.0.0/24"), dns("10.3.0.0/24", "10.4.0.0/24")))).toEqual(["open-flows"]);
});

describe("with the settings of each step", () => {
  const block = fc.constantFrom(
    "10.0.0.0/16",
    "10.7.1.0/24",
    "203.0.113.0/24",
    "198.51.100.0/24",
    "10.1.0.0/24",
  );
  const blocks = fc.option(fc.uniqueArray(block, { minLength: 1, maxLength: 3 }), { nil: undefined });
  const lists = [
    "workerCidrs",
    "workerNatCidrs",
    "externalClientCidrs",
    "managementClusterCidrs",
    "controlPlaneEndpointCidrs",
    "dnsServerCidrs",
    "registryCidrs",
  ];
  const topology = fc.record({
    ...Object.fromEntries(lists.map((name) => [name, blocks])),
  }) as fc.Arbitrary<Record<string, unknown>>;
  const platform = fc.constantFrom("None", "AWS", "Agent");
  const applied = (raw: object, settings: object) => {
    const all = Object.entries({ ...base, ...raw, ...settings }).filter(([, value]) => value !== null);
    return normal(Object.fromEntries(all));
  };

  test("opening steps open all current and wanted flows, and the final lists match the wanted flows", () => {
    fc.assert(
      fc.property(platform, topology, topology, (on, first, second) => {
        const [current, wanted] = [first, second].map((one) => ({ ...one, platform: on }));
        const { steps } = runBook(current!, wanted!);
        const [open] = steps.flatMap(({ id, settings }) =>
          id === "open-flows" && settings ? [settings] : [],
        );
        if (open)
          for (const raw of [current!, wanted!])
            expect(flowsClosed(applied(raw, {}), applied(raw, open)).filter(hasBlock)).toEqual([]);
        const last = steps.flatMap(({ settings }) => (settings ? [settings] : []));
        const end = applied({ ...current }, Object.assign({}, ...last) as object);
        if (last.length > 0) expect(flowsClosed(applied(wanted!, {}), end)).toEqual([]);
        if (last.length > 0) expect(flowsClosed(end, applied(wanted!, {}))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  const hasBlock = ({ peers }: { peers: string[] }) => peers.some((peer) => !peer.startsWith("?"));
});
