import type { PendingOperation, World } from "./lane";

/** How a world differs from the expected one, one line per difference; a duplicate is an extra line. */
export function differences(found: World, wanted: World): string[] {
  return [
    ...(["network", "objects", "state"] as const).flatMap((part) => [
      ...without(found[part], wanted[part]).map((line) => `${part}: too many: ${line}`),
      ...without(wanted[part], found[part]).map((line) => `${part}: missing: ${line}`),
    ]),
    ...found.dangling.map((id) => `the state names ${id}, which is not there`),
    ...found.pending.filter(isOpen(found)).map(({ type, resource }) => `pending: ${type} ${resource.urn}`),
  ];
}

/**
 * The engine itself keeps the note that a create was cut off, until a refresh with `--clear-pending-creates`, and warns of
 * it; the note is settled when the resource is in the state. A note of anything else, or of what never came, is open.
 */
const isOpen =
  ({ state }: World) =>
  ({ type, resource }: PendingOperation): boolean =>
    type !== "creating" || !state.includes(resource.urn);

/** The lines that remain after each of the others is removed once. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...lines];
  for (const other of others) {
    const place = left.indexOf(other);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
