import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  type EC2Client,
  type IpPermission,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from "@aws-sdk/client-ec2";

import { refusal } from "../awsError";
import type { Properties } from "../kind";
import { between, cidrsOf, flag, number, protocolName, text, texts } from "../properties";

export type Direction = "ingress" | "egress";

/** A rule as it is inline in a group: one port range, any number of peers. */
export interface InlineRule {
  protocol: string;
  fromPort: number;
  toPort: number;
  cidrBlocks?: string[];
  ipv6CidrBlocks?: string[];
  prefixListIds?: string[];
  securityGroups?: string[];
  self?: boolean;
  description?: string;
}

export const inlineRule: Properties = {
  protocol: text({ required: true, normalize: protocolName }),
  fromPort: number({ required: true, check: between(-1, 65535) }),
  toPort: number({ required: true, check: between(-1, 65535) }),
  cidrBlocks: texts({ check: cidrsOf(4) }),
  ipv6CidrBlocks: texts({ check: cidrsOf(6) }),
  prefixListIds: texts(),
  securityGroups: texts(),
  self: flag({ default: false }),
  description: text({ default: "" }),
};

/** A rule in EC2's form: one peer. */
export interface Atom {
  protocol: string;
  fromPort: number;
  toPort: number;
  kind: "cidrBlocks" | "ipv6CidrBlocks" | "prefixListIds" | "securityGroups" | "self";
  peer: string;
  description: string;
}

const LISTS = ["cidrBlocks", "ipv6CidrBlocks", "prefixListIds", "securityGroups"] as const;

export const atomKey = (atom: Atom): string => JSON.stringify(Object.entries(atom).sort());

/** Splits a rule into one rule for each peer. */
export function atomsOf(rule: InlineRule): Atom[] {
  const protocol = protocolName(rule.protocol);
  const ports =
    protocol === "-1" ? { fromPort: 0, toPort: 0 } : { fromPort: rule.fromPort, toPort: rule.toPort };
  const shared = { protocol, ...ports, description: rule.description ?? "" };
  const listed = LISTS.flatMap((kind) => (rule[kind] ?? []).map((peer): Atom => ({ ...shared, kind, peer })));
  return rule.self ? [...listed, { ...shared, kind: "self", peer: "" }] : listed;
}

/** Splits the permissions of a group as EC2 reports them. */
export function atomsOfPermissions(permissions: IpPermission[], groupId: string, ownerId?: string): Atom[] {
  return permissions.flatMap((permission) => {
    const protocol = protocolName(permission.IpProtocol ?? "-1");
    const any = protocol === "-1";
    const shared = {
      protocol,
      fromPort: any ? 0 : (permission.FromPort ?? -1),
      toPort: any ? 0 : (permission.ToPort ?? -1),
    };
    const atom = (kind: Atom["kind"], peer: string | undefined, description: string | undefined): Atom => ({
      ...shared,
      kind,
      peer: peer ?? "",
      description: description ?? "",
    });
    return [
      ...(permission.IpRanges ?? []).map((range) => atom("cidrBlocks", range.CidrIp, range.Description)),
      ...(permission.Ipv6Ranges ?? []).map((range) =>
        atom("ipv6CidrBlocks", range.CidrIpv6, range.Description),
      ),
      ...(permission.PrefixListIds ?? []).map((list) =>
        atom("prefixListIds", list.PrefixListId, list.Description),
      ),
      ...(permission.UserIdGroupPairs ?? []).map((pair) =>
        pair.GroupId === groupId
          ? atom("self", "", pair.Description)
          : atom("securityGroups", foreignGroup(pair.GroupId, pair.UserId, ownerId), pair.Description),
      ),
    ];
  });
}

/** A group of another account is written `account/group`. */
export const foreignGroup = (
  group: string | undefined,
  user: string | undefined,
  owner: string | undefined,
) => (user && owner && user !== owner ? `${user}/${group}` : group);

/** Reassembles rules: first as the program wrote them, if all their parts exist; the rest by common fields. */
export function assemble(atoms: Atom[], written: InlineRule[]): InlineRule[] {
  const left = new Map(atoms.map((atom) => [atomKey(atom), atom]));
  const complete = written.filter((rule) => {
    const keys = atomsOf(rule).map(atomKey);
    if (keys.length === 0 || !keys.every((key) => left.has(key))) return false;
    keys.forEach((key) => left.delete(key));
    return true;
  });
  const groups = new Map<string, InlineRule>();
  for (const { kind, peer, ...shared } of left.values()) {
    const key = JSON.stringify(shared);
    const rule = groups.get(key) ?? { ...shared, self: false };
    if (kind === "self") rule.self = true;
    else rule[kind] = [...(rule[kind] ?? []), peer].sort();
    groups.set(key, rule);
  }
  return [...complete, ...groups.values()].map((rule) => ({
    protocol: protocolName(rule.protocol),
    fromPort: rule.fromPort,
    toPort: rule.toPort,
    cidrBlocks: rule.cidrBlocks ?? [],
    ipv6CidrBlocks: rule.ipv6CidrBlocks ?? [],
    prefixListIds: rule.prefixListIds ?? [],
    securityGroups: rule.securityGroups ?? [],
    self: rule.self ?? false,
    description: rule.description ?? "",
  }));
}

function permission(atom: Atom, groupId: string): IpPermission {
  const Description = atom.description || undefined;
  const [user, group] = atom.peer.includes("/") ? atom.peer.split("/") : [undefined, atom.peer];
  const peers: Record<Atom["kind"], Partial<IpPermission>> = {
    cidrBlocks: { IpRanges: [{ CidrIp: atom.peer, Description }] },
    ipv6CidrBlocks: { Ipv6Ranges: [{ CidrIpv6: atom.peer, Description }] },
    prefixListIds: { PrefixListIds: [{ PrefixListId: atom.peer, Description }] },
    securityGroups: { UserIdGroupPairs: [{ GroupId: group, UserId: user, Description }] },
    self: { UserIdGroupPairs: [{ GroupId: groupId, Description }] },
  };
  return { IpProtocol: atom.protocol, ...portsOf(atom), ...peers[atom.kind] };
}

const portsOf = ({ protocol, fromPort, toPort }: Atom) =>
  protocol === "-1" ? {} : { FromPort: fromPort, ToPort: toPort };

export async function authorize(
  ec2: EC2Client,
  direction: Direction,
  groupId: string,
  atoms: Atom[],
): Promise<void> {
  atoms.forEach((atom) => refusePortRange(atom.protocol, atom.fromPort, atom.toPort));
  if (atoms.length === 0) return;
  const request = { GroupId: groupId, IpPermissions: atoms.map((atom) => permission(atom, groupId)) };
  if (direction === "ingress") await ec2.send(new AuthorizeSecurityGroupIngressCommand(request));
  else await ec2.send(new AuthorizeSecurityGroupEgressCommand(request));
}

export async function revoke(
  ec2: EC2Client,
  direction: Direction,
  groupId: string,
  atoms: Atom[],
): Promise<void> {
  if (atoms.length === 0) return;
  const request = { GroupId: groupId, IpPermissions: atoms.map((atom) => permission(atom, groupId)) };
  if (direction === "ingress") await ec2.send(new RevokeSecurityGroupIngressCommand(request));
  else await ec2.send(new RevokeSecurityGroupEgressCommand(request));
}

/** EC2 rejects such a range; its local substitute allows it. */
export function refusePortRange(protocol: string, from: number | undefined, to: number | undefined): void {
  if (!["tcp", "udp"].includes(protocolName(protocol))) return;
  if (from === undefined || to === undefined) {
    throw refusal(
      "InvalidParameterValue",
      `Invalid value for portRange. Must specify both from and to ports with TCP/UDP.`,
    );
  }
  if (from < 0 || to > 65535 || from > to) {
    throw refusal(
      "InvalidParameterValue",
      `Invalid value for portRange: ${from}-${to}. The first port must not exceed the last.`,
    );
  }
}
