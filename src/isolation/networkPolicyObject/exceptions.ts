import { contains, readPrefix } from "../../address";
import type { Fault } from "../../fault";
import { entriesOf, type Place } from "../../resources/places";
import type { PropertyValue } from "../../resources/resource";

/** The API server takes an exception only where it is a part of its block, and not all of it. What is no block is nothing to this. */
export function exceptionFaults({ path, value }: Place, cidr: PropertyValue | undefined): Fault[] {
  const block = typeof cidr === "string" ? readPrefix(cidr) : undefined;
  if (!block) return [];
  return entriesOf(value).flatMap((entry, position) => {
    const inner = typeof entry === "string" ? readPrefix(entry) : undefined;
    if (!inner || (contains(block, inner) && inner.length > block.length)) return [];
    const problem = `${inner.text} is no part of ${block.text}`;
    const remedy = `write a smaller block inside ${block.text}, or leave it out`;
    return [{ path: `${path}[${position}]`, problem, remedy }];
  });
}
