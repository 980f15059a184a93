import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../fault";
import { Claims } from "./claims";

const addresses = new Claims<readonly string[]>("source addresses outside the cluster network");

/** Faults for source addresses that another component of the program has given out. */
export function takenAddressFaults(
  component: pulumi.Resource,
  subject: string,
  path: string,
  own: readonly string[],
): Fault[] {
  const others = addresses.take(component, subject, own);
  return own.flatMap((address) => {
    const other = others.find(({ what }) => what.includes(address));
    if (!other) return [];
    return [{ path, problem: `${address} is in use by ${other.subject}`, remedy: "choose another address" }];
  });
}
