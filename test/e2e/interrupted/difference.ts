import type { PendingOperation, World } from "./lane";

/** In what a world is other than it ought to be, each difference a line; a duplicate is a line too many. */
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

/** The lines that remain when each of the others was taken away once. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...lines];
  for (const other of others) {
    const place = left.indexOf(other);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
