import { parse } from "yaml";

import { readConfiguration } from "../../src/rules/readConfiguration";
import { rules } from "../../src/rules";
import { checked, manifestsOf, previewOf, urnOf } from "./checkSide";
import { pathOf, shapeOf, valueAt } from "./json";
import { changeNamed, mutated, type Mutation } from "./mutations";
import type { Checked, Packed, Said } from "./outcome";
import { packed } from "./packSide";
import { readPlaces } from "./readPlaces";
import type { Sample } from "./samples";

/** Something that must not be. */
export interface Breach {
  invariant: "throws" | "exit status" | "check and pack differ" | "silence" | "order";
  /** What was seen. */
  detail: string;
}

/** A sample with what is said of it as it is. */
export interface Baseline {
  sample: Sample;
  /** The file with its configuration. */
  config: string | undefined;
  said: readonly Said[];
  notes: ReadonlySet<string>;
  /** What rules read, resource by resource. */
  read: readonly ReadonlySet<string>[];
}

export async function baselineOf(sample: Sample, config: string | undefined): Promise<Baseline> {
  const { said, notes } = await checked(previewOf(sample.resources), config);
  const { configuration } = readConfiguration(
    parse(sample.configuration) ?? undefined,
    "hypershift-network.yaml",
    rules.map(({ id }) => id),
  );
  return { sample, config, said, notes: new Set(notes), read: readPlaces(sample.resources, configuration) };
}

/** Everything that a mutation breaks. */
export async function breaches(baseline: Baseline, mutation: Mutation): Promise<Breach[]> {
  const after = mutated(baseline.sample, mutation);
  if (!after) return [];
  const { config } = baseline;
  const found: Breach[] = [];
  const guarded = async <T>(what: string, judge: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await judge();
    } catch (error) {
      found.push({ invariant: "throws", detail: `${what}: ${error instanceof Error ? error.message : "?"}` });
      return undefined;
    }
  };
  const preview = await guarded("check of a preview", () => checked(previewOf(after.resources), config));
  const pack = await guarded("the pack", () => packed(after.resources, config));
  if (preview) {
    found.push(...statusBreaches(preview));
    if (pack) found.push(...differences(preview, pack));
    found.push(...silences(baseline, mutation, preview));
  }
  const manifests = changeNamed(mutation.change).ofPreviews ? undefined : manifestsOf(after.resources);
  if (manifests !== undefined) {
    const ofFile = await guarded("check of manifests", () => checked(manifests, config));
    if (ofFile) found.push(...statusBreaches(ofFile));
  }
  return found;
}

/** 1 is for findings that fail, 2 for what cannot be judged, and 0 for neither. */
function statusBreaches({ status, said, faults }: Checked): Breach[] {
  const isRight = status === 2 ? faults.length > 0 : status === 1 ? said.length > 0 : status === 0;
  return isRight ? [] : [{ invariant: "exit status", detail: `${status} with ${said.length} findings` }];
}

/** Rule and place of a text; resources that are shown one by one may be described in other words than a whole stack. */
const placeIn = (text: string): string => text.split(": ", 1)[0]!;

function differences({ status, said }: Checked, pack: Packed): Breach[] {
  if (status === 2) return [];
  const texts = (which: Said["status"]) => said.filter((one) => one.status === which);
  const violations = new Set(texts("violated").map(({ rule, text }) => placeIn(`${rule} ${text}`)));
  const unknown = new Set(texts("unknown").map(({ text }) => text));
  const places = new Set(texts("unknown").map(({ urn, path }) => JSON.stringify([urn, path])));
  const ofPack = new Set(pack.violations.map(placeIn));
  const more = pack.violations.filter((text) => !violations.has(placeIn(text)));
  const less = [...violations].filter((text) => !ofPack.has(text));
  const strange = pack.unknown.filter((text) => !unknown.has(text));
  const detail = [
    ...more.map((text) => `only the pack: ${text}`),
    ...less.map((text) => `only check: ${text}`),
    ...strange.map((text) => `unknown to the pack alone: ${text}`),
    ...(places.size === pack.unknown.length ? [] : ["other numbers of unknown values"]),
  ];
  return detail.length === 0 ? [] : [{ invariant: "check and pack differ", detail: detail.join("\n") }];
}

/**
 * A value of a wrong type that some rule reads has to be named; and a violation that vanishes because a value has a wrong
 * type, or is not known, has to leave something in its place.
 */
function silences({ sample, said, notes, read }: Baseline, mutation: Mutation, after: Checked): Breach[] {
  const { keepsValue } = changeNamed(mutation.change);
  const isWrong = isWrongThere(sample, mutation);
  if (!keepsValue || after.status === 2 || after.notes.some((note) => !notes.has(note) && !isCount(note)))
    return [];
  const urn = urnOf(sample.resources[mutation.resource]!);
  const path = pathOf(mutation.steps);
  const isNew = (one: Said) => !said.some((other) => other.rule === one.rule && other.text === one.text);
  const isNamed = after.said.some(
    (one) => one.urn === urn && (isNew(one) || one.status === "unknown" || isAround(one.path, path)),
  );
  if (isNamed) return [];
  const vanished = said.filter(
    (one) =>
      one.status === "violated" &&
      !after.said.some((other) => other.rule === one.rule && other.urn === one.urn),
  );
  if (vanished.length > 0)
    return [{ invariant: "silence", detail: `vanished: ${vanished[0]!.rule} ${vanished[0]!.text}` }];
  if (!isWrong || !read[mutation.resource]!.has(path)) return [];
  return [{ invariant: "silence", detail: `read, of a wrong type, and not named: ${shapeOf(path)}` }];
}

/** A provider makes a text of a number or a truth value; the API server does not. */
function isWrongThere({ resources }: Sample, { resource, steps, change }: Mutation): boolean {
  const { type, properties } = resources[resource]!;
  const { isWrong } = changeNamed(change);
  const isText = typeof valueAt(properties, steps) === "string";
  return (
    isWrong && (type.startsWith("kubernetes:") || !isText || (change !== "number" && change !== "boolean"))
  );
}

/** How many resources have secrets says nothing of a value. */
const isCount = (note: string): boolean => /have secret values|has secret values/.test(note);

/** Whether one place is the other, in it or around it. */
const isAround = (one: string, other: string): boolean =>
  one === other || isInside(one, other) || isInside(other, one);
const isInside = (path: string, outer: string): boolean =>
  outer === "" || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
