// The provider for programs in other languages. It exports nothing, because Pulumi's component provider host looks for exported
// components and would compile the package and the types of all SDKs at every start.
import { provider, type ComponentResource, type ComponentResourceOptions, type Inputs } from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import * as components from ".";

type Component = new (name: string, args: Inputs, options: ComponentResourceOptions) => ComponentResource;

interface Schema {
  version: string;
  resources: Record<string, { properties?: Record<string, unknown> }>;
}

/** The schema, generated when the package is built (local/schema.mjs). */
const schema = readFileSync(join(dirname(__dirname), "schema.json"), "utf8");
const { version, resources } = JSON.parse(schema) as Schema;

/** Constructs a component as a Node.js program does; its outputs are the properties that the schema declares. */
const construct: NonNullable<provider.Provider["construct"]> = (name, type, inputs, options) => {
  const declared = resources[type];
  if (!declared) throw new Error(`hypershift-network has no component ${type}`);
  const constructors = components as unknown as Record<string, Component>;
  const made = new constructors[type.split(":").at(-1)!]!(name, inputs, options);
  const outputs = made as unknown as Record<string, unknown>;
  const names = Object.keys(declared.properties ?? {});
  return Promise.resolve({
    urn: made.urn,
    state: Object.fromEntries(names.map((property) => [property, outputs[property]])),
  });
};

void provider.main({ version, schema, construct }, process.argv.slice(2));
// Disables Pulumi's source-map translation of every promise's stack frames, which would have to read all source maps.
Reflect.deleteProperty(Error, "prepareStackTrace");
