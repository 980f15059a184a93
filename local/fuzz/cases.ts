import { changes } from "./mutations";
import { mutatedPart, partsOf, placesOf, type Mutation } from "./parts";
import { oneOf, randomFrom } from "./random";
import type { Sample } from "./samples";

/** A sample, and what is done to it. */
export interface Case {
  sample: Sample;
  mutation: Mutation;
}

/** Mutations of a sample. */
export const mutationsOf = (sample: Sample): Mutation[] =>
  partsOf(sample)
    .flatMap((part) =>
      placesOf(sample, part).flatMap((steps) => changes.map(({ name }) => ({ part, steps, change: name }))),
    )
    .filter((mutation) => mutatedPart(sample, mutation) !== undefined);

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
