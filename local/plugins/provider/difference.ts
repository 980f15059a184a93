import type { DiffResult, PropertyDifference } from "./kind";
import { equal, hasUnknown, isMap, type Props, type Value } from "./values";

/** Options for comparing properties. */
export interface Comparison {
  /** Property paths, without list indices (`spec.ports.port`), whose change replaces the resource; paths below them do too. */
  replaceOn?: ReadonlySet<string>;
  /** Top-level names to ignore. */
  ignore?: ReadonlySet<string>;
  deleteBeforeReplace?: boolean;
}

/** Compares two sets of properties, one property at a time. A new value that is unknown counts as a change. */
export function compareProps(old: Props, wanted: Props, comparison: Comparison = {}): DiffResult {
  const found: Record<string, PropertyDifference> = {};
  for (const name of namesOf(old, wanted)) {
    if (comparison.ignore?.has(name)) continue;
    collect(found, name, name, old[name], wanted[name], comparison.replaceOn ?? new Set());
  }
  const replaces = Object.keys(found).filter((path) => found[path]?.replaces);
  return {
    changes: Object.keys(found).length > 0,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && (comparison.deleteBeforeReplace ?? false),
    detailedDiff: found,
  };
}

function collect(
  found: Record<string, PropertyDifference>,
  path: string,
  plainPath: string,
  old: Value,
  wanted: Value,
  replaceOn: ReadonlySet<string>,
): void {
  if (isMap(old) && isMap(wanted)) {
    for (const name of namesOf(old, wanted)) {
      collect(found, join(path, name), `${plainPath}.${name}`, old[name], wanted[name], replaceOn);
    }
    return;
  }
  if (Array.isArray(old) && Array.isArray(wanted)) {
    for (let index = 0; index < Math.max(old.length, wanted.length); index++) {
      collect(found, `${path}[${index}]`, plainPath, old[index], wanted[index], replaceOn);
    }
    return;
  }
  if (!hasUnknown(wanted) && equal(old ?? undefined, wanted ?? undefined)) return;
  found[path] = { change: changeOf(old, wanted), replaces: isUnder(plainPath, replaceOn) };
}

/** Appends a name to a property path in the engine's syntax: names with dots or brackets are quoted. */
export function join(path: string, name: string): string {
  return /^[^.[\]"]+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

function changeOf(old: Value, wanted: Value): PropertyDifference["change"] {
  if (old === undefined || old === null) return "add";
  return wanted === undefined || wanted === null ? "delete" : "update";
}

function isUnder(path: string, replaceOn: ReadonlySet<string>): boolean {
  return [...replaceOn].some((top) => path === top || path.startsWith(`${top}.`));
}

function namesOf(left: Props, right: Props): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])];
}

/** The preview of a create: the inputs, and unknown for each output that only the server knows. */
export function foreseen(inputs: Props, outputs: readonly string[], unknown: Value): Props {
  return { ...Object.fromEntries(outputs.map((name) => [name, unknown])), ...inputs };
}
