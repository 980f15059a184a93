import type { Json, JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import { hostedCluster } from "../check/hostedClusters";

/** What stands in one input of a command. */
export interface Grown {
  /** Resources of a plan. Absent: there is no plan. */
  resources?: readonly FuzzedResource[];
  /** Text or object of hypershift-network.yaml. Absent: there is none. */
  configuration?: JsonObject | string;
  /** Files beside the plan, by their path in a folder that is read with it. */
  files?: Readonly<Record<string, string>>;
}

/** How resources are written down. */
export type Form = "preview" | "export" | "manifests" | "yaml";

/** One property of an input that may grow, and what reads it. */
export interface Dimension {
  /** What there is of it: `VPCs with peerings`. */
  title: string;
  /** The first number that is tried; a third of a second at least is measured. */
  from: number;
  /** The last number that is doubled, where the format or the documents end it; absent: where a second is reached. */
  upTo?: number;
  /** The forms in which it is read; defaults to a preview. */
  forms?: readonly Form[];
  /** Commands that read it; defaults to those that read plans. */
  commands?: readonly Command[];
  /** True where more than a few of it are refused, with status 2. */
  refused?: true;
  /** Why the work itself is a square: each of them concerns each other one, and every such pair is judged. */
  pairs?: string;
  /** What `explain` is asked about. */
  explained?: string;
  make: (count: number) => Grown;
  /** What stood there before, for `diff` and `plan --change`; defaults to half of it. */
  before?: (count: number) => Grown;
}

/** `check` in each of its formats. */
export const FORMATS = [
  "check-json",
  "check-sarif",
  "check-junit",
  "check-markdown",
  "check-github",
] as const;
/** `check` in every way in which it prints. */
export const CHECKS = ["check", ...FORMATS, "check-by-resource"] as const;

/** The commands of the package as rows name them: formats of `check` and the policy pack are rows of their own. */
export const COMMANDS = [
  ...CHECKS,
  "check-state",
  "check-map",
  "fleet",
  "check-certificate",
  "prove",
  "report",
  "diff",
  "explain",
  "plan",
  "change",
  "flows",
  "certificate",
  "policy-config",
  "pack",
] as const;
export type Command = (typeof COMMANDS)[number];

/** What reads a plan of one hosted cluster. */
export const ON_PLANS: readonly Command[] = ["check", "prove", "report", "diff", "pack"];

/** Makes dimensions that some commands read, from one number on. */
export const readBy =
  (commands: readonly Command[], from: number) =>
  (title: string, make: Dimension["make"], more: Partial<Dimension> = {}): Dimension => ({
    title,
    from,
    commands,
    make,
    ...more,
  });

/** Numbers from 0. */
export const upTo = <T>(count: number, make: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => make(place));

/** The hosted cluster of most inputs: private, on AWS, its machines in 10.200.0.0/16. */
export function cluster(position = 0, spec: JsonObject = {}): FuzzedResource {
  const { type, name, inputs } = hostedCluster(position);
  const properties = inputs as unknown as JsonObject & { spec: JsonObject };
  return { type, name, properties: { ...properties, spec: { ...properties.spec, ...spec } } };
}

/** That cluster and some resources, each made from its place and the number of them. */
export const besideCluster =
  (make: (place: number, count: number) => FuzzedResource): Dimension["make"] =>
  (count) => ({ resources: [cluster(), ...upTo(count, (place) => make(place, count))] });

/** The namespace of its control plane. */
export const CONTROL_PLANE = "clusters-tenant-0";

/** A resource of AWS, with the id by which others name it. */
export const resource = (type: string, name: string, properties: JsonObject): FuzzedResource => ({
  type,
  name,
  properties: { id: name, ...properties },
});

/** A Kubernetes object. */
export function object(
  apiVersion: string,
  kind: string,
  metadata: { name: string; namespace?: string; labels?: JsonObject; annotations?: JsonObject },
  rest: Readonly<Record<string, Json>>,
): FuzzedResource {
  const group = apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`;
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}-${metadata.name}`;
  return {
    type: `kubernetes:${group}:${kind}`,
    name,
    properties: { apiVersion, kind, metadata, ...rest },
  };
}

/** A block that no other place has: of /24 there are 65,536 in 10.0.0.0/8 and as many in each following eighth. */
export const block24 = (place: number): string =>
  `${11 + (place >> 16)}.${(place >> 8) & 255}.${place & 255}.0/24`;

/** An address that no other place has, as a block. */
export const host = (place: number): string =>
  `11.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}/32`;
