import type { KubernetesObject } from "./objects";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An object as it is with one field of its spec taken out, and with a field more in each of its objects. */
export function variantsOf(object: KubernetesObject): [how: string, variant: KubernetesObject][] {
  const spec = object.spec as Json | undefined;
  if (spec === undefined) return [];
  return edits(spec, "spec").map(([how, edited]) => [how, { ...object, spec: edited }]);
}

function edits(value: Json, path: string): [string, Json][] {
  if (Array.isArray(value)) {
    // A value that occurs again shows nothing new.
    const first = new Map(
      value.map((entry, position) => [JSON.stringify(entry), position] as const).reverse(),
    );
    return value.flatMap((entry, position) =>
      first.get(JSON.stringify(entry)) !== position
        ? []
        : edits(entry, `${path}[${position}]`).map(([how, edited]): [string, Json] => [
            how,
            value.map((other, at) => (at === position ? edited : other)),
          ]),
    );
  }
  if (typeof value !== "object" || value === null) return [];
  return [
    [`with ${path}.unheardOf`, { ...value, unheardOf: "x" }],
    ...Object.entries(value).flatMap(([key, entry]): [string, Json][] => {
      const { [key]: _, ...rest } = value;
      return [
        [`without ${path}.${key}`, rest],
        ...edits(entry, `${path}.${key}`).map(([how, edited]): [string, Json] => [
          how,
          { ...value, [key]: edited },
        ]),
      ];
    }),
  ];
}
