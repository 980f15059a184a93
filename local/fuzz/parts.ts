import { exportOf, previewOf } from "./documents";
import { pathOf, placesIn, type Json, type JsonObject, type Steps } from "./json";
import { changed, changeNamed } from "./mutations";
import type { Sample } from "./samples";

/** What of an input is changed: a resource, by its position, the configuration, or what the engine writes around resources. */
export type Part = number | "configuration" | "preview" | "export";

/** A change of one value. */
export interface Mutation {
  part: Part;
  steps: Steps;
  change: string;
}

/** A part as it is. */
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

/** A part after a mutation; undefined where it changes nothing. */
export function mutatedPart(sample: Sample, { part, steps, change }: Mutation): Json | undefined {
  // The engine knows what it writes around resources, and files of settings have no word for what is not known.
  if (typeof part === "string" && changeNamed(change).ofPreviews) return undefined;
  const before = partOf(sample, part);
  return before === undefined ? undefined : changed(before, steps, change);
}

/** The sample after a mutation of a resource. */
export const withProperties = (sample: Sample, at: number, properties: Json): Sample => ({
  ...sample,
  resources: sample.resources.with(at, { ...sample.resources[at]!, properties: properties as JsonObject }),
});

/** The places of a part that may be changed. */
export function placesOf(sample: Sample, part: Part): Steps[] {
  const places = [...placesIn(partOf(sample, part)!)].map(({ steps }) => steps);
  if (part === "configuration") return places;
  // What stands in the resources is changed as theirs.
  if (typeof part === "string") return places.filter((steps) => !isInsideValues(steps));
  // The engine says the id of what a cloud has; no program writes it.
  const isCloud = !sample.resources[part]!.type.startsWith("kubernetes:");
  return places.filter(([first]) => !isCloud || first !== "id");
}

const isInsideValues = (steps: Steps): boolean =>
  steps.slice(0, -1).some((step) => step === "inputs" || step === "outputs");

/** The parts that a sample has. */
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
