import { closeSync, openSync, writeSync } from "node:fs";
import { TYPE } from "../../src/resources/resourceTypes";
import { numbers } from "../prefixes";
import { documentedRules, hostedCluster } from "./hostedClusters";

/** The size of a preview: each unit is ten thousand resources with a hundred thousand rules. */
export interface PreviewSize {
  times: number;
}

const SEED = 20_261_122;
/** Shares of 10,000 resources. */
const SHARE = { inlineGroups: 2_500, splitGroups: 100, vpcs: 20, subnets: 500, clusters: 4 } as const;
const RULES = { inline: 38, split: 50 } as const;
const RESOURCES = 10_000;

const STACK = "urn:pulumi:prod::networks";
const PARENT = `${STACK}::pulumi:pulumi:Stack::networks-prod`;
const PROVIDER = `${STACK}::pulumi:providers:aws::default_7_48_0::081a825d-3b40-49d2-967a-da2550480cac`;
const NOT_KNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface Written {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** The resource that each property comes from. Default: none. */
  madeFrom?: Record<string, string>;
}

/** Writes a preview as `pulumi preview --json --show-sames` prints it, and returns its numbers of resources and rules. */
export function writePreview(file: string, { times }: PreviewSize): { resources: number; rules: number } {
  const next = numbers(SEED);
  const descriptor = openSync(file, "w");
  const count = { create: 0, same: 0, update: 0 };
  let rules = 0;
  writeSync(descriptor, '{\n    "steps": [');
  let separator = "\n";
  let buffered = "";
  for (const resource of resourcesOf(times, next)) {
    rules += rulesIn(resource);
    // A few resources already existed: their old state is next to the new one.
    const op = (["same", "update"] as const)[next() % 16] ?? "create";
    count[op]++;
    const text = JSON.stringify(stepOf(resource, op), undefined, 4).replaceAll("\n", "\n        ");
    buffered += `${separator}        ${text}`;
    separator = ",\n";
    if (buffered.length > 4_000_000) {
      writeSync(descriptor, buffered);
      buffered = "";
    }
  }
  const summary = JSON.stringify(count, undefined, 8).replace("}", "    }");
  writeSync(
    descriptor,
    `${buffered}\n    ],\n    "diagnostics": [],\n    "duration": 81234567890,\n    "changeSummary": ${summary}\n}\n`,
  );
  closeSync(descriptor);
  return { resources: count.create + count.same + count.update, rules };
}

/** All resources: networks, groups with inline rules and with rule resources, hosted clusters, and kinds that no rule reads. */
function* resourcesOf(times: number, next: () => number): Generator<Written> {
  const all = (share: number) => Array.from({ length: Math.ceil(share * times) }, (_, position) => position);
  yield { type: "pulumi:pulumi:Stack", name: "networks-prod", inputs: {} };
  for (const vpc of all(SHARE.vpcs))
    yield { type: TYPE.vpc, name: `vpc-${vpc}`, inputs: { cidrBlock: `10.${vpc % 200}.0.0/16`, tags: {} } };
  for (const cluster of all(SHARE.clusters)) yield hostedCluster(cluster);
  for (const subnet of all(SHARE.subnets)) {
    const vpc = subnet % Math.ceil(SHARE.vpcs * times);
    yield {
      type: TYPE.subnet,
      name: `subnet-${subnet}`,
      inputs: {
        cidrBlock: `10.${vpc % 200}.${subnet % 256}.0/24`,
        vpcId: NOT_KNOWN,
        tags: { Name: `s-${subnet}` },
      },
      madeFrom: { vpcId: urnOf(TYPE.vpc, `vpc-${vpc}`) },
    };
  }
  for (const group of all(SHARE.inlineGroups)) yield inlineGroup(group, group < SHARE.clusters * times, next);
  for (const group of all(SHARE.splitGroups)) yield* splitGroup(group, next);
  const made =
    SHARE.vpcs + SHARE.subnets + SHARE.clusters + SHARE.inlineGroups + SHARE.splitGroups * (1 + RULES.split);
  for (const position of all(RESOURCES - made)) if (position > 0) yield foreign(position);
}

function inlineGroup(position: number, isOfCluster: boolean, next: () => number): Written {
  const documented = isOfCluster ? documentedRules(position) : [];
  const others = isOfCluster ? 5 : RULES.inline;
  const ingress = Array.from({ length: others }, (_, place) => inlineRule(next, place));
  return {
    type: TYPE.securityGroup,
    name: `group-${position}`,
    inputs: {
      __defaults: ["name", "revokeRulesOnDelete"],
      description: `Rules of application ${position}`,
      ingress: [...documented, ...ingress],
      name: `group-${position}-4731fe5`,
      revokeRulesOnDelete: false,
      tags: isOfCluster
        ? { "hypershift-network/cluster": `tenant-${position}`, "hypershift-network/role": "control-plane" }
        : { team: `team-${position % 40}` },
      vpcId: NOT_KNOWN,
    },
    madeFrom: { vpcId: urnOf(TYPE.vpc, `vpc-${position % SHARE.vpcs}`) },
  };
}

const inlineRule = (next: () => number, place: number) => ({
  cidrBlocks: [block(next), ...(place % 4 === 0 ? [block(next)] : [])],
  description: `Requests to port ${8_000 + place} of the application, change ${next() % 100_000}`,
  fromPort: 8_000 + place,
  ...(place % 8 === 0 && { ipv6CidrBlocks: [`2001:db8:${(next() % 65_536).toString(16)}::/48`] }),
  protocol: place % 10 === 9 ? "udp" : "tcp",
  toPort: 8_000 + place + (next() % 3),
});

function* splitGroup(position: number, next: () => number): Generator<Written> {
  const name = `split-${position}`;
  const inputs = { description: `Rules of service ${position}`, name, tags: {}, vpcId: NOT_KNOWN };
  yield { type: TYPE.securityGroup, name, inputs };
  for (let place = 0; place < RULES.split; place++)
    yield {
      type: place % 8 === 7 ? TYPE.egressRule : TYPE.ingressRule,
      name: `${name}-${place}`,
      inputs: {
        cidrIpv4: block(next),
        description: `Requests to port ${9_000 + place}`,
        fromPort: 9_000 + place,
        ipProtocol: "tcp",
        securityGroupId: NOT_KNOWN,
        toPort: 9_000 + place,
      },
      madeFrom: { securityGroupId: urnOf(TYPE.securityGroup, name) },
    };
}

const KINDS = [
  "kubernetes:apps/v1:Deployment",
  "kubernetes:core/v1:ConfigMap",
  "aws:iam/role:Role",
  "aws:s3/bucket:Bucket",
];

/** A resource that has nothing to do with networks. */
const foreign = (position: number): Written => ({
  type: KINDS[position % KINDS.length]!,
  name: `foreign-${position}`,
  inputs: {
    metadata: { labels: { app: `app-${position}`, tier: "backend" }, name: `app-${position}` },
    spec: {
      replicas: 3,
      template: {
        containers: [
          {
            env: Array.from({ length: 12 }, (_, place) => ({
              name: `SETTING_${place}`,
              value: `"${place}" \\ value`,
            })),
          },
        ],
      },
    },
  },
});

function stepOf({ type, name, inputs, madeFrom = {} }: Written, op: "create" | "same" | "update"): object {
  const urn = urnOf(type, name);
  const state = {
    urn,
    custom: true,
    type,
    inputs,
    parent: PARENT,
    dependencies: Object.values(madeFrom),
    provider: PROVIDER,
    propertyDependencies: Object.fromEntries(
      Object.keys(inputs).map((property) => [
        property,
        madeFrom[property] === undefined ? [] : [madeFrom[property]],
      ]),
    ),
    ...PLACE,
  };
  const old = {
    ...state,
    id: `id-${name}`,
    outputs: { ...inputs, arn: `arn:aws:ec2:us-east-1:123456789012:${name}`, region: "us-east-1" },
  };
  return {
    op,
    urn,
    provider: PROVIDER,
    ...(op !== "create" && { oldState: old }),
    newState: state,
    detailedDiff: op === "update" ? { tags: { kind: "update", inputDiff: true } } : null,
  };
}

/** The source position of a resource, as the engine writes it. */
const PLACE = {
  created: "0001-01-01T00:00:00Z",
  modified: "0001-01-01T00:00:00Z",
  sourcePosition: "project:///index.ts#3,13",
  stackTrace: [
    { sourcePosition: "project:///index.ts#3,13" },
    {},
    { sourcePosition: "project:///node_modules/@pulumi/resource.ts#1598,22" },
  ],
};

function rulesIn({ type, inputs }: Written): number {
  if (type === TYPE.ingressRule || type === TYPE.egressRule) return 1;
  return Array.isArray(inputs.ingress) ? inputs.ingress.length : 0;
}

const block = (next: () => number): string => `10.${next() % 256}.${next() % 256}.0/24`;
const urnOf = (type: string, name: string): string => `${STACK}::${type}::${name}`;
