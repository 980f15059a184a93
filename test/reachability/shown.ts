import {
  type AddressesOfNames,
  firewallRulesFilter,
  rulesOfFirewall,
} from "../../src/reachability/filters/egressFirewall";
import type { Filter } from "../../src/reachability/filters/filter";
import type { PacketSet } from "../../src/reachability/packets/packetSet";
import { blocksOf } from "../../src/reachability/packets/print";
import { describeServices } from "../../src/reachability/packets/service";
import type { Prefix } from "../../src/address";
import type { Resource } from "../../src/resources/resource";

/** One line per block: `TCP 443, TCP 6443 from 10.0.0.0/16 to 10.1.0.0/24, 10.2.0.0/24`. */
export const describePackets = (set: PacketSet): string[] =>
  blocksOf(set).map(
    ({ services, sources, destinations }) =>
      `${services.flatMap(describeServices).join(", ")} from ${sources.join(", ")} to ${destinations.join(", ")}`,
  );

/** The filter of an EgressFirewall object. */
export const egressFirewallFilter = (
  firewall: Resource,
  clusterNetwork: readonly Prefix[] | undefined,
  addressesOf?: AddressesOfNames,
): Filter => firewallRulesFilter(rulesOfFirewall(firewall), clusterNetwork, addressesOf);
