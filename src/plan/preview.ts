import { pushAll, isRecord } from "../collections";
import type { InputFault } from "./inputs";
import { engineValue } from "./engineValue";
import {
  hasSharedLists,
  isThereOnce,
  revokedBy,
  sharedLists,
  stayingLists,
  writesSharedList,
} from "../gate/readBack";
import { isFilled, isGiven } from "../resources/read";
import {
  CONNECTIONS,
  hasImmutableFields,
  isHostedCluster,
  isKubernetes,
  isPatch,
  SECURITY_GROUPS,
  SUBNETS,
  VPCS,
} from "../resources/resourceTypes";
import {
  asOthers,
  BEFORE,
  fates,
  isEngineState,
  isStanding,
  MadeState,
  stackResource,
  type EngineState,
} from "./stackResource";
import { typeInUrn } from "../resources/resource";
import { Direction } from "../requirements/vocabulary";
import { plural } from "../text";

/** The resources of a stack after the update that a preview shows. */
export interface Preview {
  states: EngineState[];
  /** Old states of resources that it changes or deletes and that write into lists of others. */
  former: EngineState[];
  /** What exists only once, such as a rule, and is deleted after all other steps, also after its own replacement is created. */
  deleted: EngineState[];
  /** URNs of everything that the preview shows, including what it deletes. */
  shown: ReadonlySet<string>;
  /** The number of unchanged resources that it leaves out. */
  leftOut: number;
  /** The number of resources of the program that it does not create, because they are not among its targets. */
  skipped: number;
}

/** A preview, or why it cannot be judged. */
export type ReadPreview =
  { preview: Preview; fault?: undefined } | { preview?: undefined; fault: InputFault };

/**
 * Whether a document is the output of `pulumi preview --json`, which omits steps and diagnostics if there are none. Other files have
 * steps too, such as cloudbuild.json.
 */
export function isPreview(document: object): boolean {
  const { steps } = document as { steps?: unknown };
  if ("changeSummary" in document && ["steps", "diagnostics", "duration"].some((key) => key in document))
    return true;
  return Array.isArray(steps) && steps.some((step) => isRecord(step) && typeof step.urn === "string");
}

/** Steps after which their resource no longer exists: deletes, and the old side of replacements. */
const REMOVING: ReadonlySet<unknown> = new Set([
  "delete",
  "delete-replaced",
  "discard",
  "discard-replaced",
  "read-discard",
  "remove-pending-replace",
]);

/** Steps that remove a resource even if the same preview refreshed it before. */
const LAST: ReadonlySet<unknown> = new Set(["delete", "discard"]);

/** Steps after which the old state of a resource no longer exists in the cloud. */
const ENDING: ReadonlySet<unknown> = new Set([
  "update",
  "replace",
  "create-replacement",
  "delete",
  "delete-replaced",
]);

/** Steps that let go of a resource: they delete it in the cloud, unless its state or that of another resource retains it. */
const LETTING_GO: ReadonlySet<unknown> = new Set([
  "delete",
  "delete-replaced",
  "discard",
  "discard-replaced",
]);

/**
 * Whether the old state of a step is read.
 *
 * @param hasId whether the old state has an id
 */
export function isOldStateRead(
  { op, urn, newState }: Record<"op" | "urn" | "newState", unknown>,
  hasId: boolean,
): boolean {
  if (op === SAME && !hasId) return true;
  if (isEngineState(newState) && !(newState instanceof MadeState)) {
    if (keepsOutputs(op, newState)) return true;
    // A state that is parsed as it is, such as one whose outputs are null, has no id of the old state yet.
    if (hasId && keepsId(op) && newState.id === undefined) return true;
  }
  // Immutable fields are compared with their old values.
  if (isEngineState(newState) && hasImmutableFields(newState.type)) return true;
  if (LETTING_GO.has(op)) return true;
  return typeof urn === "string" && (endsSharedEntries(op, urn) || mayRevoke(op, urn));
}

const SAME = "same";
const UPDATE = "update";
const READ = "read";
const REPLACE = "replace";
const CREATE_REPLACEMENT = "create-replacement";
const DELETE_REPLACED = "delete-replaced";

/** Whether a resource keeps its id in a step, for which the engine may state the id only in the old state. */
export const keepsId = (op: unknown): boolean => op === SAME || op === UPDATE;

/**
 * Whether resources of a type have important values that are only in outputs: the block of a default VPC, what was created with a VPC or a
 * gateway, whether a peering is active, the version that a hosted cluster runs. Plans have few of them.
 */
const isToldByOutputs = (type: string): boolean =>
  TOLD_BY_OUTPUTS.has(type) || (isHostedCluster(type) && !isPatch(type));

const TOLD_BY_OUTPUTS: ReadonlySet<string> = new Set([...VPCS, ...SUBNETS, ...CONNECTIONS]);

/**
 * Whether the outputs of a resource that stays are those of its old state: in a preview, the engine shows a step before it is taken,
 * and the new state then has no outputs. What a program only reads is told by nothing else.
 *
 * @param setsLists whether the program sets every list of a security group: its outputs tell nothing more
 */
export const keepsOutputs = (
  op: unknown,
  state: Pick<EngineState, "type" | "inputs" | "outputs">,
  setsLists = setsEveryRule(state),
): boolean =>
  state.outputs === undefined &&
  (op === READ ||
    (keepsId(op) && (isToldByOutputs(state.type) || (hasSharedLists(state.type) && !setsLists))));

const setsEveryRule = ({ type, inputs }: Pick<EngineState, "type" | "inputs">): boolean =>
  SECURITY_GROUPS.has(type) &&
  isRecord(inputs) &&
  Object.values(Direction).every((direction) => isGiven(inputs[direction]));

/** The new state of a step, with the id and outputs that the resource keeps. A `MadeState` already has them. */
function withKept({ op, oldState }: Step, state: EngineState): EngineState {
  if (state instanceof MadeState || !isRecord(oldState)) return state;
  const { id } = oldState;
  const outputs =
    isEngineState(oldState) && keepsOutputs(op, state) ? outputsLeft(op, state, oldState) : undefined;
  return {
    ...state,
    ...(keepsId(op) && state.id === undefined && id !== undefined && { id }),
    ...(outputs && { outputs }),
  };
}

/**
 * The old outputs that still hold after a step. An update changes what the program sets, and the tags of the provider; a shared list that
 * the program no longer sets stays in the cloud. What was a secret input stays secret, although outputs may have it in plain text.
 */
function outputsLeft(op: string, state: EngineState, old: EngineState): object | undefined {
  const { outputs } = old;
  if (!isRecord(outputs) || Object.keys(outputs).length === 0) return undefined;
  // A program may read something else under the same name.
  if (isFilled(state.id) && isFilled(old.id) && state.id !== old.id) return undefined;
  const [inputs, before] = [state, old].map(inputsOf) as [Properties, Properties];
  const told = Object.entries(outputs).map(
    ([name, value]) => [name, holdsSecret(before[name]) ? before[name] : value] as const,
  );
  if (op !== UPDATE) return Object.fromEntries(told);
  const [shared, staying] = [sharedLists(state.type), stayingLists(state.type)];
  const stays = (name: string): boolean =>
    shared.has(name) ? staying.has(name) : name !== "tagsAll" && !isGiven(before[name]);
  const set = Object.entries(inputs).filter(([, value]) => isGiven(value));
  return Object.fromEntries([...told.filter(([name]) => stays(name)), ...set]);
}

type Properties = Record<string, unknown>;

const inputsOf = ({ inputs }: EngineState): Properties => (isRecord(inputs) ? inputs : {});

function holdsSecret(value: unknown): boolean {
  const secrets = { count: 0 };
  engineValue(value, secrets);
  return secrets.count > 0;
}

/** The old state of a resource without the shared lists that stay, because the program no longer sets them. */
function withoutKeptLists({ op, newState }: Step, old: EngineState): EngineState {
  const lists = stayingLists(old.type);
  if (op !== UPDATE || lists.size === 0 || !isEngineState(newState)) return old;
  const inputs = newState instanceof MadeState ? newState.resource.inputs : inputsOf(newState);
  const without = (part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(
          Object.entries(part).filter(([name]) => !lists.has(name) || isGiven(inputs?.[name])),
        )
      : part;
  return { ...old, inputs: without(old.inputs), outputs: without(old.outputs) };
}

/**
 * Whether a step creates nothing, because its resource is not among the targets of a preview: the engine shows it as unchanged, with a
 * provider but without id and outputs, which a provider returns. Output of other programs may lack all three.
 */
const isSkipped = ({ op, oldState }: Step): boolean =>
  op === SAME &&
  isEngineState(oldState) &&
  oldState.custom === true &&
  oldState.provider !== undefined &&
  !("id" in oldState) &&
  !("outputs" in oldState);

/**
 * The new state of a step with the old one, if the step changes an object that is in the cluster, or replaces a HostedCluster, which
 * destroys it: only then are they compared. An object that is deleted first, or that gets another name or provider, is a new one.
 *
 * @param gone the URNs of what was deleted in an earlier step
 */
function withBefore(
  { op, urn }: Step,
  state: EngineState,
  old: EngineState,
  gone: ReadonlySet<string>,
): EngineState {
  if (op === READ || op === "read-replacement") return state;
  if (op !== REPLACE && op !== CREATE_REPLACEMENT) return { ...state, [BEFORE]: { state: old } };
  if (isHostedCluster(old.type) && !isRetained(old) && old.external !== true)
    return { ...state, [BEFORE]: { state: old, ...(!isPatch(old.type) && { isDestroyed: true }) } };
  const isSame = state.provider === old.provider && nameOf(state) === nameOf(old);
  return isSame && !gone.has(urn) ? { ...state, [BEFORE]: { state: old } } : state;
}

/** The namespace and name that a program sets. */
function nameOf(state: EngineState): string {
  const { metadata } = inputsOf(state);
  return isRecord(metadata) ? JSON.stringify([metadata.namespace ?? "", metadata.name]) : "";
}

/** Whether a step creates a replacement whose provider is compared with that of the old object. */
export const isProviderCompared = (op: unknown, type: string): boolean =>
  op === CREATE_REPLACEMENT && isKubernetes(type);

/**
 * Whether the replacement of a resource was created earlier, for objects by the same provider. The engine replaces all resources of a
 * replaced provider, which has another id and may be for another cluster.
 *
 * @param successors the providers of the replacements so far
 */
const hasSuccessor = ({ urn }: Step, old: EngineState, successors: ReadonlyMap<string, unknown>): boolean =>
  successors.has(urn) && (!isKubernetes(old.type) || successors.get(urn) === old.provider);

const isRetained = (state: unknown): boolean => isEngineState(state) && state.retainOnDelete === true;

/** Whether a step removes or changes what a resource wrote into a list of another one. */
const endsSharedEntries = (op: unknown, urn: string): boolean =>
  ENDING.has(op) && writesSharedList(typeInUrn(urn));

/** Whether a step may remove what other resources wrote into a list, because the program now sets it. */
const mayRevoke = (op: unknown, urn: string): boolean => op === UPDATE && hasSharedLists(typeInUrn(urn));

interface Step {
  op: string;
  urn: string;
  newState?: unknown;
  oldState?: unknown;
}

/** Reads the output of `pulumi preview --json`. */
export function readPreview(document: object, file: string): ReadPreview {
  const { steps = [], changeSummary: counts, diagnostics } = document as Record<string, unknown>;
  const entries: unknown[] = Array.isArray(steps) ? steps : [undefined];
  const failures = errorsOf(diagnostics);
  if (failures > 0)
    return fault(
      file,
      `is a preview that failed with ${plural(failures, "error")}: not all resources are in it`,
      "run pulumi preview and fix what it reports first",
    );
  const summary = changeSummary(counts);
  if (!summary || !entries.every(isStep))
    return fault(file, "is a damaged preview: steps or changeSummary are missing", "write it again");
  const ops = entries.map(({ op }) => op);
  const contradicted = contradictions(ops, summary);
  if (contradicted.length > 0)
    return fault(
      file,
      `is not a complete preview, because its steps contradict its changeSummary: ${contradicted.join(", ")}`,
      "give the output of pulumi preview --json unchanged, neither filtered nor joined with another preview",
    );
  const kept = new Map<string, EngineState>();
  const shown = new Set<string>();
  const former: EngineState[] = [];
  const letGo: EngineState[] = [];
  const updated: EngineState[] = [];
  const deletes = new Set<EngineState>();
  // Providers of replacements that are created before the old resource is deleted.
  const successors = new Map<string, unknown>();
  // Resources that are deleted in the cloud before their replacement is created.
  const gone = new Set<string>();
  const refreshes = ops.includes(REFRESH);
  let skipped = 0;
  for (const entry of entries) {
    const { op, urn, newState, oldState } = entry;
    // A resource that a refresh does not find is shown as deleted, without an earlier step.
    const isThere = !refreshes || shown.has(urn);
    shown.add(urn);
    if (isSkipped(entry)) {
      skipped++;
      continue;
    }
    if (isEngineState(oldState)) {
      if (LETTING_GO.has(op) && isThere) letGo.push(oldState);
      if (mayRevoke(op, urn)) updated.push(oldState);
      const isLast = op === "delete" || (op === DELETE_REPLACED && hasSuccessor(entry, oldState, successors));
      if (isLast && isThereOnce(oldState.type)) deletes.add(oldState);
      else if (endsSharedEntries(op, urn)) former.push(withoutKeptLists(entry, oldState));
    }
    if (op === CREATE_REPLACEMENT)
      successors.set(urn, isEngineState(newState) ? newState.provider : undefined);
    if (op === DELETE_REPLACED && !isRetained(oldState)) gone.add(urn);
    if (LAST.has(op)) kept.delete(urn);
    if (REMOVING.has(op)) continue;
    if (!isEngineState(newState)) return damaged(file, urn, "new");
    // A refresh covers everything in the state: successors, and what waits for its deletion, under one URN.
    if (!isStanding(newState)) continue;
    // Keeps old states only if rules need them, because most resources of large plans are of other types.
    const state = withKept(entry, newState);
    if (!hasImmutableFields(newState.type) || oldState === undefined || oldState === null)
      kept.set(urn, state);
    else if (isEngineState(oldState)) kept.set(urn, withBefore(entry, state, oldState, gone));
    else return damaged(file, urn, "old");
  }
  const { retained, gone: deletedInCloud } = fates(letGo);
  pushAll(
    former,
    deletedInCloud.filter(({ urn }) => writesSharedList(typeInUrn(urn))),
  );
  const leftOut = leftOutOf(ops, kept.size + skipped, summary);
  const states = [...kept.values()];
  pushAll(states, asOthers(notRevoked(retained, updated, kept, file), states));
  const deleted = deletedInCloud.filter((state) => deletes.has(state));
  return { preview: { states, former, deleted, shown, leftOut, skipped } };
}

/** Resources that the cloud keeps, without entries that the update of their holder revokes, because its program now sets the list. */
function notRevoked(
  retained: readonly EngineState[],
  updated: readonly EngineState[],
  states: ReadonlyMap<string, EngineState>,
  file: string,
): readonly EngineState[] {
  if (updated.length === 0 || !retained.some(({ type }) => writesSharedList(type))) return retained;
  const read = (state: EngineState) => stackResource(state, file, { count: 0 });
  const isRevoked = revokedBy(
    updated.map((old) => ({ before: read(old), sets: read(states.get(old.urn) ?? old) })),
  );
  return retained.filter((state) => !writesSharedList(state.type) || !isRevoked(read(state)));
}

/**
 * The number of unchanged resources that a preview leaves out. With --refresh, all resources of the state are shown first and
 * are not in the summary; the number of all remaining resources is compared instead.
 */
function leftOutOf(ops: readonly string[], kept: number, summary: ChangeSummary): number {
  const staying = Object.entries(summary).filter(([op]) => !REMOVING.has(op) && op !== REFRESH);
  const left = ops.includes(REFRESH)
    ? staying.reduce((sum, [, count]) => sum + count, 0) - kept
    : (summary.same ?? 0) - countOf(ops, "same");
  return Math.max(0, left);
}

/** The number of errors that the engine reports. Its messages are not repeated, because they may contain anything. */
const errorsOf = (diagnostics: unknown): number =>
  Array.isArray(diagnostics)
    ? diagnostics.filter((one) => isRecord(one) && one.severity === "error").length
    : 0;

const isStep = (value: unknown): value is Step =>
  isRecord(value) && typeof value.urn === "string" && typeof value.op === "string";

const damaged = (file: string, urn: string, which: "new" | "old"): ReadPreview =>
  fault(file, `is a damaged preview: ${urn} has no ${which} state that can be read`, "write it again");

const fault = (file: string, problem: string, remedy: string): ReadPreview => ({
  fault: { file, problem, remedy },
});

/** The number of steps of each kind in a preview, by the name of the kind. */
export type ChangeSummary = Readonly<Record<string, number>>;

/** How the shown steps of one kind must compare with those that the summary counts. */
type Comparison = (shown: number, counted: number) => boolean;

const equal: Comparison = (shown, counted) => shown === counted;
const noMore: Comparison = (shown, counted) => shown <= counted;
const noFewer: Comparison = (shown, counted) => shown >= counted;

/**
 * How shown and counted steps compare. The engine does not count parts of a replacement or refreshes, and counts reads only
 * if what was read has changed. It leaves out unchanged resources unless it is told to show them.
 */
const COMPARED: Readonly<Record<string, Comparison>> = {
  create: equal,
  update: equal,
  replace: equal,
  delete: equal,
  import: equal,
  discard: equal,
  read: noFewer,
  same: noMore,
};

/** A refresh that finds something changed or gone is shown as an update or a delete, but not counted as one. */
const COMPARED_WITH_REFRESH: Readonly<Record<string, Comparison>> = {
  ...COMPARED,
  update: noFewer,
  delete: noFewer,
};

const REFRESH = "refresh";

/** The change summary of a preview; undefined if the value is none. */
export function changeSummary(value: unknown): ChangeSummary | undefined {
  return isRecord(value) && Object.values(value).every(isCount) ? (value as ChangeSummary) : undefined;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Where a summary contradicts the steps: `create 3 by changeSummary and 2 by steps`. Such a preview was cut or joined from several. */
export function contradictions(ops: readonly string[], summary: ChangeSummary): string[] {
  const compared = ops.includes(REFRESH) ? COMPARED_WITH_REFRESH : COMPARED;
  return Object.entries(compared).flatMap(([op, agree]) => {
    const [shown, counted] = [countOf(ops, op), summary[op] ?? 0];
    return agree(shown, counted) ? [] : [`${op} ${counted} by changeSummary and ${shown} by steps`];
  });
}

export const countOf = (ops: readonly string[], op: string): number =>
  ops.reduce((sum, one) => sum + (one === op ? 1 : 0), 0);
