import * as kubernetes from "@pulumi/kubernetes";
import type { ComplexType, Property, Type } from "@pulumi/pulumi/provider/experimental/schema";
import { builtSchema as schema } from "../schema/schema";
import { run, unknownValue } from "./program";
import { component, componentNames, insteadOf, minimalArgs, type ComponentName } from "./minimalArgs";

const isUnknown = Symbol("unknown");

/** Args with one or more unknown places, and the name of the trial. */
interface Trial {
  place: string;
  args: Record<string, unknown>;
}

const typeOf = (type: Type): ComplexType | undefined =>
  "$ref" in type ? schema.types[type.$ref.replace("#/types/", "")] : undefined;

/** The places inside a value where its type accepts an Output, deepest last. */
function places(type: Type, value: unknown, path: (string | number)[]): (string | number)[][] {
  const here = type.plain ? [] : [path];
  if (Array.isArray(value) && type.items)
    return [...here, ...value.flatMap((entry, index) => places(type.items!, entry, [...path, index]))];
  if (typeof value !== "object" || value === null) return here;
  const properties: Record<string, Type> = typeOf(type)?.properties ?? {};
  const below = Object.entries(value).flatMap(([key, entry]) => {
    const inner = type.additionalProperties ?? properties[key];
    return inner ? places(inner, entry, [...path, key]) : [];
  });
  return [...here, ...below];
}

/** A value with something else at one place. */
function replaced(value: unknown, [step, ...rest]: (string | number)[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((entry, index) => (index === step ? replaced(entry, rest, by) : (entry as unknown)));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: replaced(object[step], rest, by) };
}

const pathText = (path: (string | number)[]) =>
  path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${step}`).replace(/^\./, ""),
    "",
  );

/** Everything at once, each optional input by itself, and each place inside the given args. */
function trials(name: ComponentName): Trial[] {
  const inputs: Record<string, Property> =
    schema.resources[`hypershift-network:index:${name}`]!.inputProperties ?? {};
  const given = minimalArgs[name]() as unknown as Record<string, unknown>;
  const outputs = Object.entries(inputs).filter(([, { plain }]) => !plain);
  const all = outputs
    .filter(([input]) => input in given)
    .map(([input]): [string, unknown] => [input, isUnknown]);
  const inside = Object.entries(given).flatMap(([input, value]) => places(inputs[input]!, value, [input]));
  const single = outputs.map(([input]) => input).filter((input) => !(input in given));
  return [
    { place: "everything", args: { ...given, ...Object.fromEntries(all) } },
    ...single.map((place) => ({
      place,
      args: { ...without(given, insteadOf[name]?.[place] ?? []), [place]: isUnknown },
    })),
    ...inside.map((path) => ({
      place: pathText(path),
      args: replaced(given, path, isUnknown) as Record<string, unknown>,
    })),
  ];
}

const without = (given: object, inputs: readonly string[]) =>
  Object.fromEntries(Object.entries(given).filter(([input]) => !inputs.includes(input)));

/** Replaces the marks with Outputs that this deployment's preview does not know. */
function withOutputs(value: unknown): unknown {
  if (value === isUnknown) return unknownValue<unknown>();
  if (Array.isArray(value)) return value.map(withOutputs);
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withOutputs(entry)]));
}

/** A place as a valid Kubernetes name: some components name their object after themselves. */
const nameOf = (place: string) =>
  place
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");

const isPlain = (value: object) => Object.getPrototypeOf(value) === (Object.prototype as unknown);

/** A program of some hundred components holds gigabytes of promises until it ends. */
const IN_ONE_PROGRAM = 15;

function inPrograms<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / IN_ONE_PROGRAM);
  return Array.from({ length: count }, (_, i) => all.slice(i * IN_ONE_PROGRAM, (i + 1) * IN_ONE_PROGRAM));
}

describe("a preview that does not know an input", () => {
  it.each(componentNames())(
    "%s neither fails nor judges it",
    async (name) => {
      const refused: string[] = [];
      const failed: string[] = [];
      for (const some of inPrograms(trials(name))) {
        const { failures } = await run(
          () => {
            for (const { place, args } of some) {
              try {
                // Each in its own cluster: a program can have some components only once per namespace.
                const provider = new kubernetes.Provider(place, { kubeconfig: "{}" });
                component(name, nameOf(place), { providers: [provider] }, withOutputs(args) as object);
              } catch (error) {
                refused.push(`${place}: ${(error as Error).message}`);
              }
            }
          },
          { preview: true },
        );
        failed.push(...failures);
      }
      expect(refused).toEqual([]);
      expect(failed).toEqual([]);
    },
    // A test that times out continues next to the following one, until both exhaust the memory.
    900_000,
  );
});
