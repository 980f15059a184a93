import { entriesOf } from "../places";
import { readText } from "../read";
import type { Resource } from "../resource";
import { identityOf } from "./identity";

/** Components of this package that add to a field of which the rest belongs to others. */
const SHARE = "pulumi-nodejs:dynamic/hypershift-network:SharedFieldShare";

/** The ways to the fields of objects that the plan shares with others, by the keys of the objects. */
export function sharedFields(plan: readonly Resource[]): ReadonlyMap<string, readonly string[][]> {
  const fields = new Map<string, string[][]>();
  for (const resource of plan) {
    if (resource.type !== SHARE) continue;
    const { properties } = resource;
    const [apiVersion, kind] = ["apiVersion", "object"].map((name) => String(readText(properties, name)));
    const { name, namespace } = properties;
    const key = identityOf({
      type: `kubernetes:${apiVersion}:${kind}`,
      properties: { metadata: { name: name ?? null, namespace: namespace ?? null } },
    })?.key;
    const path = entriesOf(properties.path).filter((step) => typeof step === "string");
    if (key !== undefined && path.length > 0) fields.set(key, [...(fields.get(key) ?? []), path]);
  }
  return fields;
}
