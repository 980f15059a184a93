import type { JsonObject } from "../../local/fuzz/json";
import { TYPE } from "../../src/resources/resourceTypes";
import {
  besideCluster,
  block24,
  cluster,
  type Command,
  type Dimension,
  host,
  ON_PLANS,
  resource,
  upTo,
} from "./dimension";
import { acl, group, tags, tcp } from "./parts";

const COMMANDS: readonly Command[] = [...ON_PLANS, "explain", "certificate", "check-certificate"];

/** Application ports, none of which a hosted cluster needs. */
const port = (place: number): number => 32_768 + (place % 30_000);

const one = (properties: (count: number) => JsonObject): Dimension["make"] => {
  const make = (count: number) => ({ resources: [cluster(), group("sg-1", properties(count))] });
  return make;
};
const aclRule = (place: number, action: string): JsonObject => ({
  ruleNo: place + 1,
  protocol: "tcp",
  action,
  cidrBlock: block24(place),
  fromPort: port(place),
  toPort: port(place),
});
const OPEN = group("sg-1", { ingress: [{ ...tcp(0, "0.0.0.0/0"), protocol: "-1" }] });

/** Security groups, network ACLs and prefix lists. */
export const GROUPS: Readonly<Record<string, Dimension>> = {
  "group-rules": {
    title: "rules of one security group",
    from: 1_000,
    commands: COMMANDS,
    explained: "sg-1",
    make: one((count) => ({ ingress: upTo(count, (place) => tcp(port(place), block24(place))) })),
  },
  "group-rules-at-one-port": {
    title: "rules of one security group at the API server's port",
    from: 1_000,
    commands: COMMANDS,
    explained: "sg-1",
    make: one((count) => ({ ingress: upTo(count, (place) => tcp(6443, host(2 * place))) })),
  },
  "group-rules-that-overlap": {
    title: "rules of one security group that overlap",
    from: 1_000,
    // Blocks of a larger number lie outside 11.0.0.0/8, so those rules would not overlap.
    upTo: 64_000,
    commands: COMMANDS,
    explained: "sg-1",
    make: one((count) => ({
      ingress: upTo(count, (place) => ({
        ...tcp(1, place % 2 === 0 ? block24(place) : "11.0.0.0/8"),
        toPort: 1 + (place % 60_000),
      })),
    })),
  },
  "egress-rules": {
    title: "egress rules of one security group",
    from: 1_000,
    make: (count) => ({
      resources: [
        cluster(),
        group("sg-1", { egress: upTo(count, (place) => tcp(port(place), block24(place))) }, "workers"),
      ],
    }),
  },
  "rules-of-their-own": {
    title: "rules of one security group as resources of their own",
    from: 1_000,
    commands: COMMANDS,
    explained: "sg-1",
    make: (count) => ({
      resources: [
        cluster(),
        group("sg-1", {}),
        ...upTo(count, (place) =>
          resource(TYPE.ingressRule, `sgr-${place}`, {
            securityGroupId: "sg-1",
            ipProtocol: "tcp",
            fromPort: port(place),
            toPort: port(place),
            cidrIpv4: block24(place),
          }),
        ),
      ],
    }),
  },
  "blocks-of-a-rule": {
    title: "blocks of one rule of a security group",
    from: 1_000,
    commands: COMMANDS,
    explained: "sg-1",
    make: one((count) => ({
      ingress: [
        tcp(
          6443,
          upTo(count, (place) => host(2 * place)),
        ),
      ],
    })),
  },
  groups: {
    title: "security groups of a cluster",
    from: 500,
    commands: COMMANDS,
    explained: "sg-0",
    make: besideCluster((place) => group(`sg-${place}`, { ingress: [tcp(port(place), block24(place))] })),
  },
  "groups-by-others": {
    title: "rules that name other security groups",
    from: 500,
    make: besideCluster((place, count) =>
      group(`sg-${place}`, {
        ingress: [{ ...tcp(6443), securityGroups: [`sg-${(place + 1) % count}`] }],
      }),
    ),
  },
  "groups-without-cluster": {
    title: "security groups of no cluster",
    from: 2_000,
    make: besideCluster((place) =>
      resource(TYPE.securityGroup, `sg-${place}`, { ingress: [tcp(port(place), block24(place))] }),
    ),
  },
  clusters: {
    title: "hosted clusters with a security group each",
    from: 20,
    commands: [...COMMANDS, "plan", "flows"],
    explained: "sg-0",
    make: (count) => ({
      resources: upTo(count, (place) => [
        cluster(place),
        resource(TYPE.securityGroup, `sg-${place}`, {
          tags: tags("control-plane", place),
          ingress: [tcp(6443, "10.0.0.0/8")],
        }),
      ]).flat(),
    }),
  },
  "list-and-rules": {
    title: "prefix list x rules",
    from: 125,
    make: (count) => ({
      resources: [
        cluster(),
        resource(TYPE.prefixList, "pl-1", { entries: upTo(count, (place) => ({ cidr: host(2 * place) })) }),
        group("sg-1", {
          ingress: upTo(count, (place) => ({ ...tcp(port(place)), prefixListIds: ["pl-1"] })),
        }),
      ],
    }),
  },
  "list-entries": {
    title: "entries of a prefix list",
    from: 1_000,
    make: (count) => ({
      resources: [
        cluster(),
        resource(TYPE.prefixList, "pl-1", { entries: [] }),
        ...upTo(count, (place) =>
          resource(TYPE.prefixListEntry, `entry-${place}`, { prefixListId: "pl-1", cidr: host(2 * place) }),
        ),
        group("sg-1", { ingress: [{ ...tcp(6443), prefixListIds: ["pl-1"] }] }),
      ],
    }),
  },
  lists: {
    title: "prefix lists with a rule each",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) =>
          resource(TYPE.prefixList, `pl-${place}`, { entries: [{ cidr: block24(place) }] }),
        ),
        group("sg-1", {
          ingress: upTo(count, (place) => ({
            ...tcp(port(place)),
            cidrBlocks: [],
            prefixListIds: [`pl-${place}`],
          })),
        }),
      ],
    }),
  },
  "acl-rules": {
    title: "rules of a network ACL",
    from: 500,
    // For more rules, writing a certificate before checking it takes more than a minute.
    upTo: 128_000,
    commands: COMMANDS,
    explained: "acl-1",
    make: (count) => ({
      resources: [
        cluster(),
        OPEN,
        acl("acl-1", { ingress: upTo(count, (place) => aclRule(place, place % 2 === 0 ? "deny" : "allow")) }),
      ],
    }),
  },
  "acl-rules-of-their-own": {
    title: "rules of a network ACL as resources of their own",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        OPEN,
        acl("acl-1", {}),
        ...upTo(count, (place) => {
          const { ruleNo, action, ...rest } = aclRule(place, place % 2 === 0 ? "deny" : "allow");
          return resource(TYPE.networkAclRule, `rule-${place}`, {
            networkAclId: "acl-1",
            egress: false,
            ruleNumber: ruleNo!,
            ruleAction: action!,
            ...rest,
          });
        }),
      ],
    }),
  },
  acls: {
    title: "network ACLs",
    from: 250,
    make: (count) => ({
      resources: [
        cluster(),
        OPEN,
        ...upTo(count, (place) =>
          resource(TYPE.networkAcl, `acl-${place}`, {
            tags: tags("control-plane"),
            ingress: [aclRule(place, "allow")],
          }),
        ),
      ],
    }),
  },
};
