import { isMap, stepsAlong, stepTo } from "./read";
import { type PropertyValue, type Resource, typeInUrn, UNKNOWN } from "./resource";
import { OUR_COMPONENTS } from "./resourceTypes";

/**
 * Stands for a secret value while a resource is read. Rules never see it: for them a secret is an unknown value, and the resource
 * states which unknown values are secrets. It therefore has the type of UNKNOWN.
 */
export const SECRET: typeof UNKNOWN = Symbol("secret") as typeof UNKNOWN;

type Properties = Resource["properties"];

/** Whether a value is or contains a secret. */
function holdsSecret(value: PropertyValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return value === SECRET;
  return Object.values(value).some(holdsSecret);
}

/** Marks as secret in outputs whatever was a secret input: a provider may return it in plain text. */
export function secretAsGiven(output: PropertyValue, input: PropertyValue | undefined): PropertyValue {
  if (typeof output === "symbol" || !holdsSecret(input)) return output;
  if (isMap(output) && isMap(input))
    return Object.fromEntries(
      Object.entries(output).map(([key, value]) => [key, secretAsGiven(value, input[key])]),
    );
  // Lists may come back in another order: an entry in plain text may be the secret one.
  return input !== SECRET && holdsSecret(output) ? output : SECRET;
}

/** Properties as rules see them: replaces each secret by UNKNOWN and adds its path to `places`. */
export const hideSecrets = (properties: Properties, places: Set<string>): Properties =>
  hidden(properties, "", places) as Properties;

function hidden(value: PropertyValue, path: string, places: Set<string>): PropertyValue {
  if (value === SECRET) {
    places.add(path);
    return UNKNOWN;
  }
  if (!holdsSecret(value)) return value;
  if (Array.isArray(value))
    return (value as readonly PropertyValue[]).map((entry, at) => hidden(entry, `${path}[${at}]`, places));
  return Object.fromEntries(
    Object.entries(value as Properties).map(([key, entry]) => [
      key,
      hidden(entry, path === "" ? key : `${path}${stepTo(key)}`, places),
    ]),
  );
}

/** The secrets at, inside or around a path that were not judged. Paths may write keys with dots in quotes or not. */
export function secretsAt(resource: Resource, path: string): string[] {
  const { secrets = [] } = resource;
  const steps = stepsOf(path);
  return secrets.filter((secret) => {
    const own = stepsOf(secret);
    const isThere = own.slice(0, steps.length).every((step, at) => step === steps[at]);
    return isThere && !isJudgedInTheClear(resource, own);
  });
}

/** Paths of the proxies that components of this package write into objects. */
const PROXIES: readonly (readonly string[])[] = [
  ["spec", "configuration"],
  ["spec", "httpProxy"],
  ["spec", "httpsProxy"],
  ["spec", "noProxy"],
];

/**
 * Whether a component of this package has judged a secret in plain text: components reject wrong proxies themselves, and tell users
 * to keep URLs with credentials secret.
 */
const isJudgedInTheClear = ({ parent = "" }: Resource, steps: readonly string[]): boolean =>
  typeInUrn(parent).startsWith(OUR_COMPONENTS) &&
  PROXIES.some((place) => place.every((step, at) => step === steps[at]));

const stepsOf = (path: string): readonly string[] => stepsAlong(path).flatMap((step) => step.split("."));
