import type { Tag } from "@aws-sdk/client-ec2";

import type { PropertyValue, Resource } from "../../resources/resource";

/** A property that EC2 may leave out. */
type Properties = Readonly<Record<string, PropertyValue | undefined>>;

/** The record of something in EC2, as the AWS provider would show it. */
export function ec2Resource(type: string, id: string, properties: Properties, name = id): Resource {
  const given = Object.entries<PropertyValue | undefined>({ id, ...properties }).filter(
    (entry): entry is [string, PropertyValue] => entry[1] !== undefined,
  );
  return { origin: { live: id }, type, name, properties: Object.fromEntries(given) };
}

/** Tags as the provider has them. */
export const tagsOf = (tags: readonly Tag[] = []): { readonly [key: string]: string } =>
  Object.fromEntries(tags.map(({ Key = "", Value = "" }) => [Key, Value]));
