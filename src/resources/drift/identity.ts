import { nameOf, textAt } from "../objectText";
import { readValue } from "../read";
import { UNKNOWN, type Resource } from "../resource";
import { comparedKind } from "./comparedKinds";

/** Which object of a cluster a resource is, or is a patch on. */
export interface Identity {
  /** Group, kind, namespace and name. */
  key: string;
  group: string;
  kind: string;
  version: string;
  /** `HostedCluster clusters/tenant-a` */
  object: string;
}

const TYPE = /^kubernetes:(.*)\/([^/:]+):([^:]+?)(?:Patch)?$/;

/** Undefined for kinds that are not compared, and where name or namespace are not known. */
export function identityOf(resource: Pick<Resource, "type" | "properties">): Identity | undefined {
  const compared = comparedKind(resource.type);
  const [, group, version, kind] = TYPE.exec(resource.type) ?? [];
  if (!compared || group === undefined || version === undefined || kind === undefined) return undefined;
  // Not before here: properties of large plans are parsed only when they are read.
  const { properties } = resource;
  const name = nameOf(properties);
  if (name === "" || readValue(properties, "metadata.namespace") === UNKNOWN) return undefined;
  const namespace = compared.namespace && (textAt(properties, "metadata.namespace") || compared.namespace);
  return {
    key: [group, kind, namespace, name].join(" "),
    group,
    kind,
    version,
    object: `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
  };
}
