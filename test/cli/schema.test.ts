import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import Ajv, { type ValidateFunction } from "ajv";
import { createGenerator } from "ts-json-schema-generator";

import { packageFolder } from "../../src/cli/package";
import { SCHEMA_FILE } from "../../src/cli/configurationCommands";
import { rules } from "../../src/rules";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { topologyProperties } from "../../src/topology/normalizeTopology";
import { call } from "./terminal";

const file = join(packageFolder, SCHEMA_FILE);
let printed: Record<string, unknown>;
let validate: ValidateFunction;
beforeAll(async () => {
  printed = JSON.parse((await call(["schema"])).out) as Record<string, unknown>;
  validate = new Ajv({ allErrors: true }).compile(printed);
});

const cluster = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const exemption = { rule: "port-public", resource: "hosts", reason: "why" };

/** Documents, and whether they are valid. */
const documents: [what: string, document: object, isRight: boolean][] = [
  ["nothing", {}, true],
  ["a cluster", { hostedClusters: [cluster] }, true],
  ["a cluster without a name", { hostedClusters: [{ platform: "AWS" }] }, false],
  [
    "blocks under keys",
    {
      hostedClusters: [
        { ...cluster, addresses: { vpc: { cidr: "10.0.0.0/16" } }, machineNetwork: [{ cidr: "vpc" }] },
      ],
    },
    true,
  ],
  ["a number for a release", { hostedClusters: [{ ...cluster, release: 4.2 }] }, false],
  ["a platform that there is not", { hostedClusters: [{ ...cluster, platform: "Foo" }] }, false],
  ["a key that there is not", { hostedClusters: [{ ...cluster, machineNetworks: [] }] }, false],
  ["groups", { hostedClusters: [{ ...cluster, securityGroups: { workers: ["sg-1"] } }] }, true],
  ["a role that there is not", { hostedClusters: [{ ...cluster, securityGroups: { nodes: [] } }] }, false],
  ["levels", { rules: { all: "advisory", "port-public": "mandatory" } }, true],
  ["a level that there is not", { rules: { all: "warning" } }, false],
  ["a rule that there is not", { rules: { "port-publik": "advisory" } }, false],
  ["an exemption", { exemptions: [exemption] }, true],
  ["an exemption without a reason", { exemptions: [{ rule: "port-public", resource: "hosts" }] }, false],
  ["an exemption of no rule", { exemptions: [{ ...exemption, rule: "all" }] }, false],
  ["another key", { exemption: [] }, false],
];

describe("hypershift-network schema", () => {
  it("matches the types", () => {
    const made = createGenerator({
      path: join(packageFolder, "src", "cli", "configurationCommands.ts"),
      tsconfig: join(packageFolder, "tsconfig.json"),
      type: "ConfigurationDocument",
      skipTypeCheck: true,
    }).createSchema("ConfigurationDocument");
    // In a document such a value is a string: only programs have Outputs.
    const { definitions = {} } = made as {
      definitions?: Record<string, { properties?: Record<string, { $ref?: string; description?: string }> }>;
    };
    for (const { properties = {} } of Object.values(definitions))
      for (const [name, { $ref, ...rest }] of Object.entries(properties))
        if ($ref === "#/definitions/Input%3Cstring%3E")
          properties[name] = { type: "string", ...rest } as object;
    delete definitions["Input<string>"];
    delete definitions["OutputInstance<string>"];
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, JSON.stringify(made, undefined, 2));
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(made);
  });

  it.each(documents)("%s: schema and reader agree", (_, document, isRight) => {
    const { faults } = readConfiguration(
      document,
      "hypershift-network.yaml",
      rules.map(({ id }) => id),
    );
    expect([validate(document), faults.length === 0]).toEqual([isRight, isRight]);
  });

  it("has every property of a topology, each with a description", () => {
    const { definitions } = printed as {
      definitions: Record<string, { properties?: Record<string, { description?: string }> }>;
    };
    const properties = definitions.ConfiguredHostedCluster?.properties ?? {};
    expect(Object.keys(properties).sort()).toEqual(
      [...topologyProperties, "addresses", "managementCluster", "securityGroups"].sort(),
    );
    for (const [name, { description }] of Object.entries(properties))
      expect([name, description]).toEqual([name, expect.any(String)]);
  });
});
