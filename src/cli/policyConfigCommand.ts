import { resolve } from "node:path";

import { enforcementOf } from "../gate/verdict";
import { rules } from "../rules";
import { jsonDocument } from "../visible";
import type { Loaded } from "./commands";
import { configurationOf, orUnusable, Unusable } from "./plans";
import { CLEAN } from "./terminal";

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
