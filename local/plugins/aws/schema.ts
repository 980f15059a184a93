import type { Kind, Property, Props } from "./kind";

interface PropertySpec {
  type?: string;
  $ref?: string;
}

/** A list, a map or a block may contain anything: the kinds validate it themselves. */
const specOf = ({ type }: Pick<Property, "type">): PropertySpec =>
  type === "string" || type === "number" || type === "boolean" ? { type } : { $ref: "pulumi.json#/Any" };

/** The resources of a schema, for programs in languages that look up types and properties in it. */
export const schemaResources = (kinds: readonly Kind<Props>[]): Record<string, object> =>
  Object.fromEntries(kinds.map((kind) => [kind.token, resourceOf(kind)]));

function resourceOf({ properties, outputs, tagged }: Kind<Props>): object {
  const inputs = Object.entries(properties);
  const inputProperties = Object.fromEntries(inputs.map(([name, property]) => [name, specOf(property)]));
  const made = [...outputs, ...(tagged ? ["tagsAll"] : [])];
  return {
    inputProperties,
    requiredInputs: inputs.flatMap(([name, { required }]) => (required ? [name] : [])),
    properties: {
      ...Object.fromEntries(
        made.map((name) => [name, specOf({ type: name === "tagsAll" ? "map" : "string" })]),
      ),
      ...inputProperties,
    },
  };
}
