import { isDeepStrictEqual } from "node:util";
import { isNamespaceUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { readings } from "../topology/readings";
import type { Hop, Journey, MissingInput } from "./model";
import { journeys } from "./journeys";
import { NO_SURROUNDINGS, type Surroundings } from "./surroundings";

/** Journeys as they are with one set of supposed values, by their keys. */
interface Supposed {
  supposed: readonly string[];
  byKey: ReadonlyMap<string, Journey>;
}

/**
 * Every documented flow of a hosted cluster, with the places that are on its way whatever the values of the topology are that
 * a plan does not know yet. Where such a value decides on the way, or on whether there is one, it is missing.
 */
export function settledJourneys(topology: NormalizedTopology, surroundings = NO_SURROUNDINGS): Journey[] {
  const all = everyReading(topology, surroundings);
  const [first] = all;
  const keys = new Set(all.flatMap(({ byKey }) => [...byKey.keys()]));
  const hidden = hiddenNamespace(topology);
  return [...keys].map((key) => {
    const own = first?.byKey.get(key);
    const found = own ?? all.map(({ byKey }) => byKey.get(key)).find((one) => one !== undefined)!;
    const settled = all.length > 1 ? settle({ ...found, ...(!own && { hops: [] }) }, all) : found;
    return hidden ? withoutPods(settled, hidden) : settled;
  });
}

/** Every journey that there may be, with all the places that may be on its way: those that values decide about too. */
export function possibleJourneys(topology: NormalizedTopology, surroundings = NO_SURROUNDINGS): Journey[] {
  const all = new Map<string, Journey>();
  for (const { byKey } of everyReading(topology, surroundings))
    for (const [key, journey] of byKey) {
      const { hops = [] } = all.get(key) ?? {};
      const more = journey.hops.filter((hop) => !hops.some((other) => isDeepStrictEqual(other, hop)));
      all.set(key, { ...journey, hops: [...hops, ...more] });
    }
  return [...all.values()];
}

const everyReading = (topology: NormalizedTopology, surroundings: Surroundings): Supposed[] =>
  readings(topology).map(({ supposed, topology: one }) => ({
    supposed,
    byKey: new Map(journeys(one, surroundings).map((journey) => [journey.key, journey])),
  }));

function settle(journey: Journey, all: readonly Supposed[]): Journey {
  const { key } = journey;
  const others = all.map(({ byKey, supposed }) => ({ supposed, hops: byKey.get(key)?.hops }));
  const differing = others.filter(({ hops }) => !isDeepStrictEqual(hops, others[0]?.hops));
  const isSure = (hop: Hop) =>
    differing.every(({ hops = [] }) => hops.some((other) => isDeepStrictEqual(other, hop)));
  const single = new Set(differing.flatMap(({ supposed }) => (supposed.length === 1 ? supposed : [])));
  // Two values decide together where neither does by itself.
  const together = differing
    .filter(({ supposed }) => !supposed.some((property) => single.has(property)))
    .flatMap(({ supposed }) => supposed);
  const inputs = new Set([...single, ...together, ...journey.missing.map(({ input }) => input)]);
  const missing = [...inputs].flatMap((input): MissingInput[] => {
    const named = journey.missing.filter((one) => one.input === input);
    return named.length > 0 ? named : [{ input, why: "which way these packets take, if any" }];
  });
  return { ...journey, hops: journey.hops.filter(isSure), missing };
}

/** Network policies are looked for in a namespace whose name is not known yet. */
const hiddenNamespace = (topology: NormalizedTopology): MissingInput | undefined =>
  isNamespaceUnknown(topology)
    ? { input: "namespace", why: "in which namespace the pods of the control plane are" }
    : undefined;

function withoutPods(journey: Journey, hidden: MissingInput): Journey {
  const hops = journey.hops.filter(({ kind }) => kind !== "pods" && kind !== "senders");
  if (hops.length === journey.hops.length) return journey;
  return { ...journey, hops, missing: [...journey.missing, hidden] };
}
