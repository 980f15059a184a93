import { readPrefix, type Family } from "../../address";
import { AWS_NETWORK_ACLS, at, describeReference } from "../../requirements/documents";
import { Direction, Protocol, type Role } from "../../requirements/vocabulary";
import { PATH_MTU } from "../../reachability/path";
import type { Declared } from "../../components/hostRules/rulePurpose";
import { familiesOf, type AclRule } from "./aclRule";

const EVERYWHERE = { 4: readPrefix("0.0.0.0/0")!, 6: readPrefix("::/0")! } as const;

/** Families, each of which some rule names with a block. */
function usedBy(rules: readonly AclRule[]): Family[] {
  const blocks = rules.filter(({ peer }) => peer.kind === "prefix");
  return ([4, 6] as const).filter((family) => blocks.some((rule) => familiesOf(rule).includes(family)));
}

/**
 * Path MTU discovery, both ways, for the families of these rules: without the message that a packet was too big, large
 * packets of connections vanish. Any router on the way sends it, so its source may be anywhere.
 */
export function pathMtuRules(role: Role, rules: readonly AclRule[]): AclRule[] {
  return usedBy(rules).flatMap((family) =>
    Object.values(Direction).map((direction) => ({
      role,
      direction,
      protocol: Protocol.Icmp,
      tooBig: true as const,
      peer: { kind: "prefix" as const, prefix: EVERYWHERE[family] },
      flows: [`${role}/${direction}/path-mtu`],
      requirements: [],
      views: [],
      purposes: ["Routers say that a packet was too big: path MTU discovery"],
      documents: [describeReference(at(AWS_NETWORK_ACLS, "Path MTU Discovery"))],
      notes: [],
    })),
  );
}

/** The same messages as packets. */
export const pathMtuPackets = (role: Role): Declared[] =>
  Object.values(Direction).map((direction) => ({ role, direction, packets: () => PATH_MTU }));
