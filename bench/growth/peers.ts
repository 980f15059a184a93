import type { JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import { TYPE } from "../../src/resources/resourceTypes";
import { block24, cluster, type Dimension, host, readBy, resource, upTo } from "./dimension";
import { acl, group, HOME, resources, tags, tcp, UNSAID } from "./parts";

const on = readBy(["check", "prove", "report", "pack"], 250);
/** A group with that many inbound rules. */
const ingress = (title: string, rule: (place: number) => JsonObject): Dimension =>
  on(title, (count) => ({ resources: [cluster(), group("sg-1", { ingress: upTo(count, rule) })] }));
const list = (name: string, cidrs: readonly string[]): FuzzedResource =>
  resource(TYPE.prefixList, name, { entries: cidrs.map((cidr) => ({ cidr })) });
const hosts = (count: number): string[] => upTo(count, (place) => host(2 * place));
const aclOf = (title: string, rule: (place: number) => JsonObject): Dimension =>
  on(title, (count) => ({ resources: [cluster(), acl("acl-1", { ingress: upTo(count, rule) })] }));
const allow = (place: number, more: JsonObject = {}): JsonObject => ({
  ruleNo: place + 1,
  protocol: "tcp",
  action: "allow",
  cidrBlock: block24(place),
  fromPort: 6443,
  toPort: 6443,
  ...more,
});
const EVERYTHING: JsonObject = {
  action: "deny",
  protocol: "-1",
  cidrBlock: "0.0.0.0/0",
  fromPort: 0,
  toPort: 0,
};

/** Peers of rules in security groups and network ACLs. */
export const PEERS: Readonly<Record<string, Dimension>> = {
  "rules-for-everybody": ingress("rules that open a restricted port to everybody", (place) =>
    tcp(22, "0.0.0.0/0", 22 + place),
  ),
  "rules-beside-everybody": on("rules beside one that opens their port to everybody", (count) => ({
    resources: [
      cluster(),
      group("sg-1", { ingress: [tcp(22, "0.0.0.0/0"), ...upTo(count, (place) => tcp(22, block24(place)))] }),
    ],
  })),
  "blocks-of-everybody": on("blocks inside one for everybody", (count) => ({
    resources: [cluster(), group("sg-1", { ingress: [tcp(22, ["0.0.0.0/0", ...upTo(count, block24)])] })],
  })),
  "port-ranges": ingress("ranges of ports inside each other", (place) =>
    tcp(1 + (place % 30_000), block24(place), 60_000 - (place % 30_000)),
  ),
  "every-protocol": ingress("rules for every protocol", (place) => ({
    ...tcp(0, host(2 * place)),
    protocol: "-1",
  })),
  "icmp-rules": ingress("rules for ICMP", (place) => ({
    ...tcp(place % 40, host(2 * place), -1),
    protocol: "icmp",
  })),
  "ipv6-rules": ingress("rules for IPv6", (place) => ({
    ...tcp(6443),
    ipv6CidrBlocks: [`2001:db8:${(place >> 12).toString(16)}:${(place & 4_095).toString(16)}::/64`],
  })),
  "unreadable-blocks": ingress("rules with blocks that cannot be read", (place) =>
    tcp(6443, `10.0.${place}.0/300`),
  ),
  "unknown-blocks": ingress("rules with unknown blocks", () => tcp(6443, UNSAID)),
  "unknown-ports": ingress("rules with unknown ports", (place) => ({
    ...tcp(0, block24(place)),
    fromPort: UNSAID,
    toPort: UNSAID,
  })),
  "foreign-groups": on("groups of other stacks in a rule", (count) => ({
    resources: [
      cluster(),
      group("sg-1", {
        ingress: [{ ...tcp(6443), securityGroups: upTo(count, (place) => `sg-f${place}`) }],
      }),
    ],
  })),
  "rules-for-foreign-groups": {
    ...ingress("rules for groups of other stacks", (place) => ({
      ...tcp(1 + place),
      securityGroups: [`sg-f${place}`],
    })),
    commands: ["check", "prove", "report", "diff", "pack"],
  },
  "rules-for-workers": on("groups of workers, each named by a rule", (count) => ({
    resources: [
      cluster(),
      group("sg-1", {
        ingress: upTo(count, (place) => ({ ...tcp(6443), securityGroups: [`sg-w${place}`] })),
      }),
      ...upTo(count, (place) => group(`sg-w${place}`, { ingress: [] }, "workers")),
    ],
  })),
  "lists-of-a-rule": on("prefix lists of a rule", (count) => ({
    resources: [
      cluster(),
      ...upTo(count, (place) => list(`pl-${place}`, [block24(place)])),
      group("sg-1", {
        ingress: [{ ...tcp(6443), prefixListIds: upTo(count, (place) => `pl-${place}`) }],
      }),
    ],
  })),
  "list-of-clusters": on(
    "prefix list x clusters that name it",
    (count) => ({
      resources: [
        list("pl-1", hosts(count)),
        ...upTo(count, (place) => [
          cluster(place),
          resource(TYPE.securityGroup, `sg-${place}`, {
            tags: tags("control-plane", place),
            ingress: [{ ...tcp(6443), prefixListIds: ["pl-1"] }],
          }),
        ]).flat(),
      ],
    }),
    { from: 25 },
  ),
  "entries-of-unknown-lists": on("entries whose prefix list is unknown", (count) => ({
    resources: [
      cluster(),
      list("pl-1", []),
      ...upTo(count, (place) =>
        resource(TYPE.prefixListEntry, `entry-${place}`, { prefixListId: UNSAID, cidr: block24(place) }),
      ),
      group("sg-1", { ingress: [{ ...tcp(6443), prefixListIds: ["pl-1"] }] }),
    ],
  })),
  "acl-rules-of-one-number": aclOf("rules of a network ACL with one number", (place) =>
    allow(place, { ruleNo: 100 }),
  ),
  "acl-rules-behind-all": aclOf("rules of a network ACL behind one that takes everything", (place) =>
    allow(place, place === 0 ? EVERYTHING : {}),
  ),
  "acl-rules-of-unknown-acls": on("rules whose network ACL is unknown", (count) => ({
    resources: [
      cluster(),
      acl("acl-1", { ingress: [] }),
      ...upTo(count, (place) => {
        const { ruleNo, ...rule } = allow(place);
        return resource(TYPE.networkAclRule, `rule-${place}`, {
          ...rule,
          networkAclId: UNSAID,
          ruleNumber: ruleNo!,
          ruleAction: "deny",
          egress: false,
        });
      }),
    ],
  })),
  "acl-subnets": on("subnets of a network ACL", (count) => ({
    resources: [
      cluster(),
      HOME,
      acl("acl-1", { subnetIds: upTo(count, (place) => `subnet-${place}`), ingress: [] }),
      ...upTo(count, (place) =>
        resource(TYPE.subnet, `subnet-${place}`, { vpcId: "vpc-home", cidrBlock: host(place) }),
      ),
    ],
  })),
  "acl-associations": on("network ACLs with a subnet each", (count) =>
    resources(
      count,
      (place) => [
        acl(`acl-${place}`, { ingress: [] }),
        resource(TYPE.subnet, `subnet-${place}`, { vpcId: "vpc-home", cidrBlock: host(place) }),
        resource(TYPE.networkAclAssociation, `association-${place}`, {
          networkAclId: `acl-${place}`,
          subnetId: `subnet-${place}`,
        }),
      ],
      cluster(),
      HOME,
    ),
  ),
};
