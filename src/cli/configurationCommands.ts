import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rules } from "../rules";
import { jsonDocument } from "../text";
import type { Loaded } from "./commands";
import { packageFolder } from "./package";
import { CLEAN } from "./terminal";
import { enforcementOf } from "../gate/verdict";
import { configurationOf, orUnusable, Unusable } from "./plans";
import type { HostedClusterTopology } from "../topology/hostedClusterTopology";

/** Path of the schema that is generated from the types; the ids of the rules are added when it is printed. */
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

/** `hypershift-network policy-config`: CrossGuard accepts JSON keyed by policy, and no hosted clusters. */
export const policyConfigCommand: Loaded = (_, options, terminal) =>
  orUnusable(terminal, () => {
    const { file, levels } = configurationOf(options, [], terminal);
    if (file === undefined)
      throw new Unusable(["hypershift-network policy-config: name the file with --config"]);
    // CrossGuard's own `all` would also disable the policies that check the configuration.
    const named = rules.flatMap(({ id }) => {
      const level = enforcementOf(id, levels);
      return level === undefined ? [] : [[id, level] as const];
    });
    const document = { ...Object.fromEntries(named), topology: { configFile: resolve(file), levels } };
    terminal.out(jsonDocument(document));
    return CLEAN;
  });

/** The content of hypershift-network.yaml. Its JSON Schema is generated from this file. */
export interface ConfigurationDocument {
  /** The hosted clusters: what no HostedCluster object or component states about them. */
  hostedClusters?: ConfiguredHostedCluster[];
  /** How strictly rules are enforced, by rule; `all` applies to rules that are not listed. */
  rules?: Record<string, RuleEnforcement>;
  /** Accepted findings. */
  exemptions?: ConfiguredExemption[];
}

/** One hosted cluster. What its HostedCluster object states, if there is one, need not be repeated. */
export interface ConfiguredHostedCluster extends Partial<HostedClusterTopology> {
  name: string;
  /**
   * The management cluster of this hosted cluster, if the input has several hosted clusters of that name: the folder of its files, the
   * server, or the name of the provider, with stack and project before it (`prod/network/east`) if several providers have that name; for
   * a cluster that only components describe, stack and project (`prod/network`). Default: this entry applies to all of them.
   */
  managementCluster?: string;
  /** The security groups of the hosted cluster by role, if neither a component nor a tag states it: names, ids or URNs. */
  securityGroups?: ConfiguredSecurityGroups;
}

/** Security groups by role: names, ids or URNs. */
export interface ConfiguredSecurityGroups {
  /** Groups of the hosts that carry the hosted control plane. */
  controlPlane?: string[];
  /** Groups of the worker nodes. */
  workers?: string[];
  /** Groups of the VPC endpoints of a private cluster. */
  privateEndpoint?: string[];
}

/** One accepted finding. */
export interface ConfiguredExemption {
  /** Id of the rule. */
  rule: string;
  /** The resource: URN, name, `Kind/name`, `Kind/namespace/name`, EC2 id or file; `*` matches any text. */
  resource: string;
  /** Why the finding is accepted. The reason is shown with the finding. */
  reason: string;
}

/** Findings of `mandatory` rules are errors, those of `advisory` rules are warnings, and `disabled` rules are not applied. */
export type RuleEnforcement = "mandatory" | "advisory" | "disabled";
