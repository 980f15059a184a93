import { Protocol } from "../../src/requirements/vocabulary";
import type { Network } from "./network";

/** The parts of a cluster whose subnets have their own network ACL; VPC endpoints are in the workers' subnets. */
export const ACLS = ["workers", "balancer", "hosts"] as const;
export type AclName = (typeof ACLS)[number];

/** Number of ACL entries in each direction; the default quota of EC2 is 20. */
export const ENTRIES = 12;

/** An entry as the provider writes it. */
export interface AclEntry {
  action: "allow" | "deny";
  cidrBlock?: string;
  fromPort: number;
  ipv6CidrBlock?: string;
  protocol: string;
  ruleNo: number;
  toPort: number;
}

/** Ports of services and ephemeral ports of clients. */
const PORTS = { from: 1_024, to: 65_535 };

/** The blocks that subnets exchange packets with, in both directions because ACLs are stateless. */
const peersOf = (network: Network): Record<AclName, readonly string[]> => ({
  workers: [...network.controlPlane, ...network.workers],
  balancer: [...network.endpoint, ...network.controlPlane],
  hosts: [...network.workers, ...network.balancer],
});

/** The entries of an ACL in one direction: most allow flows, some deny them, and some have the not yet known block `unknown`. */
export function entriesOf(name: AclName, network: Network, unknown: string, next: () => number): AclEntry[] {
  const allowed = peersOf(network)[name].flatMap((cidr) =>
    [Protocol.Tcp, Protocol.Udp].map((protocol) => entry("allow", protocol, PORTS, cidr)),
  );
  const denied = Array.from({ length: ENTRIES - allowed.length }, () => {
    const from = next() % 1_024;
    return entry("deny", Protocol.Tcp, { from, to: from }, "0.0.0.0/0");
  });
  if (next() % 20 === 0) denied[0] = entry("deny", Protocol.Tcp, { from: 1_024, to: 1_151 }, "0.0.0.0/0");
  if (next() % 20 === 1) denied[1] = entry("deny", Protocol.Udp, PORTS, unknown);
  return [...denied, ...allowed].map((one, position) => ({ ...one, ruleNo: 100 + 10 * position }));
}

const entry = (
  action: AclEntry["action"],
  protocol: Protocol,
  { from, to }: { from: number; to: number },
  cidr: string,
): AclEntry => ({
  action,
  ...(cidr.includes(":") ? { ipv6CidrBlock: cidr } : { cidrBlock: cidr }),
  fromPort: from,
  protocol: protocol.toLowerCase(),
  ruleNo: 0,
  toPort: to,
});
