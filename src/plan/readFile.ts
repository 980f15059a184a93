import { extname } from "node:path";
import { pushAll } from "../pushAll";
import type { Secrets } from "./engineValue";
import type { Inputs } from "./inputs";
import { fitsOneString, textOf } from "./parseJson";
import { readJsonDocument } from "./jsonDocument";
import { jsonManifests, readJsonManifests, readManifests, type Manifests } from "./manifests";
import { isPreview, readPreview, type Preview } from "./preview";
import { isStackExport, readStackExport } from "./stackExport";
import { nameInUrn, stackResource, type EngineState } from "./stackResource";
import type { State } from "./state";
import type { InputFault } from "./inputFault";

/** A file and how the user came to it. */
interface Source {
  file: string;
  /** Whether the user named this very file. */
  named: boolean;
}

/** Reads one file, whatever it holds, and adds it to the inputs. */
export function readFile(bytes: Buffer, source: Source, inputs: Inputs, state?: State): void {
  const before = { resources: inputs.resources.length, faults: inputs.faults.length };
  if (looksLikeJson(bytes)) readJson(bytes, source, inputs, state);
  else readYaml(bytes, source, inputs);
  const isNothing = inputs.resources.length === before.resources && inputs.faults.length === before.faults;
  if (isNothing && source.named)
    inputs.notes.push(`${source.file} holds nothing to judge: ${whyNothing(bytes)}`);
}

const whyNothing = (bytes: Buffer): string =>
  bytes.length === 0 ? "it is empty" : "no preview, stack export or Kubernetes object with a resource";

/** The first byte that is no space. */
function looksLikeJson(bytes: Buffer): boolean {
  const first = bytes.find((byte) => byte > 0x20);
  return first === 0x7b || first === 0x5b;
}

function readJson(bytes: Buffer, source: Source, inputs: Inputs, state: State | undefined): void {
  const { file } = source;
  const { value, fault } = readJsonDocument(bytes, file);
  if (fault) {
    // YAML may begin with a brace, too.
    if (isYamlFile(file) && fitsOneString(bytes)) readYaml(bytes, source, inputs);
    else if (source.named || mayBeMeant(bytes)) inputs.faults.push(fault);
    else inputs.notes.push(`${file} was passed over: it ${fault.problem}`);
  } else if (isObject(value) && isPreview(value)) readPlan(value, file, inputs, state);
  else if (isObject(value) && isStackExport(value)) {
    const { states, fault: damage } = readStackExport(value, file);
    if (damage) inputs.faults.push(damage);
    else addStack(states, file, inputs);
  } else if (bytes.length > WITH_LINES) pushAll(inputs.resources, jsonManifests(value, file));
  else takeManifests(readJsonManifests(value, textOf(bytes), file, inputs.lines), bytes, source, inputs);
}

/** Larger JSON is not read as YAML, which takes long and is only there for lines and doubled keys. */
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
  addStack(preview.states, file, inputs);
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
  takeManifests(readManifests(textOf(bytes), source.file, inputs.lines), bytes, source, inputs);
}

function takeManifests(
  manifests: Manifests,
  bytes: Buffer,
  { file, named }: Source,
  { resources, faults, notes }: Inputs,
): void {
  const isMeant = named || manifests.resources.length > 0 || mayBeMeant(bytes);
  for (const resource of manifests.resources) resources.push(resource);
  if (isMeant) pushAll(faults, manifests.faults);
  else if (manifests.faults.length > 0)
    notes.push(`${file} was passed over: it ${manifests.faults[0]!.problem}`);
}

/** Whether a broken file of a folder could have been something to judge. */
const mayBeMeant = (bytes: Buffer): boolean =>
  ["apiVersion", "changeSummary", '"steps"', '"deployment"'].some((word) => bytes.includes(word));

const isYamlFile = (file: string): boolean => [".yaml", ".yml"].includes(extname(file).toLowerCase());

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The resources that a preview leaves out, or why it is unknown which. */
export type Unchanged =
  { states: EngineState[]; fault?: undefined } | { states?: undefined; fault: InputFault };

/** Without the unchanged resources a deployed stack looks as if it had nothing: they are taken from its export, or missed. */
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
      "run pulumi preview --json --show-sames, or add --state with what pulumi stack export writes",
    );
  const stack = stackOf([...shown][0]);
  const rest = state.states.filter(({ urn }) => !shown.has(urn));
  const foreign = rest.find(({ urn }) => stackOf(urn) !== stack);
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
      "export and preview the stack again, both in the same state",
    );
  return { states: rest };
}

/** `urn:pulumi:dev::network` */
const stackOf = (urn = ""): string => urn.split("::").slice(0, 2).join("::");

const resources = (count: number, verb = count === 1 ? " is" : " are"): string =>
  `${count} resource${count === 1 ? "" : "s"}${verb}`;

const fault = (file: string, problem: string, remedy: string): Unchanged => ({
  fault: { file, problem, remedy },
});
