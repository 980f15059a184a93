import { contains, equal, readPrefix } from "../../address";

/** Whether two texts say the same block. */
export function sameValue(a: string, b: string): boolean {
  const [one, other] = [readPrefix(a), readPrefix(b)];
  return one && other ? equal(one, other) : a === b;
}

/** Whether an address, with a mask or without, lies in a subnet. */
export function liesIn(address: string, subnet: string): boolean {
  const [host = ""] = address.split("/");
  const outer = readPrefix(subnet);
  const inner = readPrefix(`${host}/${host.includes(":") ? 128 : 32}`);
  return outer !== undefined && inner !== undefined && contains(outer, inner);
}
