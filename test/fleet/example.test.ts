import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { clustersOf } from "../../examples/fleet/deploy";
import { repositoryRoot } from "../../local/repository";
import { ledgerText } from "../../src/fleet/ledger";
import { EntryState, planFleet } from "../../src/fleet/planFleet";
import { readFleetFiles } from "../../src/plan/fleetFiles";

const folder = join(repositoryRoot, "examples", "fleet");
const fleetFile = join(folder, "fleet.yaml");

interface Stack {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
}

/** Fields of `spec` of the operator's Stack (`pulumi.com/v1`), with their types; `stack` is required. */
const STACK_FIELDS: Readonly<Record<string, string>> = {
  stack: "string",
  projectRepo: "string",
  branch: "string",
  repoDir: "string",
  backend: "string",
  serviceAccountName: "string",
  config: "object",
  envRefs: "object",
  destroyOnFinalize: "boolean",
};

describe("the example fleet", () => {
  const { fleet, ledger, faults } = readFleetFiles(fleetFile);

  test("has a ledger with the ranges of every cluster, equal to those of a new plan", () => {
    expect(faults).toEqual([]);
    const plan = planFleet({ fleet: fleet!, ledger });
    expect(plan.entries.map(({ state }) => state)).toEqual(fleet!.clusters.map(() => EntryState.Kept));
    expect(plan.conflicts).toEqual([]);
    const anew = planFleet({ fleet: fleet!, ledger: [] }).entries.map(({ entry }) => ledgerText(entry));
    expect(anew).toEqual(plan.entries.map(({ entry }) => ledgerText(entry)));
  });

  test("has the expected clusters in its ledger", () => {
    expect(clustersOf(join(folder, "ledger"))).toEqual(["tenant-a", "tenant-b", "tenant-c"]);
  });

  test("has a Stack object for each cluster, with the fields that the operator knows", () => {
    const stacks = parseAllDocuments(readFileSync(join(folder, "stacks.yaml"), "utf8"))
      .map((document) => document.toJS() as Stack | null)
      .filter((stack) => stack !== null);
    expect(stacks.map(({ metadata: { name } }) => name)).toEqual(ledger.map(({ name }) => name).sort());
    for (const { apiVersion, kind, metadata, spec } of stacks) {
      expect({ apiVersion, kind }).toEqual({ apiVersion: "pulumi.com/v1", kind: "Stack" });
      const types = Object.entries(spec).map(([field, value]) => [field, typeof value]);
      expect(Object.fromEntries(types)).toEqual(STACK_FIELDS);
      expect(spec.stack).toBe(metadata.name);
      expect(spec.config).toMatchObject({ "hypershift-network-fleet:cluster": metadata.name });
      expect(spec.envRefs).toEqual({
        PULUMI_CONFIG_PASSPHRASE: { type: "Secret", secret: { name: "fleet", key: "passphrase" } },
      });
    }
  });
});
