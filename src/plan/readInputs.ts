import { statSync, type Stats } from "node:fs";

import { pushAll } from "../pushAll";
import { filesIn } from "./folders";
import { Inputs } from "./inputs";
import { type AheadFile, bytesAhead } from "./readAhead";
import { readBytes, type ReadBytes, readStandardInput, STANDARD_INPUT } from "./readBytes";
import { readFile } from "./readFile";
import { readState, type State } from "./state";

export interface ReadOptions {
  /** A stack export that holds the resources which previews leave out because they are unchanged. */
  state?: string;
  /** Standard input, for `-`. */
  stdin?: AsyncIterable<Buffer | string>;
  /** A file that is being read already. */
  ahead?: AheadFile | undefined;
  /** Told before each file is read: its name, and its size in bytes where that is known. */
  onFile?: (file: string, bytes?: number) => void;
}

/** Reads previews, stack exports, manifests and folders of them. All faults come at once; nothing throws. */
export async function readInputs(paths: readonly string[], options: ReadOptions = {}): Promise<Inputs> {
  const inputs = new Inputs();
  const state =
    options.state === undefined ? undefined : await readState(options.state, inputs, options.ahead);
  for (const path of new Set(paths)) {
    if (path === STANDARD_INPUT.path) await readStandard(inputs, options, state);
    else if (isFolder(path)) readFolder(path, inputs, options, state);
    else await readNamed(path, inputs, options, state);
  }
  if (state && !state.used && inputs.faults.length === 0)
    inputs.notes.push(`${state.file} was not needed: no preview left anything out`);
  refuseDoubles(inputs);
  return inputs;
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

function readFolder(folder: string, inputs: Inputs, options: ReadOptions, state?: State): void {
  const { files, faults } = filesIn(folder);
  pushAll(inputs.faults, faults);
  const before = inputs.resources.length;
  for (const file of files) readFound(file, inputs, options, state);
  if (inputs.resources.length === before && inputs.faults.length === 0)
    inputs.notes.push(`${folder} holds nothing to judge: no preview, stack export or Kubernetes object`);
}

function readFound(file: string, inputs: Inputs, { onFile }: ReadOptions, state?: State): void {
  onFile?.(file, sizeOf(file));
  take(readBytes(file), file, false, inputs, state);
}

/** @param named whether the user named this very file; what is foreign in a folder is no mistake */
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

/** Undefined where the path leads nowhere: why, reading it says. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Two plans of one stack contradict each other, and it is unknown which one holds. */
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
        remedy: "give each stack once; an export beside a preview goes behind --state",
      });
      return;
    }
  }
}
