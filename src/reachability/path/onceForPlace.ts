import type { Direction, Role } from "../../requirements/vocabulary";

/** The same answer for each role and direction, found once: many journeys pass one place. */
export function onceForPlace<T>(
  find: (role: Role, direction: Direction) => T,
): (role: Role, direction: Direction) => T {
  const found = new Map<string, { value: T }>();
  return (role, direction) => {
    const place = `${role} ${direction}`;
    let known = found.get(place);
    if (!known) found.set(place, (known = { value: find(role, direction) }));
    return known.value;
  };
}
