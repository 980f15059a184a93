import type { Case } from "./cases";
import type { Found, Fuzzer } from "./fuzz";
import { isList, isMap, placesIn, valueAt, withHolder, type Json, type JsonObject, type Steps } from "./json";
import type { Mutation } from "./parts";
import type { Sample } from "./samples";

/** The smallest part of a sample that violates the same invariant at the same place. */
export async function minimised(found: Found, fuzzer: Fuzzer): Promise<Found> {
  // The rest of a sample may be invalid input that makes the fuzzer throw.
  const breachesOf = (one: Case) => fuzzer.breaches(one).catch((): Found[] => []);
  let smallest = found;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(smallest)) {
      const same = (await breachesOf(smaller)).find(({ invariant }) => invariant === found.invariant);
      if (!same) continue;
      smallest = same;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** The sample without one resource, or without one value that the mutation does not need. */
function* smallerThan({ sample, mutation }: Found): Generator<{ sample: Sample; mutation: Mutation }> {
  const { resources, configuration } = sample;
  const { part } = mutation;
  // These parts contain all resources, so none can be removed.
  if (part === "preview" || part === "export") return;
  for (const at of resources.keys())
    if (at !== part && !resources.some(({ parent }) => parent && parent.name === resources[at]!.name))
      yield {
        sample: { ...sample, resources: resources.toSpliced(at, 1) },
        mutation: { ...mutation, part: typeof part === "number" ? part - (at < part ? 1 : 0) : part },
      };
  for (const [at, one] of resources.entries())
    for (const properties of smaller(one.properties, at === part ? mutation.steps : undefined))
      yield { sample: { ...sample, resources: resources.with(at, { ...one, properties }) }, mutation };
  for (const less of smaller(configuration, part === "configuration" ? mutation.steps : undefined))
    yield { sample: { ...sample, configuration: less }, mutation };
}

/** A part without one of its values: neither those on the path to the mutated value, nor those whose removal would shift it. */
function* smaller(part: JsonObject, way: Steps | undefined): Generator<JsonObject> {
  for (const { steps } of placesIn(part)) {
    if (way && (isOnTheWay(steps, way) || isList(valueAt(part, steps.slice(0, -1))))) continue;
    yield without(part, steps) as JsonObject;
  }
}

const isOnTheWay = (steps: Steps, way: Steps): boolean => steps.every((step, at) => way[at] === step);

const without = (value: Json, steps: Steps): Json =>
  withHolder(value, steps, (holder, step) =>
    isList(holder)
      ? holder.toSpliced(step as number, 1)
      : isMap(holder)
        ? Object.fromEntries(Object.entries(holder).filter(([key]) => key !== step))
        : holder,
  );
