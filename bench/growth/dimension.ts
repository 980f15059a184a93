import type { Json, JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import { hostedCluster } from "../check/hostedClusters";

/** The input of a command. */
export interface Grown {
  /** Resources of a plan. Default: no plan. */
  resources?: readonly FuzzedResource[];
  /** Text or object of hypershift-network.yaml. Default: no configuration. */
  configuration?: JsonObject | string;
  /** Further files, by their path in a folder that is read with the plan. */
  files?: Readonly<Record<string, string>>;
}

/** The file format of resources. */
export type Form = "preview" | "export" | "manifests" | "yaml";

/** A property of an input that can grow, and the commands that read it. */
export interface Dimension {
  /** What grows: `VPCs with peerings`. */
  title: string;
  /** The first count to try; chosen so that at least a third of a second is measured. */
  from: number;
  /** The largest count to double, if the format or the documents limit it. Default: doubling ends at a second. */
  upTo?: number;
  /** The forms in which the input is read. Defaults to a preview. */
  forms?: readonly Form[];
  /** The commands that read it. Defaults to those that read plans. */
  commands?: readonly Command[];
  /** True if more than a few of them are rejected, with status 2. */
  refused?: true;
  /** Why the work itself is quadratic: every pair of them must be judged. */
  pairs?: string;
  /** The argument of `explain`. */
  explained?: string;
  make: (count: number) => Grown;
  /** The earlier state, for `diff` and `plan --change`. Defaults to half of them. */
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
/** `check` with each of its outputs. */
export const CHECKS = ["check", ...FORMATS, "check-by-resource"] as const;

/** The commands of the package as rows name them: formats of `check` and the policy pack have their own rows. */
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

/** Commands that read a plan of one hosted cluster. */
export const ON_PLANS: readonly Command[] = ["check", "prove", "report", "diff", "pack"];

/** Defines dimensions that some commands read, starting at a given count. */
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

/** The hosted cluster of most inputs: private, on AWS, with machine network 10.200.0.0/16. */
export function cluster(position = 0, spec: JsonObject = {}): FuzzedResource {
  const { type, name, inputs } = hostedCluster(position);
  const properties = inputs as unknown as JsonObject & { spec: JsonObject };
  return { type, name, properties: { ...properties, spec: { ...properties.spec, ...spec } } };
}

/** That cluster and further resources, each created from its place and their number. */
export const besideCluster =
  (make: (place: number, count: number) => FuzzedResource): Dimension["make"] =>
  (count) => ({ resources: [cluster(), ...upTo(count, (place) => make(place, count))] });

/** The namespace of its control plane. */
export const CONTROL_PLANE = "clusters-tenant-0";

/** An AWS resource, with its name as the id by which others reference it. */
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

/** A /24 block that is unique for its place: 11.0.0.0/8 has the first 65,536 blocks, and each following /8 as many. */
export const block24 = (place: number): string =>
  `${11 + (place >> 16)}.${(place >> 8) & 255}.${place & 255}.0/24`;

/** An address that is unique for its place, as a CIDR block. */
export const host = (place: number): string =>
  `11.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}/32`;
