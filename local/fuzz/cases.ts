import { placesIn } from "./json";
import { changes, mutated, type Mutation } from "./mutations";
import { oneOf, randomFrom } from "./random";
import type { Sample } from "./samples";

/** A sample, and what is done to it. */
export interface Case {
  sample: Sample;
  mutation: Mutation;
}

/** Mutations of every sample. */
export function mutationsOf(sample: Sample): Mutation[] {
  return sample.resources.flatMap(({ type, properties }, resource) =>
    [...placesIn(properties)]
      // The engine says the id of what a cloud has; no program writes it.
      .filter(({ steps }) => type.startsWith("kubernetes:") || steps[0] !== "id")
      .flatMap(({ steps }) => changes.map(({ name }) => ({ resource, steps, change: name })))
      .filter((mutation) => mutated(sample, mutation)),
  );
}

/** So many cases, the same for the same seed; every sample comes as often. */
export function* casesOf(samples: readonly Sample[], count: number, seed: number): Generator<Case> {
  const random = randomFrom(seed);
  const known = new Map<Sample, readonly Mutation[]>();
  for (let made = 0; made < count; made++) {
    const sample = oneOf(samples, random);
    const mutations = known.get(sample) ?? mutationsOf(sample);
    known.set(sample, mutations);
    yield { sample, mutation: oneOf(mutations, random) };
  }
}
