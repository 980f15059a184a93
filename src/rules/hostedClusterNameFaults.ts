import { LIMIT } from "../requirements/limits";
import { isLabelName, isSubdomainName } from "../requirements/names";
import { isGiven } from "../resources/places";
import { readValue } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isPatch } from "../resources/resourceTypes";
import { controlPlaneNamespaceOf } from "../topology/controlPlaneNamespaceOf";
import { shown } from "../topology/normalize/findings";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import { unknown, violated, type Judgement } from "./rule";

const NAME = "metadata.name";
const GENERATED = "metadata.generateName";
const NAMESPACE = "metadata.namespace";

/** What one HostedCluster shows by itself of its name. */
export function hostedClusterNameFaults(resource: Resource): Judgement[] {
  const [name, prefix, namespace] = [NAME, GENERATED, NAMESPACE].map((path) => {
    const value = readValue(resource.properties, path);
    return value === "" ? undefined : value;
  });
  const wrong = [
    ...wrongText(resource, NAME, name, isSubdomainName, "hyphens and dots"),
    ...wrongText(resource, GENERATED, prefix, isNameBeginning, "hyphens and dots"),
    ...wrongText(resource, NAMESPACE, namespace, isLabelName, "and hyphens"),
  ];
  if (!isGiven(name) && !isGiven(prefix)) return [...wrong, ...nameless(resource)];
  return wrong.length > 0 ? wrong : longNamespace(resource, { name, prefix, namespace });
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

/** Pulumi makes a name of the resource's name; nobody does for a file. */
function nameless({ origin }: Resource): Judgement[] {
  if (origin.urn !== undefined) return [];
  const message = "missing, and the API server refuses the object";
  return [violated({ resource: origin, path: NAME, message, fix: "write the name of the hosted cluster" })];
}

/** How many characters of `generateName` the API server keeps, and how many it adds. */
const KEPT = 58;
const ADDED = 5;

/** Namespaces are labels: HyperShift cannot make one with more characters. */
function longNamespace(
  resource: Resource,
  {
    name,
    prefix,
    namespace = DEFAULT_NAMESPACE,
  }: Partial<Record<"name" | "prefix" | "namespace", PropertyValue>>,
): Judgement[] {
  const path = isGiven(name) ? NAME : GENERATED;
  const stated = isGiven(name) ? name : prefix;
  if (typeof stated !== "string" || typeof namespace !== "string")
    return [unknown({ resource, path: typeof stated === "string" ? NAMESPACE : path })];
  const made = isGiven(name) ? stated : `${stated.slice(0, KEPT)}${"x".repeat(ADDED)}`;
  const { length } = controlPlaneNamespaceOf(namespace, made);
  const most = LIMIT.labelLength;
  if (length > most)
    return [
      violated({
        resource: resource.origin,
        path,
        message: `${controlPlaneNamespaceOf(namespace, stated)}${made === stated ? "" : "..."}, the namespace of the control plane, has ${length} characters, and HyperShift cannot make it`,
        fix: `shorten name or namespace: ${most} characters at most`,
      }),
    ];
  if (made === stated || isPatch(resource.type)) return [];
  return [
    unknown({ resource, path, reason: "the API server makes the name up: whether another has it already" }),
  ];
}
