import type { Fuzzer, Found } from "./fuzz";
import { placesIn, valueAt, withHolder, isList, isMap, type Json, type JsonObject, type Steps } from "./json";
import type { Mutation } from "./mutations";
import type { Sample } from "./samples";

/** The smallest part of a sample that breaks the same invariant at the same place. */
export async function minimised(found: Found, fuzzer: Fuzzer): Promise<Found> {
  let smallest = found;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(smallest)) {
      const same = (await fuzzer.breaches(smaller)).find(({ invariant }) => invariant === found.invariant);
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
  const { resources } = sample;
  for (const at of resources.keys())
    if (at !== mutation.resource)
      yield {
        sample: { ...sample, resources: resources.toSpliced(at, 1) },
        mutation: { ...mutation, resource: mutation.resource - (at < mutation.resource ? 1 : 0) },
      };
  for (const [at, one] of resources.entries())
    for (const { steps } of placesIn(one.properties)) {
      if (at === mutation.resource && isOnTheWay(steps, mutation.steps)) continue;
      const smaller = { ...one, properties: without(one.properties, steps) as JsonObject };
      if (isList(valueAt(one.properties, steps.slice(0, -1))) && at === mutation.resource) continue;
      yield { sample: { ...sample, resources: resources.with(at, smaller) }, mutation };
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
