/** Stands where a plan does not know a value yet. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A property value of a resource: JSON, with an explicit Unknown at any depth. */
export type PropertyValue =
  | null
  | boolean
  | number
  | string
  | typeof UNKNOWN
  | readonly PropertyValue[]
  | { readonly [key: string]: PropertyValue };

/** Where a resource was read: a resource of a stack, a place in a file, or an object that is there. */
export interface Origin {
  /** The URN in a stack. */
  urn?: string;
  /** The file it was read from. */
  file?: string;
  /** First line in that file, from 1. */
  line?: number;
  /** What it is in a running cluster or an account: `HostedCluster clusters/tenant-a`, `sg-0a1b2c3d`. */
  live?: string;
  /** Which cluster or region that is: `cluster/api.example.com:6443`, `ec2/eu-west-1`. */
  runsIn?: string;
}

/** What tells a resource of a stack, a cluster or an account from all others; absent for one from a file. */
export const idOf = ({ urn, live }: Origin): string | undefined => urn ?? live;

/** That, or the file, in which others may stand too. */
export const sourceOf = (origin: Origin): string | undefined => idOf(origin) ?? origin.file;

/** The name is what follows stack, project and type; it may itself hold anything. */
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

/** The type of a resource, which in its URN stands behind those of its parents. */
export function typeInUrn(urn: string): string {
  const types = urn.split("::", PARTS_BEFORE_NAME)[PARTS_BEFORE_NAME - 1] ?? "";
  return types.slice(types.lastIndexOf("$") + 1);
}

/** The last part of a type, which people know the resource by: `SecurityGroup`, `HostedCluster`. */
export const kindInType = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** The stack and the project of a URN: `urn:pulumi:dev::network`. */
export const stackInUrn = (urn: string): string => urn.split("::", 2).join("::");

/** Whatever is judged, however it was written: one record. */
export interface Resource {
  origin: Origin;
  /** Pulumi type token (`aws:ec2/vpc:Vpc`), for manifests `kubernetes:<apiVersion>:<kind>`. */
  type: string;
  /** Name in the program, or of the object. */
  name: string;
  properties: { readonly [key: string]: PropertyValue };
  /** URN of the parent. */
  parent?: string;
  /** True where its program only reads it: another stack manages it, or somebody else. */
  isRead?: true;
  /** The same thing as other programs of the input read it. */
  readBy?: readonly Resource[];
  /** For each property the URNs of the resources that its value came from. */
  propertyDependencies?: { readonly [property: string]: readonly string[] };
  /**
   * What the program stated, where `properties` also have what the server filled in: of a Kubernetes object of a stack, and of
   * resources of AWS with lists into which others write.
   */
  inputs?: Resource["properties"];
  /** The URN of the provider of a Kubernetes object of a stack: objects of one provider are in one cluster. */
  provider?: string;
  /** What it was before the plan; only where the plan says it, and for objects that have immutable fields. */
  before?: { inputs: Resource["properties"]; outputs: Resource["properties"] };
  /** Places of values that count although an equal key further up says another: those are lost. Absent where there are none. */
  repeated?: readonly string[];
  /** Where it is written, if it is written several times and differs: one of these stands, and UNKNOWN is what they have not in common. */
  versions?: readonly Origin[];
  /**
   * Places in it at which something stands that EC2 has once, such as a `permission`, and that the plan deletes with another resource;
   * UNKNOWN stands in place of what is doubtful then.
   */
  revoked?: readonly { path: string; by: Resource; once: string }[];
  /** Places of `properties`, `inputs` or `before` at which UNKNOWN stands because the value is a secret; absent where none is. */
  secrets?: readonly string[];
}

/** A resource with other properties. Parts may be getters of its class, which a copy of its own fields leaves out. */
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

/** A value that decides something and is not known: it is counted, never passed over. */
export interface UnknownValue {
  resource: Resource;
  /** Where it stands: `ingress[0].cidrBlocks`. */
  path: string;
  /** Why it is unknown, where it is not simply a value of the future: `the entries of prefix list pl-1 are not in this stack`. */
  reason?: string;
  /** Places elsewhere of which one may be why it is unknown. */
  because?: readonly UnknownPlace[];
}

/** A place that may hold an unknown value. */
export type UnknownPlace = Pick<UnknownValue, "resource" | "path">;
