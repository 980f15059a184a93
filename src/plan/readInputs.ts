import { realpathSync } from "node:fs";
import { pushAll, isRecord } from "../collections";
import { withoutReadBack, withRevoked } from "../gate/readBack";
import {
  filesIn,
  type FolderFiles,
  isKustomization,
  readBytes,
  type ReadBytes,
  readStandardInput,
  STANDARD_INPUT,
  statusOf,
} from "./files";
import { type InputFault, Inputs } from "./inputs";
import { type AheadFile, bytesAhead } from "./readAhead";
import { nameInUrn, pathFromHere, stackInUrn } from "../resources/resource";
import { type EngineState, stackResource } from "./stackResource";
import { dirname, extname, resolve } from "node:path";
import type { Secrets } from "./engineValue";
import { plural } from "../text";
import { fitsOneString, type JsonPart, jsonParts, textOf } from "./parseJson";
import { planInLog, readJsonDocument } from "./jsonDocument";
import {
  jsonManifests,
  kubernetesObjects,
  type Manifests,
  objectsIn,
  readJsonManifests,
  readKustomization,
  readManifests,
} from "./manifests";
import { eachThingOnce } from "../resources/oneObject";
import { firstOf } from "../text";
import { isPreview, type Preview, readPreview } from "./preview";
import { type State, isStackExport, readStackExport, readState } from "./stackExport";

export interface ReadOptions {
  /** A stack export with the unchanged resources that previews leave out. */
  state?: string;
  /** Standard input, for `-`. */
  stdin?: AsyncIterable<Buffer | string>;
  /** A file that is already being read. */
  ahead?: AheadFile | undefined;
  /** Called before each file is read, with its name and, if known, its size in bytes. */
  onFile?: (file: string, bytes?: number) => void;
}

/** Reads previews, stack exports, manifests and folders of them. Collects all faults; never throws. */
export async function readInputs(paths: readonly string[], asked: ReadOptions = {}): Promise<Inputs> {
  const inputs = new Inputs();
  const ahead = asked.ahead && { ...asked.ahead, file: pathOf(asked.ahead.file) };
  const state = asked.state === undefined ? undefined : await readState(pathOf(asked.state), inputs, ahead);
  const options = { ...asked, ahead };
  const once = new ReadOnce();
  const named = once.of(paths.map(pathOf));
  const folders = new Map(named.filter(isFolder).map((path) => [path, filesIn(path, named)]));
  const own = new Map([...folders].map(([path, { files }]) => [path, once.of(files)]));
  const patches = patchesAmong([...named, ...[...folders.values()].flatMap(({ files }) => files)], inputs);
  for (const path of named) {
    const folder = folders.get(path);
    if (folder) readFolder(path, folder, own.get(path)!, patches, inputs, options, state);
    else if (path === STANDARD_INPUT.path) await readStandard(inputs, options, state);
    else if (!patches.has(resolve(path))) await readNamed(path, inputs, options, state);
  }
  if (state && !state.used && inputs.faults.length === 0)
    inputs.notes.push(`${state.file} was not needed: no preview left anything out`);
  refuseDoubles(inputs);
  const { former, deleted } = inputs;
  inputs.resources = [...withRevoked(withoutReadBack(eachThingOnce(inputs.resources), former), deleted)];
  return inputs;
}

/** The path by which an input is read and shown; `./-` is a file, and `..` behind a link leads to the parent of its target. */
function pathOf(path: string): string {
  if (path === "" || path === STANDARD_INPUT.path) return path;
  const fromHere = pathFromHere(path);
  return fromHere === STANDARD_INPUT.path || realPath(fromHere) !== realPath(path) ? path : fromHere;
}

/**
 * Remembers what was read, by any name, so that no object is counted twice. A link in another folder counts as another file,
 * because folders may be management clusters that share a file.
 */
class ReadOnce {
  readonly #read = new Set<string>();

  /** The paths that were not read yet. Called first for what the user names, which is read as named, not as part of a folder. */
  of(paths: readonly string[]): string[] {
    return paths.filter((path) => {
      const place = path === STANDARD_INPUT.path ? path : JSON.stringify([dirname(path), path].map(realPath));
      const isNew = !this.#read.has(place);
      this.#read.add(place);
      return isNew;
    });
  }
}

/** A path with its links resolved; only made absolute if it leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

async function readStandard(inputs: Inputs, { stdin, onFile }: ReadOptions, state?: State): Promise<void> {
  onFile?.(STANDARD_INPUT.file);
  take(await readStandardInput(stdin ?? process.stdin), STANDARD_INPUT.file, true, inputs, state);
}

async function readNamed(file: string, inputs: Inputs, options: ReadOptions, state?: State): Promise<void> {
  const { ahead, onFile } = options;
  onFile?.(file, sizeOf(file));
  take(readBytes(file, await bytesAhead(ahead, file)), file, true, inputs, state);
}

function readFolder(
  folder: string,
  { files, faults }: FolderFiles,
  own: readonly string[],
  patches: ReadonlySet<string>,
  inputs: Inputs,
  options: ReadOptions,
  state?: State,
): void {
  pushAll(inputs.faults, faults);
  const before = inputs.resources.length;
  for (const file of own) if (!patches.has(resolve(file))) readFound(file, inputs, options, state);
  const isReadElsewhere = own.length < files.length;
  if (inputs.resources.length === before && inputs.faults.length === 0 && !isReadElsewhere)
    inputs.notes.push(`${folder} contains nothing to judge: no preview, stack export or Kubernetes object`);
}

/** The files that kustomizations among `files` name as patches. Adds a note that the changes of kustomizations are not built here. */
function patchesAmong(files: readonly string[], { notes }: Inputs): ReadonlySet<string> {
  const read = new Set(files.map((file) => resolve(file)));
  const changing = new Set<string>();
  const patches = new Set<string>();
  const changed = new Set<string>();
  for (const file of files.filter(isKustomization)) {
    const { bytes } = readBytes(file);
    if (!bytes) continue;
    const kustomization = readKustomization(textOf(bytes), file);
    if (kustomization.changes) changing.add(file);
    for (const patch of kustomization.patches) {
      const path = patch.file === undefined ? undefined : resolve(dirname(file), patch.file);
      if (path !== undefined) patches.add(path);
      for (const one of patch.changed.length > 0 ? patch.changed : objectsOf(path, read)) changed.add(one);
    }
  }
  if (changing.size > 0)
    notes.push(
      `objects are judged as their files state them, without the changes of ${firstOf([...changing])}${changed.size > 0 ? ` to ${firstOf([...changed], MOST_CHANGED)}` : ""}: give the output of kubectl kustomize FOLDER`,
    );
  return patches;
}

/** Enough for all objects that one folder patches. */
const MOST_CHANGED = 50;

/** The objects of a patch that is among the files read; other files are not opened. */
function objectsOf(path: string | undefined, read: ReadonlySet<string>): string[] {
  const bytes = path !== undefined && read.has(path) ? readBytes(path).bytes : undefined;
  return bytes ? objectsIn(textOf(bytes), path) : [];
}

function readFound(file: string, inputs: Inputs, { onFile }: ReadOptions, state?: State): void {
  onFile?.(file, sizeOf(file));
  take(readBytes(file), file, false, inputs, state);
}

/** @param named whether the user named this very file; a folder may have other kinds of files without a fault */
function take(
  { bytes, fault }: ReadBytes,
  file: string,
  named: boolean,
  inputs: Inputs,
  state: State | undefined,
): void {
  inputs.files++;
  if (fault) inputs.faults.push(fault);
  else readFile(bytes, { file, named }, inputs, state);
}

/** Whether a path leads to a folder. */
export const isFolder = (path: string): boolean => statusOf(path)?.isDirectory() ?? false;

const sizeOf = (file: string): number | undefined => statusOf(file)?.size;

/** Adds a fault for two plans of one stack: they contradict each other, and it is unknown which applies. */
function refuseDoubles({ resources, faults }: Inputs): void {
  const files = new Map<string, string>();
  for (const { origin } of resources) {
    if (origin.urn === undefined || origin.file === undefined) continue;
    const first = files.get(origin.urn);
    if (first === undefined) files.set(origin.urn, origin.file);
    else {
      faults.push({
        file: origin.file,
        problem: `shows resources that ${first} shows too`,
        remedy: "give each stack once; check takes the export of a previewed stack with --state",
      });
      return;
    }
  }
}

/** A file and whether the user named it. */
interface Source {
  file: string;
  /** Whether the user named this very file. */
  named: boolean;
}

/** Reads one file of any kind and adds it to the inputs. */
export function readFile(bytes: Buffer, source: Source, inputs: Inputs, state?: State): void {
  const before = { resources: inputs.resources.length, faults: inputs.faults.length };
  if (looksLikeJson(bytes) || planInLog(bytes)) readJson(bytes, source, inputs, state);
  else readYaml(bytes, source, inputs);
  const isNothing = inputs.resources.length === before.resources && inputs.faults.length === before.faults;
  if (isNothing && source.named)
    inputs.notes.push(`${source.file} contains nothing to judge: ${whyNothing(bytes)}`);
}

const whyNothing = (bytes: Buffer): string =>
  bytes.length === 0 ? "it is empty" : "no preview, stack export or Kubernetes object with a resource";

/** Whether the first byte that is not a space begins a JSON object or list. */
function looksLikeJson(bytes: Buffer): boolean {
  const first = bytes.find((byte) => byte > 0x20);
  return first === 0x7b || first === 0x5b;
}

function readJson(bytes: Buffer, source: Source, inputs: Inputs, state: State | undefined): void {
  const { file } = source;
  const { value, fault, isFollowed, isInLog } = readJsonDocument(bytes, file);
  if (isInLog) inputs.notes.push(`${file}: the lines around the JSON were skipped`);
  const stream = isFollowed ? jsonParts(bytes) : undefined;
  if (stream?.every((one) => kubernetesObjects(one.value).length > 0))
    takeJsonManifests(stream, bytes, source, inputs);
  else if (fault) {
    // YAML may begin with a brace, too.
    if (isYamlFile(file) && fitsOneString(bytes)) readYaml(bytes, source, inputs);
    else if (source.named || mayBeMeant(bytes)) inputs.faults.push(fault);
    else inputs.notes.push(`${file} was skipped: ${fault.problem}`);
  } else if (isRecord(value) && isPreview(value)) readPlan(value, file, inputs, state);
  else if (isRecord(value) && isStackExport(value)) {
    const { states, retained, notes, fault: damage } = readStackExport(value, file);
    if (damage) inputs.faults.push(damage);
    else {
      pushAll(inputs.notes, notes);
      inputs.saysNothing ||= states.length === 0;
      addStack([...states, ...retained], file, inputs);
    }
  } else takeJsonManifests([{ value, bytes, line: 1 }], bytes, source, inputs);
}

function takeJsonManifests(values: readonly JsonPart[], bytes: Buffer, source: Source, inputs: Inputs): void {
  const isLarge = bytes.length > WITH_LINES;
  const manifests = isLarge
    ? jsonManifests(values, source.file)
    : readJsonManifests(values, source.file, inputs.lines);
  takeManifests(manifests, bytes, source, inputs);
}

/** Larger JSON is not also read as YAML, which is slow and only serves for lines and repeated keys. */
const WITH_LINES = 4 * 1024 * 1024;

function readPlan(document: object, file: string, inputs: Inputs, state: State | undefined): void {
  const { preview, fault } = readPreview(document, file);
  if (fault) {
    inputs.faults.push(fault);
    return;
  }
  const rest = unchanged(preview, file, state);
  if (rest.fault) {
    inputs.faults.push(rest.fault);
    return;
  }
  inputs.saysNothing ||= preview.states.length === 0;
  addStack(preview.states, file, inputs);
  if (preview.skipped > 0)
    inputs.notes.push(
      `${file} is a preview of targets only: ${plural(preview.skipped, "resource")} that it does not create ${preview.skipped === 1 ? "is" : "are"} not judged`,
    );
  for (const one of preview.former) inputs.former.push(stackResource(one, file, { count: 0 }));
  for (const one of preview.deleted) inputs.deleted.push(stackResource(one, file, { count: 0 }));
  if (!state || rest.states.length === 0) return;
  state.used = true;
  addStack(rest.states, state.file, inputs);
}

function addStack(states: readonly EngineState[], file: string, { resources, notes }: Inputs): void {
  let hiding = 0;
  for (const state of states) {
    const secrets: Secrets = { count: 0 };
    resources.push(stackResource(state, file, secrets));
    if (secrets.count > 0) hiding++;
  }
  if (hiding > 0)
    notes.push(
      `${file}: ${hiding === 1 ? "1 resource has secret values" : `${hiding} resources have secret values`}, which count as unknown`,
    );
}

function readYaml(bytes: Buffer, source: Source, inputs: Inputs): void {
  const manifests = readManifests(textOf(bytes), source.file, inputs.lines);
  const isLog = manifests.resources.length === 0 && bytes.includes('"steps"');
  if (isLog && manifests.faults.length > 0) manifests.faults = [logFault(source.file)];
  takeManifests(manifests, bytes, source, inputs);
}

const logFault = (file: string): InputFault => ({
  file,
  problem: "has a preview mixed with other lines, from which it cannot be separated",
  remedy: "give the complete output of pulumi preview --json and nothing else",
});

function takeManifests(manifests: Manifests, bytes: Buffer, { file, named }: Source, inputs: Inputs): void {
  const { resources, faults, notes } = inputs;
  inputs.saysNothing ||= manifests.hasEmptyList;
  const isMeant = named || manifests.resources.length > 0 || mayBeMeant(bytes);
  for (const resource of manifests.resources) resources.push(resource);
  if (isMeant) pushAll(faults, manifests.faults);
  else if (manifests.faults.length > 0) notes.push(`${file} was skipped: ${manifests.faults[0]!.problem}`);
}

/** Whether a broken file in a folder may have been meant to be judged. */
const mayBeMeant = (bytes: Buffer): boolean =>
  ["apiVersion", "changeSummary", '"steps"', '"deployment"'].some((word) => bytes.includes(word));

const isYamlFile = (file: string): boolean => [".yaml", ".yml"].includes(extname(file).toLowerCase());

/** The resources that a preview leaves out, or why they are unknown. */
export type Unchanged =
  { states: EngineState[]; fault?: undefined } | { states?: undefined; fault: InputFault };

/** Takes the unchanged resources from the stack export; a fault without one, because a deployed stack would look empty. */
export function unchanged(
  { leftOut, shown }: Preview,
  file: string,
  state: { file: string; states: readonly EngineState[] } | undefined,
): Unchanged {
  if (leftOut === 0) return { states: [] };
  if (!state)
    return fault(
      file,
      `${resources(leftOut)} left out because ${leftOut === 1 ? "it is" : "they are"} unchanged`,
      "run pulumi preview --json --show-sames; check also takes the output of pulumi stack export, with --state",
    );
  // A preview in which everything is unchanged does not state its stack.
  const stack = stackInUrn([...shown][0] ?? state.states[0]?.urn ?? "");
  const rest = state.states.filter(({ urn }) => !shown.has(urn));
  const foreign = rest.find(({ urn }) => stackInUrn(urn) !== stack);
  if (foreign)
    return fault(
      state.file,
      `is an export of another stack than ${file}: it has ${nameInUrn(foreign.urn)}`,
      "export the stack of the preview",
    );
  if (rest.length !== leftOut)
    return fault(
      state.file,
      `does not fit ${file}: the preview leaves out ${resources(leftOut, "")}, the export has ${rest.length} that the preview does not show`,
      "export and preview the stack again, both in the same state, or give a preview with --show-sames, which recognizes renamed resources",
    );
  return { states: rest };
}

const resources = (count: number, verb = count === 1 ? " is" : " are"): string =>
  `${count} resource${count === 1 ? "" : "s"}${verb}`;

const fault = (file: string, problem: string, remedy: string): Unchanged => ({
  fault: { file, problem, remedy },
});
