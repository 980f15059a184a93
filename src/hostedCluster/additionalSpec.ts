import type { Fault } from "../fault";
import { platformSections, requiredFields, SPEC_FIELDS } from "../requirements/hostedCluster/forms";
import { typedFields } from "../requirements/hostedCluster";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { Platform } from "../requirements/vocabulary";
import { closest } from "../topology/normalize/values";
import { isGiven, isMap, propertyOf, type PropertyMap } from "../resources/read";

/** The untyped part of a HostedCluster's spec, to the extent that it could be read. */
export interface AdditionalSpec {
  /** Absent if it is not known yet or is not an object. */
  spec?: PropertyMap;
  faults: Fault[];
}

const INPUT = "additionalSpecJson";
const EXAMPLE = 'write a JSON object such as {"release": {"image": "..."}, "pullSecret": {"name": "..."}}';

/** The rest of the spec, from whichever of the two inputs holds it. */
export function additionalSpecOf({ additionalSpec, additionalSpecJson }: PropertyMap): AdditionalSpec {
  if (!isGiven(additionalSpec)) return readAdditionalSpec(additionalSpecJson);
  const fault = (problem: string, remedy: string): AdditionalSpec => ({
    faults: [{ path: INPUT, problem, remedy }],
  });
  if (isGiven(additionalSpecJson))
    return fault(
      `is set in addition to ${INPUT}`,
      `write all of it in ${STRUCTURE}, in which single values can be Outputs`,
    );
  if (additionalSpec === UNKNOWN)
    return fault("is an Output as a whole", "write an object; single values in it can be Outputs");
  return isMap(additionalSpec) ? specIn(additionalSpec) : fault("is not an object", STRUCTURE_EXAMPLE);
}

const STRUCTURE = "additionalSpec";
const STRUCTURE_EXAMPLE =
  'write an object such as { release: { image: "..." }, pullSecret: { name: "..." } }';

/** Moves faults to the input that holds the rest of the spec. */
export const atAdditionalSpec = (faults: readonly Fault[], { additionalSpec }: PropertyMap): Fault[] =>
  isGiven(additionalSpec)
    ? faults.map((fault) => ({ ...fault, path: fault.path.replace(/^additionalSpecJson ?/, rooted) }))
    : [...faults];

const rooted = (match: string): string => (match.endsWith(" ") ? `${STRUCTURE}.` : STRUCTURE);

/** The path of a field in the JSON text: `additionalSpecJson release.image`. */
export const placeOf = (path: string): string => `${INPUT} ${path}`;

/** Reads the JSON text. Its content is never shown, because it may hold secrets. */
function readAdditionalSpec(value: PropertyValue | undefined): AdditionalSpec {
  const fault = (problem: string, remedy = EXAMPLE): AdditionalSpec => ({
    faults: [{ path: INPUT, problem, remedy }],
  });
  if (value === UNKNOWN) return { faults: [] };
  if (!isGiven(value)) return fault("missing: it must contain the release image and the pull secret");
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
  const problem = `contains ${whole.join(", ")}, which are not fields of a HostedCluster's spec`;
  return { faults: [{ path: INPUT, problem, remedy: "write only the content of spec" }] };
}

/** One fault for each field in the text that an input sets too, and for each value that has no room for such a field. */
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

/** The value at a path in a spec. If a value is not known, for example a secret, everything in it is unknown too. */
function at(spec: PropertyValue | undefined, steps: readonly string[]): PropertyValue | undefined {
  return steps.reduce<PropertyValue | undefined>(
    (value, step) => (value === UNKNOWN ? UNKNOWN : propertyOf(value, step)),
    spec,
  );
}

/** The value at a path in a spec, as text with dots. */
export const valueAt = (spec: PropertyValue | undefined, path: string): PropertyValue | undefined =>
  at(spec, path.split("."));

/** Faults of required fields that are missing: those of every HostedCluster and those of the platform. */
export function requiredFieldFaults(spec: PropertyMap, platform: Platform): Fault[] {
  const section = platformSections[platform];
  const ofPlatform = (section?.required ?? []).map((key) => ({
    path: `platform.${section!.key}.${key}`,
    remedy: `write it: the API requires it on ${platform}`,
  }));
  return [...requiredFields, ...ofPlatform].flatMap(({ path, remedy }) => {
    const value = valueAt(spec, path);
    return isGiven(value) && value !== "" ? [] : [{ path: placeOf(path), problem: "missing", remedy }];
  });
}

/** Faults of sections for platforms other than the cluster's. */
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

/** Warns of fields that this package does not know: a newer release may have them. */
export function unknownFieldWarnings(spec: PropertyMap): Fault[] {
  const known: readonly string[] = SPEC_FIELDS;
  return Object.keys(spec)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = closest(key, known);
      return {
        path: placeOf(key),
        problem: "is not a known field of a HostedCluster's spec, and a server without the field drops it",
        remedy: meant ? `did you mean ${meant}?` : "make sure that your HyperShift has it",
      };
    });
}

/**
 * Merges one spec into another, object by object. If both set a value, the first one applies. Values that are not plain objects
 * are kept whole.
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

/** The object in the text, or an empty one if there is none: the check refuses such a text elsewhere, with a clearer message. */
export function parsedSpec(text: unknown): PropertyMap {
  return readAdditionalSpec(text as PropertyValue).spec ?? {};
}

/** Adds fields to those in the text. A text that is not a JSON object stays as it is, so that its check reports it. */
export function withSpecFields(text: string, fields: Readonly<Record<string, unknown>>): string {
  const { spec } = readAdditionalSpec(text);
  return spec ? JSON.stringify(merged(fields, spec)) : text;
}
