import type { Fault } from "../fault";
import { platformSections, requiredFields, SPEC_FIELDS } from "../requirements/hostedCluster/forms";
import { typedFields } from "../requirements/hostedCluster";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { Platform } from "../requirements/vocabulary";
import { closest } from "../topology/normalize/values";
import { isGiven, isMap, propertyOf, type PropertyMap } from "../resources/read";

/** The part of a HostedCluster's spec that has no types, as far as it could be read. */
export interface AdditionalSpec {
  /** Absent where it is not known yet, or no JSON object. */
  spec?: PropertyMap;
  faults: Fault[];
}

const INPUT = "additionalSpecJson";
const EXAMPLE = 'write a JSON object such as {"release": {"image": "..."}, "pullSecret": {"name": "..."}}';

/** The rest of the spec among inputs, whichever of the two says it. */
export function additionalSpecOf({ additionalSpec, additionalSpecJson }: PropertyMap): AdditionalSpec {
  if (!isGiven(additionalSpec)) return readAdditionalSpec(additionalSpecJson);
  const fault = (problem: string, remedy: string): AdditionalSpec => ({
    faults: [{ path: INPUT, problem, remedy }],
  });
  if (isGiven(additionalSpecJson))
    return fault(
      `is given beside ${INPUT}`,
      `write all of it in ${STRUCTURE}, of which single values can be Outputs`,
    );
  if (additionalSpec === UNKNOWN)
    return fault("is an Output as a whole", "write an object; single values in it can be Outputs");
  return isMap(additionalSpec) ? specIn(additionalSpec) : fault("is not an object", STRUCTURE_EXAMPLE);
}

const STRUCTURE = "additionalSpec";
const STRUCTURE_EXAMPLE =
  'write an object such as { release: { image: "..." }, pullSecret: { name: "..." } }';

/** Faults at the input that says the rest of the spec. */
export const atAdditionalSpec = (faults: readonly Fault[], { additionalSpec }: PropertyMap): Fault[] =>
  isGiven(additionalSpec)
    ? faults.map((fault) => ({ ...fault, path: fault.path.replace(/^additionalSpecJson ?/, rooted) }))
    : [...faults];

const rooted = (match: string): string => (match.endsWith(" ") ? `${STRUCTURE}.` : STRUCTURE);

/** The place of a field in that text: `additionalSpecJson release.image`. */
export const placeOf = (path: string): string => `${INPUT} ${path}`;

/** Reads the JSON text. Nothing of it is ever shown: it may hold secrets. */
function readAdditionalSpec(value: PropertyValue | undefined): AdditionalSpec {
  const fault = (problem: string, remedy = EXAMPLE): AdditionalSpec => ({
    faults: [{ path: INPUT, problem, remedy }],
  });
  if (value === UNKNOWN) return { faults: [] };
  if (!isGiven(value)) return fault("missing: nothing says the release and the pull secret");
  if (typeof value !== "string")
    return fault("is not a string", "write the object as JSON, for instance with pulumi.jsonStringify");
  let spec: PropertyValue;
  try {
    spec = JSON.parse(value) as PropertyValue;
  } catch {
    return fault("is not JSON");
  }
  return isMap(spec) ? specIn(spec) : fault("is not a JSON object");
}

function specIn(spec: PropertyMap): AdditionalSpec {
  const whole = ["apiVersion", "kind", "metadata", "spec", "status"].filter((key) => key in spec);
  if (whole.length === 0) return { spec, faults: [] };
  const problem = `holds ${whole.join(", ")}, which are not fields of a HostedCluster's spec`;
  return { faults: [{ path: INPUT, problem, remedy: "write only what stands under spec" }] };
}

/** One fault for each field that stands in the text although an input says it, and for each that is in the way of one. */
export function typedFieldFaults(spec: PropertyMap): Fault[] {
  return [...typedFields]
    .flatMap(([path, input]) => {
      const steps = path.split(".");
      for (let depth = 1; depth < steps.length; depth++) {
        const around = at(spec, steps.slice(0, depth));
        if (!isGiven(around) || around === UNKNOWN) return [];
        if (!isMap(around)) return [noObject(steps.slice(0, depth).join("."))];
      }
      if (!isGiven(at(spec, steps))) return [];
      const problem = `is also ${input}, which the component writes to spec.${path}`;
      return [{ path: placeOf(path), problem, remedy: `remove it, and state it only in ${input}` }];
    })
    .filter(isFirstOfItsPath);
}

const noObject = (path: string): Fault => ({
  path: placeOf(path),
  problem: "is not an object",
  remedy: "write an object, or leave it out",
});

const isFirstOfItsPath = ({ path }: Fault, position: number, faults: readonly Fault[]): boolean =>
  faults.findIndex((fault) => fault.path === path) === position;

/** The value at a place in a spec. What is not known, secrets among it, is not known with everything in it. */
function at(spec: PropertyValue | undefined, steps: readonly string[]): PropertyValue | undefined {
  return steps.reduce<PropertyValue | undefined>(
    (value, step) => (value === UNKNOWN ? UNKNOWN : propertyOf(value, step)),
    spec,
  );
}

/** The value at a place in a spec, by its path. */
export const valueAt = (spec: PropertyValue | undefined, path: string): PropertyValue | undefined =>
  at(spec, path.split("."));

/** What every HostedCluster, and one of that platform, needs in the text. */
export function requiredFieldFaults(spec: PropertyMap, platform: Platform): Fault[] {
  const section = platformSections[platform];
  const ofPlatform = (section?.required ?? []).map((key) => ({
    path: `platform.${section!.key}.${key}`,
    remedy: `write it: the API demands it on ${platform}`,
  }));
  return [...requiredFields, ...ofPlatform].flatMap(({ path, remedy }) => {
    const value = valueAt(spec, path);
    return isGiven(value) && value !== "" ? [] : [{ path: placeOf(path), problem: "missing", remedy }];
  });
}

/** Sections of platforms that this cluster does not have. */
export function foreignSectionFaults(spec: PropertyMap, platform: Platform): Fault[] {
  const { platform: platforms } = spec;
  const foreign = Object.entries(platformSections).filter(
    ([other, { key }]) => other !== String(platform) && isGiven(propertyOf(platforms, key)),
  );
  return foreign.map(([other, { key }]) => ({
    path: placeOf(`platform.${key}`),
    problem: `belongs to ${other}, and the topology's platform is ${platform}`,
    remedy: "remove it, or correct topology.platform",
  }));
}

/** Fields that this package does not know: a newer release may have them. */
export function unknownFieldWarnings(spec: PropertyMap): Fault[] {
  const known: readonly string[] = SPEC_FIELDS;
  return Object.keys(spec)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = closest(key, known);
      return {
        path: placeOf(key),
        problem:
          "is not a field of a HostedCluster's spec that is known here, and a server that lacks it drops it",
        remedy: meant ? `did you mean ${meant}?` : "make sure that your HyperShift has it",
      };
    });
}

/**
 * A spec with another one laid into it, object by object. Where both say something, the first one holds. Whatever is no
 * plain object is taken as a whole.
 */
export function merged(
  typed: Readonly<Record<string, unknown>>,
  additional: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...typed };
  for (const [key, theirs] of Object.entries(additional)) {
    const ours = result[key];
    if (ours === undefined) result[key] = theirs;
    else if (isPlain(ours) && isPlain(theirs)) result[key] = merged(ours, theirs);
  }
  return result;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The object in the text, or an empty one where it is none: the check refuses that elsewhere, in better words. */
export function parsedSpec(text: unknown): PropertyMap {
  return readAdditionalSpec(text as PropertyValue).spec ?? {};
}

/** The text with more fields, beside those that stand in it. What is not a JSON object stays as it is, for its check. */
export function withSpecFields(text: string, fields: Readonly<Record<string, unknown>>): string {
  const { spec } = readAdditionalSpec(text);
  return spec ? JSON.stringify(merged(fields, spec)) : text;
}
