import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

import { Platform } from "../../../src/requirements/vocabulary";
import { ruleExamples } from "../../../src/rules";
import { refusedChanges, takenChanges } from "../../rules/refusals/changes";
import { clusterWith, validCluster } from "../../rules/refusals/objects";
import { policiesTaken, policyRefusals, policyWith } from "../../rules/refusals/policies";
import { accepted, refusals } from "../../rules/refusals/table";
import { hostedClusterObject } from "../hostedCluster";

/** An object of a custom resource, and where it comes from. */
export interface Sample {
  readonly from: string;
  readonly object: KubernetesObject;
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

const EXAMPLES = join(__dirname, "../../golden/examples");

interface GoldenResource {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

/** The objects that the examples of the package create. */
function exampleObjects(): Sample[] {
  return readdirSync(EXAMPLES)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(EXAMPLES, file), "utf8")) as GoldenResource[])
        .filter(({ inputs }) => typeof inputs.kind === "string" && inputs.apiVersion !== undefined)
        .map(({ inputs, name }) => ({ from: `${file}: ${name}`, object: named(inputs) })),
    );
}

/** The violations of docs/rules.md and their fixes. */
function ruleObjects(): Sample[] {
  return Object.entries(ruleExamples).flatMap(([rule, { violated, mended }]) =>
    [violated, mended].flatMap((text) =>
      parseAllDocuments(text)
        .map((document) => document.toJS() as Record<string, unknown>)
        .filter(({ kind, apiVersion }) => kind !== undefined && apiVersion !== undefined)
        .map((object) => ({ from: rule, object: named(object) })),
    ),
  );
}

const named = (object: Record<string, unknown>): KubernetesObject => {
  const { name = "sample", namespace } = (object.metadata ?? {}) as { name?: string; namespace?: string };
  return { ...object, metadata: { name, namespace } } as unknown as KubernetesObject;
};

const refused = refusals.map(({ fact, on = Platform.AWS, spec }): Sample => ({
  from: fact,
  object: clusterWith(on, spec) as unknown as KubernetesObject,
}));
const taken = accepted.map(({ what, on = Platform.AWS, spec }): Sample => ({
  from: what,
  object: clusterWith(on, spec) as unknown as KubernetesObject,
}));
const whole = Object.values(Platform).map((platform): Sample => ({
  from: `a valid HostedCluster on ${platform}`,
  object: validCluster(platform) as unknown as KubernetesObject,
}));

const policies = [
  ...policyRefusals.map(({ fact, ...policy }) => ({ from: fact, ...policy })),
  ...policiesTaken.map(({ what, ...policy }) => ({ from: what, ...policy })),
].map(({ from, kind, change }): Sample => ({
  from,
  object: named(policyWith(kind, change)),
}));

/** The objects of examples, refusals and rules. */
export const samples: readonly Sample[] = [
  ...whole,
  ...refused,
  ...taken,
  ...policies,
  { from: "the end-to-end tests", object: hostedClusterObject() },
  ...exampleObjects(),
  ...ruleObjects(),
];

/** Changes of a running HostedCluster, both refused and accepted ones. */
export const changes = [
  ...refusedChanges.map(({ fact, on = Platform.AWS, before, after }) => ({
    what: fact,
    states: [clusterWith(on, before), clusterWith(on, after)],
  })),
  ...takenChanges.map(({ what, on = Platform.AWS, before, after }) => ({
    what,
    states: [clusterWith(on, before), clusterWith(on, after)],
  })),
];
