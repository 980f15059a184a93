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

/** What stands in hypershift-network.yaml. Its JSON Schema is made from this file. */
export interface ConfigurationDocument {
  /** The hosted clusters, as far as no HostedCluster object or component says what they are. */
  hostedClusters?: ConfiguredHostedCluster[];
  /** How strictly rules are enforced, by rule; `all` is for those that are not named. */
  rules?: Record<string, RuleEnforcement>;
  /** Findings that are accepted. */
  exemptions?: ConfiguredExemption[];
}

/** One hosted cluster: what its HostedCluster object says, if there is one, need not be repeated. */
export interface ConfiguredHostedCluster extends Partial<HostedClusterTopology> {
  name: string;
  /**
   * The management cluster of this one, where the input has several of that name: the folder of its files, the server, or the name of the
   * provider, with stack and project before it (`prod/network/east`) where several have that name. Absent: what stands here is said of
   * each of them.
   */
  managementCluster?: string;
  /** The security groups of the hosted cluster by their role, where neither a component nor a tag says it: names, ids or URNs. */
  securityGroups?: ConfiguredSecurityGroups;
}

/** Security groups by their role: names, ids or URNs. */
export interface ConfiguredSecurityGroups {
  /** Groups of the hosts that carry the hosted control plane. */
  controlPlane?: string[];
  /** Groups of the worker nodes. */
  workers?: string[];
  /** Groups of the VPC endpoints of a private cluster. */
  privateEndpoint?: string[];
}

/** One finding that is accepted. */
export interface ConfiguredExemption {
  /** Id of the rule. */
  rule: string;
  /** The resource: URN, name, `Kind/name`, `Kind/namespace/name`, id of EC2 or file, in which `*` stands for any text. */
  resource: string;
  /** Why the finding is accepted. It is shown with it. */
  reason: string;
}

/** `mandatory` findings are errors, `advisory` ones warnings, `disabled` rules are not asked. */
export type RuleEnforcement = "mandatory" | "advisory" | "disabled";
