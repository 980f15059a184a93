import { readFileSync } from "node:fs";
import { join } from "node:path";

import { rules } from "../rules";
import { jsonDocument } from "../visible";
import type { Loaded } from "./commands";
import { packageFolder } from "./package";
import { CLEAN } from "./terminal";

/** Where the schema stands as the types say it; the ids of the rules are added when it is printed. */
export const SCHEMA_FILE = join("src", "cli", "configuration.schema.json");

interface Schema {
  definitions: {
    ConfigurationDocument: { properties: Record<string, object> };
    ConfiguredExemption: { properties: Record<string, object> };
  };
}

/** `hypershift-network schema` */
export const schemaCommand: Loaded = (_, __, terminal) => {
  const schema = JSON.parse(readFileSync(join(packageFolder, SCHEMA_FILE), "utf8")) as Schema;
  const ids = rules.map(({ id }) => id);
  const { ConfigurationDocument: document, ConfiguredExemption: exemption } = schema.definitions;
  document.properties.rules = { ...document.properties.rules, propertyNames: { enum: ["all", ...ids] } };
  exemption.properties.rule = { ...exemption.properties.rule, enum: ids };
  terminal.out(jsonDocument(schema));
  return CLEAN;
};
