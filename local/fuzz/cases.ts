import { shapeOf } from "./json";
import { changes } from "./mutations";
import { describeMutation, mutatedPart, partsOf, placesOf, type Mutation } from "./parts";
import { oneOf, randomFrom } from "./random";
import type { Sample } from "./samples";

/** A sample and a mutation of it. */
export interface Case {
  sample: Sample;
  mutation: Mutation;
}

/** The mutations that apply to a sample. */
export const mutationsOf = (sample: Sample): Mutation[] =>
  partsOf(sample)
    .flatMap((part) =>
      placesOf(sample, part).flatMap((steps) => changes.map(({ name }) => ({ part, steps, change: name }))),
    )
    .filter((mutation) => mutatedPart(sample, mutation) !== undefined);

/** Each kind of change at each kind of place once, shuffled by the seed. */
export function everyKindOnce(samples: readonly Sample[], seed: number): Case[] {
  const random = randomFrom(seed);
  const kinds = new Map<string, Case>();
  for (const sample of samples)
    for (const mutation of mutationsOf(sample)) {
      const kind = shapeOf(describeMutation(sample, mutation));
      if (!kinds.has(kind)) kinds.set(kind, { sample, mutation });
    }
  const cases = [...kinds.values()];
  for (let at = cases.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [cases[at], cases[other]] = [cases[other]!, cases[at]!];
  }
  return cases;
}

/** Generates `count` cases, the same for the same seed; all samples are equally likely. */
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
