import { pushAll, isRecord } from "../collections";
import type { PropertyValue, Resource } from "../resources/resource";
import { isKustomization } from "./files";
import type { InputFault, Lines, ParsedText } from "./inputs";
import { type JsonPart, textOf } from "./parseJson";
import { type ReadDocument, readJsonPart, readPart, yamlParts } from "./yamlDocuments";
import { typeOfObject } from "../resources/resourceTypes";
import { isPreview } from "./preview";
import { isStackExport } from "./stackExport";
import { isFilled, isGiven } from "../resources/read";
import { closest } from "../topology/normalize/values";
import { asStored } from "../resources/storedObject";

/** The contents of a file of manifests. */
export interface Manifests {
  resources: Resource[];
  faults: InputFault[];
  /** Whether one of its lists has no objects. */
  hasEmptyList: boolean;
}

/** Manifests that are being read, with the faults of what is no object. */
interface Found extends Manifests {
  strays: Stray[];
}

const nothingYet = (): Found => ({ resources: [], faults: [], hasEmptyList: false, strays: [] });

/** Reads the Kubernetes objects in YAML. Skips other documents, unless objects are next to them or they look like some. */
export function readManifests(text: string, file: string, lines: Lines): Manifests {
  const found = nothingYet();
  for (const part of yamlParts(text))
    for (const document of readPart(part, file))
      if (document.fault) found.faults.push(document.fault);
      else readObjects(document, part, file, lines, found);
  return withStrays(found);
}

/** Reads the Kubernetes objects in JSON values, which kubectl does not read as YAML. */
export function readJsonManifests(values: readonly JsonPart[], file: string, lines: Lines): Manifests {
  const found = nothingYet();
  for (const { value, bytes, line } of values) {
    const part = { text: textOf(bytes), line };
    readObjects(readJsonPart(part, value), part, file, lines, found);
  }
  return withStrays(found);
}

/** Reads the Kubernetes objects in JSON values, without their lines. */
export const jsonManifests = (values: readonly JsonPart[], file: string): Manifests =>
  withStrays({
    resources: values
      .flatMap(({ value }) => kubernetesObjects(value))
      .map((object) => manifestResource(object, { file })),
    faults: values.flatMap(({ value }) => planFaults(value, { file })),
    hasEmptyList: values.some(({ value }) => isEmptyList(value)),
    strays: values.flatMap(({ value }) => straysIn(value, () => ({ file }))),
  });

function readObjects(
  { value, repeated, document, lineOf }: ReadDocument,
  part: ParsedText,
  file: string,
  lines: Lines,
  found: Found,
): void {
  const { resources, faults } = found;
  const read = new Map<string, Resource>();
  found.hasEmptyList ||= isEmptyList(value);
  pushAll(
    found.strays,
    straysIn(value, (path) => ({ file, line: lineOf(path) })),
  );
  pushAll(faults, planFaults(value, { file, line: lineOf("") }));
  for (const object of kubernetesObjects(value)) {
    const origin = { file, line: lineOf(object.path) };
    if (isTemplate(object.object))
      faults.push({
        ...origin,
        problem: "is an OpenShift Template, whose objects have no values yet",
        remedy: "process it first: oc process -f FILE --local -o yaml",
      });
    lines.remember(origin, { part, document, path: object.path });
    const resource = manifestResource(object, origin);
    if (repeated.length > 0) read.set(object.path, resource);
    resources.push(resource);
  }
  for (const path of repeated)
    if (!repeatedIn(read, path))
      faults.push({
        file,
        line: lineOf(path),
        problem: "has the same key twice",
        remedy: "leave one of them out",
      });
}

/** The fault of something that is no object. */
interface Stray {
  fault: InputFault;
  /** Whether it was probably meant to be one. */
  isLikeObject: boolean;
}

/** Adds the faults of what is no object: kubectl refuses it. Files without any object may be for another program. */
function withStrays({ strays, ...found }: Found): Manifests {
  const isMeant = ({ isLikeObject, fault }: Stray) =>
    found.resources.length > 0 || (isLikeObject && !isKustomization(fault.file));
  pushAll(
    found.faults,
    strays.filter(isMeant).map(({ fault }) => fault),
  );
  return found;
}

/** What is neither an object nor a plan, which has its own fault. An empty document is nothing. */
const straysIn = (document: unknown, placeOf: (path: string) => Pick<InputFault, "file" | "line">): Stray[] =>
  entriesOf(document).flatMap(({ value, path }) =>
    isObject(value) || isPlan(value) || (value === null && path === "")
      ? []
      : { fault: { ...placeOf(path), ...whyNoObject(value) }, isLikeObject: isLikeObject(value) },
  );

function whyNoObject(value: unknown): Pick<InputFault, "problem" | "remedy"> {
  if (!isRecord(value))
    return { problem: "is not a Kubernetes object", remedy: "remove it, or write an object" };
  const wrong = TYPE_FIELDS.find((field) => !isFilled(value[field]));
  if (wrong === undefined) return { problem: "has items that are not a list", remedy: "write a list" };
  if (isGiven(value[wrong]) && value[wrong] !== "")
    return { problem: `has a value of ${wrong} that is not a string`, remedy: "write it in quotes" };
  return Object.keys(value).some((key) => key !== wrong && closest(key, [wrong]))
    ? { problem: `has no ${wrong}, but a property with a similar name`, remedy: `write ${wrong}` }
    : { problem: `has no ${wrong}`, remedy: "add it, or remove what is not a Kubernetes object" };
}

/**
 * Whether a value has two of the three properties by which objects are known, in whatever case, and a kind, at least misspelt: files of
 * other programs, such as install-config.yaml, have none.
 */
function isLikeObject(value: unknown): boolean {
  const names = isRecord(value) ? Object.keys(value) : [];
  const keys = new Set(names.map((key) => key.toLowerCase()));
  const known = ["kind", "apiversion", "metadata"].filter((key) => keys.has(key));
  return known.length > 1 && names.some((key) => closest(key, ["kind"]));
}

/** Faults of previews and stack exports in a list, in YAML or next to manifests: they are read only as files of their own. */
function planFaults(value: unknown, place: Pick<InputFault, "file" | "line">): InputFault[] {
  const held = Array.isArray(value) ? value : [value];
  if (!held.some(isPlan)) return [];
  const problem =
    "contains a preview or a stack export together with other content, or not in the form that Pulumi writes";
  return [{ ...place, problem, remedy: "give each as a separate JSON file" }];
}

const isPlan = (value: unknown): boolean => isRecord(value) && (isPreview(value) || isStackExport(value));

/** Adds a repeated key to the object that contains it; returns false if the key is outside all objects. */
function repeatedIn(objects: ReadonlyMap<string, Resource>, path: string): boolean {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
  for (const end of [0, ...ends]) {
    const object = objects.get(path.slice(0, end));
    if (!object) continue;
    ((object.repeated ??= []) as string[]).push(path.slice(end).replace(/^\./, ""));
    return true;
  }
  return false;
}

const isTemplate = ({ apiVersion, kind }: Readonly<Record<string, unknown>>): boolean =>
  kind === "Template" && /^(template\.openshift\.io\/)?v1$/.test(String(apiVersion));

/** A Kubernetes object with its place in a document. */
export interface KubernetesObject {
  object: Readonly<Record<string, unknown>>;
  /** Empty for the document itself, `items[3]` in a list. */
  path: string;
}

/** How a kustomization changes the files that it names. */
export interface Kustomization {
  patches: KustomizePatch[];
  /** Whether the built objects differ from the files. */
  changes: boolean;
}

/** A change to some objects. */
export interface KustomizePatch {
  /** The patch file, relative to the kustomization. It looks like objects, but has only parts of those that it changes. */
  file?: string;
  /** The objects that it changes, in words; empty if its file states them. */
  changed: string[];
}

/** Fields by which a kustomization changes objects of its files that are judged here. */
const CHANGING: readonly string[] = [
  ...["patches", "patchesStrategicMerge", "patchesJson6902", "replacements", "vars", "transformers"],
  ...["namespace", "namePrefix", "nameSuffix", "labels", "commonLabels", "commonAnnotations"],
  ...["components", "replicas"],
];

/** Reads a kustomization, which need not state its kind and version. */
export function readKustomization(text: string, file: string): Kustomization {
  const given = yamlValues(text, file).filter(isRecord);
  const listed = (field: string) => given.flatMap((value) => listOf(value[field]));
  const replaced = listed("replacements").flatMap((one) => (isRecord(one) ? listOf(one.targets) : []));
  return {
    patches: [
      ...["patches", "patchesJson6902", "patchesStrategicMerge"].flatMap(listed).map(patchOf),
      ...replaced.map((target) => ({ changed: isRecord(target) ? selected(target.select) : [] })),
    ],
    changes: given.some((value) => CHANGING.some((field) => value[field] != undefined)),
  };
}

/** Reads a patch. An entry of `patchesStrategicMerge` is a path or the patch itself; as a path, the latter matches no file. */
function patchOf(entry: unknown): KustomizePatch {
  const { path, patch, target } = isRecord(entry) ? entry : { path: entry, patch: entry };
  const inline = typeof patch === "string" ? objectsIn(patch) : [];
  return {
    ...(typeof path === "string" && { file: path }),
    changed: isRecord(target) ? selected(target) : inline,
  };
}

/** The objects of which YAML has parts: `HostedCluster tenant-a`. */
export const objectsIn = (text: string, file = ""): string[] =>
  yamlValues(text, file)
    .flatMap((value) => kubernetesObjects(value))
    .flatMap(({ object: { kind, metadata } }) =>
      selected({ kind, name: isRecord(metadata) ? metadata.name : undefined }),
    );

/** Describes what a Kustomize selector selects: an object by name, or every object of a kind. */
function selected(selector: unknown): string[] {
  const { kind, name } = isRecord(selector) ? selector : {};
  const [one, of] = [name, kind].map((value) => (typeof value === "string" ? value : undefined));
  return [one === undefined ? `every ${of ?? "object"} that it selects` : `${of ?? "object"} ${one}`];
}

const yamlValues = (text: string, file: string): unknown[] =>
  yamlParts(text).flatMap((part) => readPart(part, file).map(({ value }) => value));

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A value in a document that is not a list, with its place. */
interface Entry {
  value: unknown;
  path: string;
}

/** The Kubernetes objects in a document: the document itself, or the items of a list. Anything else is left out. */
export const kubernetesObjects = (document: unknown): KubernetesObject[] =>
  entriesOf(document).flatMap(({ value, path }) => (isObject(value) ? [{ object: value, path }] : []));

function entriesOf(document: unknown, path = ""): Entry[] {
  if (Array.isArray(document))
    return document.flatMap((entry, position) => entriesOf(entry, `${path}[${position}]`));
  const list = listOfObjects(document);
  if (!list) return [{ value: document, path }];
  return list.items.flatMap((item, position) =>
    entriesOf(typed(item, list), `${path === "" ? "" : `${path}.`}items[${position}]`),
  );
}

interface ListOfObjects {
  kind: string;
  apiVersion: unknown;
  items: readonly unknown[];
}

/** An object with items, which kubectl takes for a list of objects whatever its kind; it also reads none from null. */
function listOfObjects(value: unknown): ListOfObjects | undefined {
  if (!isRecord(value) || !isFilled(value.kind)) return undefined;
  const { kind, apiVersion, items } = value;
  if (items === null) return { kind, apiVersion, items: [] };
  return Array.isArray(items) ? { kind, apiVersion, items } : undefined;
}

/** Items of typed lists, as the API server returns them, do not repeat kind and version. */
function typed(item: unknown, { kind, apiVersion }: ListOfObjects): unknown {
  if (!isRecord(item) || isFilled(item.kind) || isFilled(item.apiVersion)) return item;
  const type = { apiVersion, kind: kind.replace(/List$/, "") };
  return { ...type, ...item, ...type };
}

const isObject = (value: unknown): value is KubernetesObject["object"] =>
  isRecord(value) && TYPE_FIELDS.every((field) => isFilled(value[field])) && value.items === undefined;

const TYPE_FIELDS = ["kind", "apiVersion"] as const;

/** Whether a value is a list without objects, which `kubectl get` writes if there are none. */
const isEmptyList = (value: unknown): boolean => listOfObjects(value)?.items.length === 0;

/** The resource that rules judge, with the type token that Pulumi gives such an object. */
export function manifestResource({ object }: KubernetesObject, origin: Resource["origin"]): Resource {
  const { apiVersion, kind, metadata } = object as { apiVersion: string; kind: string; metadata?: unknown };
  const { name, generateName } = isRecord(metadata) ? metadata : {};
  const type = typeOfObject(apiVersion, kind);
  return {
    origin,
    type,
    name: [name, generateName].find((text) => typeof text === "string") ?? "unnamed",
    properties: asStored(type, object as { readonly [key: string]: PropertyValue }, "kubectl"),
  };
}
