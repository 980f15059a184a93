import { isMap, stepsAlong, stepTo } from "./read";
import { type PropertyValue, type Resource, typeInUrn, UNKNOWN } from "./resource";
import { OUR_COMPONENTS } from "./resourceTypes";

/**
 * Stands where a value is secret while a resource is read. Rules never meet it: for them a secret is a value that is not known, and
 * the resource says which of those are secrets. To the type system it is one with UNKNOWN for that reason.
 */
export const SECRET: typeof UNKNOWN = Symbol("secret") as typeof UNKNOWN;

type Properties = Resource["properties"];

/** Whether something in a value is secret. */
function holdsSecret(value: PropertyValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return value === SECRET;
  return Object.values(value).some(holdsSecret);
}

/** Outputs in which everything is secret that was put in as a secret: a provider may hand it back in the clear. */
export function secretAsGiven(output: PropertyValue, input: PropertyValue | undefined): PropertyValue {
  if (typeof output === "symbol" || !holdsSecret(input)) return output;
  if (isMap(output) && isMap(input))
    return Object.fromEntries(
      Object.entries(output).map(([key, value]) => [key, secretAsGiven(value, input[key])]),
    );
  // Lists may come back in another order: an entry in the clear may be the secret one.
  return input !== SECRET && holdsSecret(output) ? output : SECRET;
}

/** Properties as rules see them: UNKNOWN in place of each secret, whose places are added to a list. */
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

/** The secrets at a place, in it or around it, that were not judged. Paths write keys with dots in quotes or not. */
export function secretsAt(resource: Resource, path: string): string[] {
  const { secrets = [] } = resource;
  const steps = stepsOf(path);
  return secrets.filter((secret) => {
    const own = stepsOf(secret);
    const isThere = own.slice(0, steps.length).every((step, at) => step === steps[at]);
    return isThere && !isJudgedInTheClear(resource, own);
  });
}

/** Where objects hold the proxies that components of this package write. */
const PROXIES: readonly (readonly string[])[] = [
  ["spec", "configuration"],
  ["spec", "httpProxy"],
  ["spec", "httpsProxy"],
  ["spec", "noProxy"],
];

/**
 * Whether a component of this package has judged a secret in the clear: it refuses wrong proxies itself, and tells its users to
 * keep URLs with credentials secret.
 */
const isJudgedInTheClear = ({ parent = "" }: Resource, steps: readonly string[]): boolean =>
  typeInUrn(parent).startsWith(OUR_COMPONENTS) &&
  PROXIES.some((place) => place.every((step, at) => step === steps[at]));

const stepsOf = (path: string): readonly string[] => stepsAlong(path).flatMap((step) => step.split("."));
