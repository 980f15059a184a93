import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { violated, type Judgement } from "./rule";
import { LIMIT } from "../requirements/limits";
import { isLabelName, isSubdomainName } from "../requirements/names";
import { isGiven } from "../resources/places";
import { readValue } from "../resources/read";
import { shown } from "../topology/normalize/findings";

/** The place in an object of each input of the component that makes such objects: `spec.egressIPs` for `addresses`. */
export type ObjectPaths = Readonly<Record<string, string>>;

/** Inputs that no object has, by what says the same to a rule. */
const ELSEWHERE: readonly (readonly [input: string, said: string])[] = [
  ["nodeSubnets", "machineNetwork of the HostedCluster"],
];

/** Faults of a component's inputs, at the places that an object has for them; inputs that no object has are left out. */
export function objectFaults(resource: Resource, faults: readonly Fault[], paths: ObjectPaths): Judgement[] {
  return faults.flatMap(({ path, problem, remedy }) => {
    const root = /^[^.[]*/.exec(path)?.[0] ?? path;
    const place = Object.hasOwn(paths, root) ? paths[root] : undefined;
    if (place === undefined) return [];
    const inObject = `${place}${path.slice(root.length)}`;
    const message = problem.replaceAll(`${root}[`, `${place}[`);
    const fix = ELSEWHERE.reduce((text, [input, said]) => text.replaceAll(input, said), remedy);
    return [violated({ resource: resource.origin, path: inObject, message, fix })];
  });
}

/** Where an object says its name, its beginning where the API server makes up the rest, and its namespace. */
export const NAME_PATH = {
  name: "metadata.name",
  prefix: "metadata.generateName",
  namespace: "metadata.namespace",
} as const;

/** The names of an object; a text without letters says nothing. */
export type ObjectNames = Record<keyof typeof NAME_PATH, PropertyValue | undefined>;

export function namesOfObject({ properties }: Resource): ObjectNames {
  const entries = Object.entries(NAME_PATH).map(([key, path]) => {
    const value = readValue(properties, path);
    return [key, value === "" ? undefined : value];
  });
  return Object.fromEntries(entries) as ObjectNames;
}

/** What the API server refuses in the names of an object. `what` is the object, for the way out where it has none. */
export function objectNameFaults(resource: Resource, what: string): Judgement[] {
  const { name, prefix, namespace } = namesOfObject(resource);
  return [
    ...wrongText(resource, NAME_PATH.name, name, isSubdomainName, "hyphens and dots"),
    ...wrongText(resource, NAME_PATH.prefix, prefix, isNameBeginning, "hyphens and dots"),
    ...wrongText(resource, NAME_PATH.namespace, namespace, isLabelName, "and hyphens"),
    ...(isGiven(name) || isGiven(prefix) ? [] : nameless(resource, what)),
  ];
}

function wrongText(
  { origin: resource }: Resource,
  path: string,
  value: PropertyValue | undefined,
  isRight: (text: string) => boolean,
  signs: string,
): Judgement[] {
  if (!isGiven(value) || value === UNKNOWN || (typeof value === "string" && isRight(value))) return [];
  if (typeof value !== "string") {
    const message = `${shown(value)} is no text, and the API server refuses the object`;
    return [violated({ resource, path, message, fix: "write it in quotes" })];
  }
  const most = isRight === isLabelName ? LIMIT.labelLength : LIMIT.subdomainLength;
  const message = `${shown(value)} is no Kubernetes name, and the API server refuses the object`;
  return [
    violated({ resource, path, message, fix: `write at most ${most} small letters, digits, ${signs}` }),
  ];
}

/** What stands before the characters that the API server makes up may end with a hyphen, and not with a dot. */
const isNameBeginning = (text: string): boolean => isSubdomainName(text.endsWith("-") ? `${text}x` : text);

/** Pulumi makes a name of the resource's name; for a file, nothing does. */
function nameless({ origin }: Resource, what: string): Judgement[] {
  if (origin.urn !== undefined) return [];
  const message = "missing, and the API server refuses the object";
  return [
    violated({ resource: origin, path: NAME_PATH.name, message, fix: `write the name of the ${what}` }),
  ];
}
