import { exportOf, previewOf } from "./documents";
import { pathOf, placesIn, type Json, type JsonObject, type Steps } from "./json";
import { changed, changeNamed } from "./mutations";
import type { Sample } from "./samples";

/** The part of an input that is mutated: a resource, by its index, the configuration, or what the engine writes around resources. */
export type Part = number | "configuration" | "preview" | "export";

/** A change of one value in a part. */
export interface Mutation {
  part: Part;
  steps: Steps;
  change: string;
}

/** A part before the mutation. */
export function partOf({ resources, configuration }: Sample, part: Part): Json | undefined {
  switch (part) {
    case "configuration":
      return configuration;
    case "preview":
      return previewOf(resources);
    case "export":
      return exportOf(resources);
    default:
      return resources[part]?.properties;
  }
}

/** A part after a mutation; undefined if it changes nothing. */
export function mutatedPart(sample: Sample, { part, steps, change }: Mutation): Json | undefined {
  // The engine always knows what it writes around resources, and configuration files cannot express an unknown value.
  if (typeof part === "string" && changeNamed(change).ofPreviews) return undefined;
  const before = partOf(sample, part);
  return before === undefined ? undefined : changed(before, steps, change);
}

/** The sample with other properties of one resource. */
export const withProperties = (sample: Sample, at: number, properties: Json): Sample => ({
  ...sample,
  resources: sample.resources.with(at, { ...sample.resources[at]!, properties: properties as JsonObject }),
});

/** The places of a part that may be mutated. */
export function placesOf(sample: Sample, part: Part): Steps[] {
  const places = [...placesIn(partOf(sample, part)!)].map(({ steps }) => steps);
  if (part === "configuration") return places;
  // Values in resources are mutated as part of their resource.
  if (typeof part === "string") return places.filter((steps) => !isInsideValues(steps));
  // The engine sets the id of a cloud resource; no program writes it.
  const isCloud = !sample.resources[part]!.type.startsWith("kubernetes:");
  return places.filter(([first]) => !isCloud || first !== "id");
}

const isInsideValues = (steps: Steps): boolean =>
  steps.slice(0, -1).some((step) => step === "inputs" || step === "outputs");

/** The parts of a sample. */
export const partsOf = ({ resources }: Sample): readonly Part[] => [
  ...resources.keys(),
  "configuration",
  "preview",
  "export",
];

/** `EgressFirewall spec.egress[0].to: list` */
export function describeMutation(sample: Sample, { part, steps, change }: Mutation): string {
  const type = typeof part === "number" ? (sample.resources[part]?.type ?? "") : part;
  return `${type.slice(type.lastIndexOf(":") + 1)} ${pathOf(steps)}: ${change}`;
}
