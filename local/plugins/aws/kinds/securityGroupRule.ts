import { refusal } from "../awsError";
import type { Call, Kind } from "../kind";
import {
  between,
  cidrsOf,
  flag,
  number,
  oneOf,
  orderedTexts,
  protocolName,
  region,
  text,
} from "../properties";
import {
  type Atom,
  atomKey,
  atomsOf,
  atomsOfPermissions,
  authorize,
  type Direction,
  revoke,
} from "./permissions";
import { describeGroup } from "./securityGroup";

export interface SecurityGroupRule {
  securityGroupId: string;
  type: string;
  protocol: string;
  fromPort: number;
  toPort: number;
  cidrBlocks?: string[];
  ipv6CidrBlocks?: string[];
  prefixListIds?: string[];
  sourceSecurityGroupId?: string;
  self?: boolean;
  description?: string;
  region?: string;
  securityGroupRuleId?: string;
}

const SOURCES = ["cidrBlocks", "ipv6CidrBlocks", "prefixListIds", "self", "sourceSecurityGroupId"] as const;

/** The classic form of a rule: several peers in one resource, identified by its properties instead of an EC2 id. */
export const securityGroupRule: Kind<SecurityGroupRule> = {
  token: "aws:ec2/securityGroupRule:SecurityGroupRule",
  properties: {
    securityGroupId: text({ required: true, replaces: true }),
    type: text({ required: true, replaces: true, check: oneOf("ingress", "egress") }),
    protocol: text({ required: true, replaces: true, normalize: protocolName }),
    fromPort: number({ required: true, replaces: true, check: between(-1, 65535) }),
    toPort: number({ required: true, replaces: true, check: between(-1, 65535) }),
    cidrBlocks: orderedTexts({ replaces: true, check: cidrsOf(4) }),
    ipv6CidrBlocks: orderedTexts({ replaces: true, check: cidrsOf(6) }),
    prefixListIds: orderedTexts({ replaces: true }),
    sourceSecurityGroupId: text({ computed: true, replaces: true }),
    self: flag({ replaces: true, default: false }),
    description: text(),
    region,
  },
  outputs: ["securityGroupRuleId"],
  faults(wanted) {
    const given = SOURCES.filter((name) =>
      Array.isArray(wanted[name]) ? wanted[name].length > 0 : wanted[name],
    );
    if (given.length === 0)
      return [{ property: "cidrBlocks", reason: `at least one of ${SOURCES.join(", ")} must be given` }];
    const exclusive = given.filter((name) => name === "self" || name === "sourceSecurityGroupId");
    const others = given.filter((name) => name === "cidrBlocks" || name === "ipv6CidrBlocks");
    return exclusive.length > 1 || (exclusive.length === 1 && others.length > 0)
      ? [
          {
            property: exclusive[0] ?? "self",
            reason: `conflicts with ${given.filter((name) => name !== exclusive[0]).join(", ")}`,
          },
        ]
      : [];
  },

  markedParent: ({ securityGroupId }) => securityGroupId,
  async findLost(call, wanted) {
    const there = new Set((await atomsOfGroup(call, wanted)).map(withoutDescription));
    return atomsOfRule(wanted).every((atom) => there.has(withoutDescription(atom)))
      ? idOf(wanted)
      : undefined;
  },

  async create(call, wanted) {
    const there = new Set((await atomsOfGroup(call, wanted)).map(withoutDescription));
    const twice = atomsOfRule(wanted).find((atom) => there.has(withoutDescription(atom)));
    if (twice) {
      throw refusal(
        "InvalidPermission.Duplicate",
        `the specified rule "peer: ${twice.peer || "self"}, ${twice.protocol}, from port: ${twice.fromPort}, to port: ${twice.toPort}" already exists`,
      );
    }
    await authorize(call.ec2, wanted.type as Direction, wanted.securityGroupId, atomsOfRule(wanted));
    return idOf(wanted);
  },

  async read(call, id, known) {
    const rule = known as SecurityGroupRule;
    if (rule.securityGroupId === undefined) {
      throw refusal(
        "InvalidId",
        `"${id}": a rule is imported as GROUP_TYPE_PROTOCOL_FROM_TO_SOURCE, for example sg-1_ingress_tcp_443_443_10.0.0.0/8`,
      );
    }
    const there = new Map((await atomsOfGroup(call, rule)).map((atom) => [withoutDescription(atom), atom]));
    const own = atomsOfRule(rule).map((atom) => there.get(withoutDescription(atom)));
    if (own.length === 0 || own.includes(undefined)) return undefined;
    const source = own.find((atom) => atom?.kind === "securityGroups");
    return {
      state: {
        securityGroupId: rule.securityGroupId,
        type: rule.type,
        protocol: protocolName(rule.protocol),
        fromPort: rule.fromPort,
        toPort: rule.toPort,
        cidrBlocks: rule.cidrBlocks ?? [],
        ipv6CidrBlocks: rule.ipv6CidrBlocks ?? [],
        prefixListIds: rule.prefixListIds ?? [],
        self: rule.self ?? false,
        sourceSecurityGroupId: source?.peer ?? "",
        description: own[0]?.description ?? "",
      },
    };
  },

  async settle({ ec2 }, _id, wanted, actual) {
    if ((wanted.description ?? "") === (actual.description ?? "")) return false;
    const direction = wanted.type as Direction;
    await revoke(
      ec2,
      direction,
      wanted.securityGroupId,
      atomsOfRule({ ...wanted, description: actual.description }),
    );
    await authorize(ec2, direction, wanted.securityGroupId, atomsOfRule(wanted));
    return true;
  },

  async remove(call, _id, state) {
    const there = new Map((await atomsOfGroup(call, state)).map((atom) => [withoutDescription(atom), atom]));
    const own = atomsOfRule(state).flatMap((atom) => there.get(withoutDescription(atom)) ?? []);
    await revoke(call.ec2, state.type as Direction, state.securityGroupId, own);
  },

  importId(id) {
    const [securityGroupId = "", type = "", protocol = "", from, to, ...sources] = id.split("_");
    if (sources.length === 0) return { known: {} };
    const known: SecurityGroupRule = {
      securityGroupId,
      type,
      protocol,
      fromPort: Number(from),
      toPort: Number(to),
      cidrBlocks: sources.filter((source) => source.includes(".") && !source.includes(":")),
      ipv6CidrBlocks: sources.filter((source) => source.includes(":")),
      prefixListIds: sources.filter((source) => source.startsWith("pl-")),
      sourceSecurityGroupId: sources.find((source) => source.includes("sg-")),
      self: sources.includes("self"),
    };
    return { known, id: idOf(known) };
  },
};

function atomsOfRule(rule: SecurityGroupRule): Atom[] {
  const { sourceSecurityGroupId } = rule;
  const own = sourceSecurityGroupId === rule.securityGroupId;
  return atomsOf({
    ...rule,
    self: (rule.self ?? false) || own,
    securityGroups: sourceSecurityGroupId && !own ? [sourceSecurityGroupId] : [],
  });
}

async function atomsOfGroup({ ec2 }: Call, rule: SecurityGroupRule): Promise<Atom[]> {
  const group = await describeGroup(ec2, rule.securityGroupId);
  const permissions = rule.type === "ingress" ? group?.IpPermissions : group?.IpPermissionsEgress;
  return atomsOfPermissions(permissions ?? [], rule.securityGroupId, group?.OwnerId);
}

const withoutDescription = (atom: Atom) => atomKey({ ...atom, description: "" });

/** Builds the id from the same parts as the official provider. */
function idOf(rule: SecurityGroupRule): string {
  const parts = atomsOfRule(rule).map(withoutDescription).sort();
  return `sgrule-${crc32([rule.securityGroupId, rule.type, ...parts].join("-"))}`;
}

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
