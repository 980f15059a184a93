import { addressCount, type Family, type Prefix } from "../address";
import { subnetReservations } from "../requirements/limits";
import { infrastructureOf } from "../requirements/platforms";
import type { Platform } from "../requirements/vocabulary";

/** IPv4: the network's own and the broadcast address; IPv6: the anycast address of its routers. */
const ENDS: Readonly<Record<Family, number>> = { 4: 2, 6: 1 };

/** How many addresses of a subnet no machine can have. */
export function reservedIn(platform: Platform, family: Family): number {
  const kept = subnetReservations[infrastructureOf(platform)];
  return kept?.families.includes(family) ? kept.first + kept.last : ENDS[family];
}

/** How many machines a subnet has addresses for; both ends of a /31 are machines'. */
export function machineRoom(subnet: Prefix, platform: Platform): bigint {
  const count = addressCount(subnet);
  const reserved = BigInt(reservedIn(platform, subnet.family));
  if (count <= 2n) return count;
  return count > reserved ? count - reserved : 0n;
}
