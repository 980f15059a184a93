import { isDeepStrictEqual } from "node:util";
import { journeys, possibleJourneys, settledJourneys } from "../../src/flows/journeys";
import type { Hop, Journey } from "../../src/flows/model";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { readings } from "../../src/topology/readings";
import { pinned, said } from "../reachability/path/clusters";
import { NO_SURROUNDINGS } from "../../src/flows/surroundings";

const bare = said({ platform: "None", services: pinned });
const joined = said({ platform: "None", services: pinned, bootstrap: false });
const aws = said({ platform: "AWS", release: "4.20", endpointAccess: "PublicAndPrivate" });
const among = (topology: NormalizedTopology, ...unknown: string[]) => ({ ...topology, unknown });
const byKey = (all: readonly Journey[]) => new Map(all.map((journey) => [journey.key, journey]));
const has = (hops: readonly Hop[], hop: Hop) => hops.some((other) => isDeepStrictEqual(other, hop));
const UNDECIDED = "which path these packets take, if any";

describe("settled and possible journeys of a fully known topology", () => {
  test.each([bare, aws])("are its journeys", (topology) => {
    expect(settledJourneys(topology, NO_SURROUNDINGS)).toEqual(journeys(topology));
    expect(possibleJourneys(topology)).toEqual(journeys(topology));
  });
});

describe("settled journeys with an unknown value", () => {
  test("keep hops that do not depend on it, and name it as missing if they do", () => {
    const topology = among(joined, "bootstrap");
    const settled = byKey(settledJourneys(topology, NO_SURROUNDINGS));
    const known = byKey(journeys(joined));
    const decided = [...settled.values()].filter(({ missing }) =>
      missing.some(({ input }) => input === "bootstrap"),
    );
    expect(decided.map(({ key }) => key)).toEqual(["workers-ignition"]);
    // With the other value there is no such journey, so no hop is certain.
    expect(known.has("workers-ignition")).toBe(false);
    expect(decided[0]).toMatchObject({
      hops: [],
      missing: [{ input: "bootstrap", why: UNDECIDED }],
    });
    for (const [key, journey] of known) expect(settled.get(key)).toEqual(journey);
  });

  test("keep the hops that are the same with every value, in their order", () => {
    const topology = among(aws, "endpointAccess");
    const all = readings(topology).map((reading) => byKey(journeys(reading.topology)));
    let fewer = 0;
    for (const { key, hops, missing } of settledJourneys(topology, NO_SURROUNDINGS)) {
      const own = all[0]!.get(key)?.hops ?? [];
      expect(hops).toEqual(own.filter((hop) => all.every((one) => has(one.get(key)?.hops ?? [], hop))));
      const differs = all.some((one) => !isDeepStrictEqual(one.get(key)?.hops, all[0]!.get(key)?.hops));
      expect([key, missing.some(({ input }) => input === "endpointAccess")]).toEqual([key, differs]);
      fewer += own.length - hops.length;
    }
    expect(fewer).toBeGreaterThan(0);
  });

  test("keep each missing input of the journey once, with its own reason", () => {
    const topology = among(
      said({ platform: "AWS", endpointAccess: "Public", loadBalancerTargets: undefined }),
      "loadBalancerTargets",
    );
    const before = byKey(journeys(topology));
    for (const { key, missing } of settledJourneys(topology, NO_SURROUNDINGS)) {
      const inputs = missing.map(({ input, why }) => `${input} ${why}`);
      expect(new Set(inputs).size).toBe(inputs.length);
      for (const one of before.get(key)?.missing ?? []) expect(missing).toContainEqual(one);
      if (before.get(key)?.missing.some(({ input }) => input === "loadBalancerTargets"))
        expect(inputs).not.toContain(`loadBalancerTargets ${UNDECIDED}`);
    }
  });

  test("name of two unknown values only the one that the journey depends on", () => {
    const one = byKey(settledJourneys(among(joined, "bootstrap", "networkType"), NO_SURROUNDINGS));
    expect(one.get("workers-ignition")?.missing).toEqual([{ input: "bootstrap", why: UNDECIDED }]);
    const pods = one.get("workers-pods-between-nodes");
    expect(pods?.missing).toEqual([{ input: "networkType", why: UNDECIDED }]);
  });
});

describe("hops at pods whose namespace is unknown", () => {
  const settled = byKey(settledJourneys(among(bare, "namespace"), NO_SURROUNDINGS));
  const known = byKey(journeys(bare));
  const isPods = ({ kind }: Hop) => kind === "pods" || kind === "senders";

  test("are omitted, and the namespace is named as missing", () => {
    expect([...known.values()].some(({ hops }) => hops.some(({ kind }) => kind === "senders"))).toBe(true);
    for (const [key, { hops, missing }] of known) {
      const found = settled.get(key)!;
      expect(found.hops).toEqual(hops.filter((hop) => !isPods(hop)));
      const why = "the namespace of the control plane's pods";
      expect(found.missing).toEqual(hops.some(isPods) ? [...missing, { input: "namespace", why }] : missing);
    }
  });
});

describe("possible journeys", () => {
  test("have the hops of all values, each once", () => {
    const topology = among(aws, "endpointAccess");
    const all = readings(topology).flatMap((reading) => journeys(reading.topology));
    const possible = byKey(possibleJourneys(topology));
    expect(new Set(possible.keys())).toEqual(new Set(all.map(({ key }) => key)));
    for (const [key, { hops }] of possible) {
      for (const hop of hops) expect(hops.filter((other) => isDeepStrictEqual(other, hop))).toHaveLength(1);
      const wanted = all.filter((journey) => journey.key === key).flatMap((journey) => journey.hops);
      for (const hop of wanted) expect(has(hops, hop)).toBe(true);
      for (const hop of hops) expect(has(wanted, hop)).toBe(true);
    }
  });
});
