// The provider for programs in other languages. It exports nothing: Pulumi's host of component providers, which looks for exported
// components, compiles the package and the types of all SDKs at every start.
import { provider, type ComponentResource, type ComponentResourceOptions, type Inputs } from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import * as components from ".";

type Component = new (name: string, args: Inputs, options: ComponentResourceOptions) => ComponentResource;

interface Schema {
  version: string;
  resources: Record<string, { properties?: Record<string, unknown> }>;
}

/** The schema is made once, when the package is built (local/schema.mjs). */
const schema = readFileSync(join(dirname(__dirname), "schema.json"), "utf8");
const { version, resources } = JSON.parse(schema) as Schema;

/** Makes the component of a type, as a program in Node.js makes it; its outputs are those that the schema names. */
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
// Pulumi translates every frame of every promise's stack by source maps, which all have to be read for that.
Reflect.deleteProperty(Error, "prepareStackTrace");
