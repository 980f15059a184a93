import { resolve } from "node:path";

import { describeInputFault, readConfigurationFile } from "../plan";
import { enforcementOf, rules } from "../rules";
import { jsonDocument } from "../visible";
import type { Loaded } from "./commands";
import { CLEAN, tell, UNUSABLE } from "./terminal";

/** `hypershift-network policy-config`: CrossGuard takes JSON keyed by policy, and nothing of hosted clusters. */
export const policyConfigCommand: Loaded = (_, { config }, terminal) => {
  if (config === undefined) {
    tell(terminal, "hypershift-network policy-config: name the file with --config");
    return UNUSABLE;
  }
  const { configuration, faults } = readConfigurationFile(
    config,
    rules.map(({ id }) => id),
  );
  if (faults.length > 0) {
    tell(terminal, faults.map(describeInputFault));
    return UNUSABLE;
  }
  const { levels } = configuration;
  // CrossGuard's own `all` would switch off the policies that watch over the configuration, too.
  const named = rules.flatMap(({ id }) => {
    const level = enforcementOf(id, levels);
    return level === undefined ? [] : [[id, level] as const];
  });
  const document = { ...Object.fromEntries(named), topology: { configFile: resolve(config), levels } };
  terminal.out(jsonDocument(document));
  return CLEAN;
};
