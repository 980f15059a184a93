import { isAbsolute, relative, resolve, sep } from "node:path";

/** Stands for a value that a plan does not know yet. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A property value of a resource: JSON, with UNKNOWN at any depth. */
export type PropertyValue =
  | null
  | boolean
  | number
  | string
  | typeof UNKNOWN
  | readonly PropertyValue[]
  | { readonly [key: string]: PropertyValue };

/** Where a resource was read from: a stack, a file, or a running cluster or account. */
export interface Origin {
  /** The URN in a stack. */
  urn?: string;
  /** The file it was read from, see `pathFromHere`. */
  file?: string;
  /** First line in that file, from 1. */
  line?: number;
  /** Its name in a running cluster or an account: `HostedCluster clusters/tenant-a`, `sg-0a1b2c3d`. */
  live?: string;
  /** That cluster or region: `cluster/api.example.com:6443`, `ec2/eu-west-1`. */
  runsIn?: string;
}

/**
 * One path for a file or folder, however it is written: from the working folder, or from the root if it is written so and is not in the
 * working folder. Folders may be management clusters, and exemptions name files.
 */
export function pathFromHere(path: string): string {
  const fromHere = relative("", path) || ".";
  return isAbsolute(path) && fromHere.split(sep, 1)[0] === ".." ? resolve(path) : fromHere;
}

/** The unique identity of a resource of a stack, a cluster or an account; undefined for one from a file. */
export const idOf = ({ urn, live }: Origin): string | undefined => urn ?? live;

/** The unique identity of a resource, or else its file, which may contain other resources. */
export const sourceOf = (origin: Origin): string | undefined => idOf(origin) ?? origin.file;

/** The name in a URN: everything after stack, project and type. It may contain `::` itself. */
export function nameInUrn(urn: string): string {
  let at = 0;
  for (let part = 0; part < PARTS_BEFORE_NAME; part++) {
    const end = urn.indexOf("::", at);
    if (end < 0) return urn;
    at = end + "::".length;
  }
  return urn.slice(at) || urn;
}

const PARTS_BEFORE_NAME = 3;

/** The type in a URN, where it follows the types of the parents. */
export function typeInUrn(urn: string): string {
  const types = urn.split("::", PARTS_BEFORE_NAME)[PARTS_BEFORE_NAME - 1] ?? "";
  return types.slice(types.lastIndexOf("$") + 1);
}

/** The last part of a type, by which people know the resource: `SecurityGroup`, `HostedCluster`. */
export const kindInType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** The stack and the project of a URN: `urn:pulumi:dev::network`. */
export const stackInUrn = (urn: string): string => urn.split("::", 2).join("::");

/** Anything that is judged, in one form for all inputs. */
export interface Resource {
  origin: Origin;
  /** Pulumi type token (`aws:ec2/vpc:Vpc`), for manifests `kubernetes:<apiVersion>:<kind>`. */
  type: string;
  /** Name in the program, or name of the object. */
  name: string;
  properties: { readonly [key: string]: PropertyValue };
  /** URN of the parent. */
  parent?: string;
  /** True if its program only reads it: another stack or someone else manages it. */
  isRead?: true;
  /** The same thing, as other programs of the input read it. */
  readBy?: readonly Resource[];
  /** For each property, the URNs of the resources that its value came from. */
  propertyDependencies?: { readonly [property: string]: readonly string[] };
  /**
   * What the program stated, if `properties` also have what the server filled in: for Kubernetes objects of a stack, and for AWS
   * resources with lists into which others write.
   */
  inputs?: Resource["properties"];
  /** The URN of the provider of a Kubernetes object of a stack: objects of one provider are in one cluster. */
  provider?: string;
  /** Its state before the plan: only if the plan states it, and only for objects with immutable fields. */
  before?: {
    inputs: Resource["properties"];
    outputs: Resource["properties"];
    /** Whether the plan deletes the object, and creates another one in its place. */
    isDestroyed?: true;
  };
  /** Paths of values that override an earlier value under the same key, which is lost. Absent if there are none. */
  repeated?: readonly string[];
  /** Where it is written, if several versions differ: one of them applies, and what they do not have in common is UNKNOWN. */
  versions?: readonly Origin[];
  /**
   * Paths of things that EC2 has only once, such as a `permission`, and that the plan deletes by deleting another resource (`by`); what
   * is doubtful because of that is UNKNOWN.
   */
  revoked?: readonly { path: string; by: Resource; once: string }[];
  /** Paths in `properties`, `inputs` or `before` that are UNKNOWN because the value is a secret. Absent if there are none. */
  secrets?: readonly string[];
}

/** A resource with other properties. Copies fields that may be getters of its class, because object spread leaves those out. */
export function withProperties(resource: Resource, properties: Resource["properties"]): Resource {
  const { propertyDependencies, inputs, provider } = resource;
  return {
    ...resource,
    properties,
    ...(propertyDependencies && { propertyDependencies }),
    ...(inputs && { inputs }),
    ...(provider !== undefined && { provider }),
  };
}

/** An unknown value on which a decision depends: it is counted, never ignored. */
export interface UnknownValue {
  resource: Resource;
  /** Its path: `ingress[0].cidrBlocks`. */
  path: string;
  /** Why it is unknown, unless it is just not known yet: `the entries of prefix list pl-1 are not in this stack`. */
  reason?: string;
  /** Places elsewhere, one of which may be the cause. */
  because?: readonly UnknownPlace[];
  /** The resource that the value names, if it is known, and not what stands behind it. */
  named?: Resource;
}

/** A place that may hold an unknown value. */
export type UnknownPlace = Pick<UnknownValue, "resource" | "path">;
