import type { ComplexType, PackageSpec, Property, Type } from "@pulumi/pulumi/provider/experimental/schema";

/** A schema as text that reads like declarations, with one line per property. */
export function schemaText({ resources, types }: PackageSpec): string {
  const classes = Object.entries(resources).flatMap(([token, resource]) => [
    `component ${short(token)}`,
    ...lines("input", resource.inputProperties, resource.requiredInputs),
    ...lines("output", resource.properties, resource.required),
    "",
  ]);
  const others = Object.entries(types)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([token, type]) => [...typeLines(short(token), type), ""]);
  return [...classes, ...others].join("\n");
}

function typeLines(name: string, type: ComplexType): string[] {
  if (type.enum) return [`enum ${name}: ${type.enum.map(({ value }) => value).join(" | ")}`];
  return [`type ${name}`, ...lines("", type.properties, type.required)];
}

function lines(
  kind: string,
  properties: Record<string, Property> = {},
  required: readonly string[] = [],
): string[] {
  return Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? "" : "?";
    return `  ${kind && `${kind} `}${name}${mark}: ${typeText(property)}`;
  });
}

/** `plain` marks values that must not be Outputs. */
function typeText(type: Type): string {
  const { plain, items, additionalProperties } = type;
  const prefix = plain ? "plain " : "";
  if (items) return `${prefix}list of ${typeText(items)}`;
  if (additionalProperties) return `${prefix}map of ${typeText(additionalProperties)}`;
  return prefix + ("$ref" in type ? short(type.$ref) : type.type);
}

const short = (token: string): string => token.split(":").at(-1)!;
