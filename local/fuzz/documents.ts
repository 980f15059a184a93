import { stringify } from "yaml";

import type { Json, JsonObject } from "./json";
import type { FuzzedResource } from "./samples";

const STACK = "urn:pulumi:dev::fuzz";
export const urnOf = ({ type, name }: Pick<FuzzedResource, "type" | "name">): string =>
  `${STACK}::${type}::${name}`;

/** The URN of a Kubernetes provider of the program. */
export const providerUrn = (name: string): string => urnOf({ type: "pulumi:providers:kubernetes", name });

const stateOf = (one: FuzzedResource): JsonObject => ({
  urn: urnOf(one),
  custom: !isComponent(one),
  type: one.type,
  ...(one.parent && { parent: urnOf(one.parent) }),
  ...(one.provider !== undefined && { provider: `${providerUrn(one.provider)}::the-id` }),
});

const isComponent = ({ type }: FuzzedResource): boolean => type.startsWith("hypershift-network:");

/** The output of `pulumi preview --json` for resources to be created; for components it includes their outputs. */
export const previewOf = (resources: readonly FuzzedResource[]): JsonObject => ({
  steps: resources.map((one) => ({
    op: "create",
    urn: urnOf(one),
    newState: {
      ...stateOf(one),
      inputs: one.properties,
      ...(isComponent(one) && { outputs: one.properties }),
    },
  })),
  diagnostics: [],
  changeSummary: { create: resources.length },
});

/** The output of `pulumi stack export` for the resources. */
export const exportOf = (resources: readonly FuzzedResource[]): JsonObject => ({
  version: 3,
  deployment: {
    manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "v3.200.0" },
    resources: resources.map((one) => ({
      ...stateOf(one),
      ...(typeof one.properties.id === "string" && { id: one.properties.id }),
      inputs: one.properties,
      outputs: one.properties,
    })),
  },
});

/** The resources as Kubernetes objects; undefined if some resource is not one. */
export function objectsOf(resources: readonly FuzzedResource[]): readonly JsonObject[] | undefined {
  const isObject = ({ type }: FuzzedResource) => type.startsWith("kubernetes:") && !type.endsWith("Patch");
  return resources.every(isObject) ? resources.map(({ properties }) => properties) : undefined;
}

/** Objects as kubectl prints them. */
export const jsonList = (items: readonly Json[]): string =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

/** YAML documents in block style; every string is quoted, so that none is read as another type. */
export const yamlDocuments = (objects: readonly Json[]): string =>
  objects.map((one) => stringify(one, { defaultStringType: "QUOTE_DOUBLE" })).join("---\n");
