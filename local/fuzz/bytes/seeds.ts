import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { stringify } from "yaml";

import { repositoryRoot } from "../../repository";
import { exportOf, objectsOf, previewOf, yamlDocuments } from "../documents";
import { type Sample, samples } from "../samples";
import type { Target } from "./targets";

/** The corpus that persists between runs: files of kinds without samples, and every input that ever violated an invariant. */
export const CORPUS = join("test", "fuzz", "corpus");

/** The corpus files for a target. */
export function keptFor(target: string): Buffer[] {
  const folder = join(repositoryRoot, CORPUS, target);
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => readFileSync(join(folder, name)))
    : [];
}

const LARGEST = 20_000;

/** The inputs to mutate for a target: the corpus, and valid inputs of every kind in the form that the target reads. */
export function seedsFor({ name }: Pick<Target, "name">): Buffer[] {
  const made = samples().flatMap((sample) => FORMS[name]?.(sample) ?? []);
  return [
    ...keptFor(name),
    ...[...new Set(made)].filter(({ length }) => length < LARGEST).map((text) => Buffer.from(text)),
  ];
}

const preview = ({ resources }: Sample): string => JSON.stringify(previewOf(resources), undefined, 1);
const exported = ({ resources }: Sample): string => JSON.stringify(exportOf(resources));
const manifests = ({ resources }: Sample): string[] => {
  const objects = objectsOf(resources);
  return objects && objects.length > 0 ? [yamlDocuments(objects)] : [];
};

const FORMS: Readonly<Record<string, (sample: Sample) => string | string[]>> = {
  check: preview,
  "check-yaml": manifests,
  report: manifests,
  change: manifests,
  state: exported,
  prove: exported,
  diff: preview,
  configuration: ({ configuration }) =>
    Object.keys(configuration).length > 0 ? stringify(configuration) : [],
};
