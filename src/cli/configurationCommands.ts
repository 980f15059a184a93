import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rules } from "../rules";
import { jsonDocument } from "../text";
import type { Loaded } from "./commands";
import { packageFolder } from "./package";
import { CLEAN } from "./terminal";
import { enforcementOf } from "../gate/verdict";
import { Unusable, configurationOf, orUnusable } from "./plans";

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

/** `hypershift-network policy-config`: CrossGuard takes JSON keyed by policy, and nothing of hosted clusters. */
export const policyConfigCommand: Loaded = (_, options, terminal) =>
  orUnusable(terminal, () => {
    const { file, levels } = configurationOf(options, [], terminal);
    if (file === undefined)
      throw new Unusable(["hypershift-network policy-config: name the file with --config"]);
    // CrossGuard's own `all` would switch off the policies that watch over the configuration, too.
    const named = rules.flatMap(({ id }) => {
      const level = enforcementOf(id, levels);
      return level === undefined ? [] : [[id, level] as const];
    });
    const document = { ...Object.fromEntries(named), topology: { configFile: resolve(file), levels } };
    terminal.out(jsonDocument(document));
    return CLEAN;
  });
