import type { Resource } from "./resource";

/** A value that decides something and is not known: it is counted, never passed over. */
export interface UnknownValue {
  resource: Resource;
  /** Where it stands: `ingress[0].cidrBlocks`. */
  path: string;
  /** Why nobody knows it, where it is not simply a value of the future: `the entries of prefix list pl-1 are not in this stack`. */
  reason?: string;
  /** Places elsewhere of which one may be why nobody knows it. */
  because?: readonly UnknownPlace[];
}

/** A place that may hold what nobody knows. */
export type UnknownPlace = Pick<UnknownValue, "resource" | "path">;
