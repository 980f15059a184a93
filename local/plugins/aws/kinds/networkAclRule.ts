import { createHash } from "node:crypto";

import { refusal } from "../awsError";
import type { Call, Kind, Value } from "../kind";
import { between, flag, ipv4Cidr, ipv6Cidr, number, oneOf, region, text } from "../properties";
import {
  type AclEntry,
  createEntry,
  deleteEntry,
  describeAcl,
  entryOf,
  isIcmp,
  protocolNumber,
} from "./aclEntries";

export interface NetworkAclRule {
  networkAclId: string;
  ruleNumber: number;
  egress?: boolean;
  protocol: string;
  ruleAction: string;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  fromPort?: number;
  toPort?: number;
  icmpType?: number;
  icmpCode?: number;
  region?: string;
}

const lowerCase = (value: string) => value.toLowerCase();

export const networkAclRule: Kind<NetworkAclRule> = {
  token: "aws:ec2/networkAclRule:NetworkAclRule",
  properties: {
    networkAclId: text({ required: true, replaces: true }),
    ruleNumber: number({ required: true, replaces: true, check: between(1, 32766) }),
    egress: flag({ default: false, replaces: true }),
    protocol: text({ required: true, replaces: true, normalize: protocolNumber }),
    ruleAction: text({
      required: true,
      replaces: true,
      normalize: lowerCase,
      check: (value: string) => oneOf("allow", "deny")(value.toLowerCase()),
    }),
    cidrBlock: text({ replaces: true, check: ipv4Cidr }),
    ipv6CidrBlock: text({ replaces: true, check: ipv6Cidr }),
    fromPort: number({ replaces: true, check: between(0, 65535), normalize: zeroIsNothing }),
    toPort: number({ replaces: true, check: between(0, 65535), normalize: zeroIsNothing }),
    icmpType: number({ replaces: true, normalize: zeroIsNothing }),
    icmpCode: number({ replaces: true, normalize: zeroIsNothing }),
    region,
  },
  outputs: [],
  faults: ({ cidrBlock, ipv6CidrBlock }) =>
    (cidrBlock === undefined) === (ipv6CidrBlock === undefined)
      ? [{ property: "cidrBlock", reason: "exactly one of cidrBlock, ipv6CidrBlock must be given" }]
      : [],
  // A list has only one rule for each number. The official provider does not set `deleteBeforeReplace` either: a program that keeps a
  // number through a replacement must set it.

  markedParent: ({ networkAclId }) => networkAclId,
  async findLost(call, wanted) {
    const there = await find(call, wanted);
    const own =
      there &&
      protocolNumber(wanted.protocol) === there.protocol &&
      wanted.ruleAction.toLowerCase() === there.action;
    return own ? idOf(wanted) : undefined;
  },

  async create(call, wanted) {
    // EC2 rejects a second rule with the same number; its local substitute may not.
    if (await find(call, wanted)) {
      throw refusal(
        "NetworkAclEntryAlreadyExists",
        `The network acl entry identified by ${wanted.ruleNumber} already exists.`,
      );
    }
    await createEntry(call.ec2, wanted.networkAclId, entry(wanted));
    return idOf(wanted);
  },

  async read(call, _id, known) {
    if (known.networkAclId === undefined) return undefined;
    const found = await find(call, known as NetworkAclRule);
    if (found === undefined) return undefined;
    const { action, ...rest } = found;
    return {
      state: {
        ...rest,
        ...messagesOf(found, known),
        ruleAction: action,
        networkAclId: known.networkAclId,
        cidrBlock: found.cidrBlock || undefined,
      },
    };
  },

  async remove(call, _id, state) {
    if (await find(call, state)) await deleteEntry(call.ec2, state.networkAclId, entry(state));
  },

  /** `ACL:NUMBER:PROTOCOL:EGRESS`. */
  importId(id) {
    const [networkAclId = "", ruleNumber, protocol = "", egress] = id.split(":");
    const known = { networkAclId, ruleNumber: Number(ruleNumber), protocol, egress: egress === "true" };
    return { known, id: idOf(known) };
  },
};

function zeroIsNothing(value: Value): Value {
  return value === 0 ? undefined : value;
}

/** The type and code of an ICMP rule. EC2 always returns them; its local substitute accepts them but does not. */
function messagesOf(found: AclEntry, known: Partial<NetworkAclRule>): Partial<NetworkAclRule> {
  if (!isIcmp(found.protocol) || found.icmpType !== undefined) return {};
  return { icmpType: known.icmpType, icmpCode: known.icmpCode };
}

const entry = (rule: NetworkAclRule): AclEntry => ({
  ...rule,
  egress: rule.egress ?? false,
  action: rule.ruleAction.toLowerCase(),
});

async function find({ ec2 }: Call, rule: NetworkAclRule): Promise<AclEntry | undefined> {
  const acl = await describeAcl(ec2, rule.networkAclId);
  return acl?.Entries?.map(entryOf).find(
    (candidate) => candidate.ruleNumber === rule.ruleNumber && candidate.egress === (rule.egress ?? false),
  );
}

function idOf(rule: Omit<NetworkAclRule, "ruleAction">): string {
  const text = `${rule.networkAclId}-${rule.ruleNumber}-${rule.egress ?? false}-${protocolNumber(rule.protocol)}`;
  return `nacl-${createHash("sha256").update(text).digest().readUInt32BE(0)}`;
}
