import { entriesOf } from "../places";
import { readText } from "../read";
import type { Resource } from "../resource";
import { SHARED_FIELD_SHARE } from "../resourceTypes";
import { identityOf } from "./identity";

/** The ways to the fields of objects that the plan shares with others, by the keys of the objects. */
export function sharedFields(plan: readonly Resource[]): ReadonlyMap<string, readonly string[][]> {
  const fields = new Map<string, string[][]>();
  for (const resource of plan) {
    if (resource.type !== SHARED_FIELD_SHARE) continue;
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
