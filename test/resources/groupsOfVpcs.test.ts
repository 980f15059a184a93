import { Role } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import {
  groupsTogether,
  isByController,
  isOwnedByCluster,
  ruleWeight,
  securityGroups,
  writtenAt,
} from "../../src/resources/securityGroups";
import { resource, tcp, vpc, type Properties } from "../rules/builders";

const [a, b] = [vpc("a", "10.0.0.0/16"), vpc("b", "10.1.0.0/16")];
const group = (name: string, vpcId: PropertyValue, more: Properties = {}) =>
  resource(TYPE.securityGroup, name, { id: `sg-${name}`, ...(vpcId !== null && { vpcId }), ...more });
const into = (name: string, vpcId: PropertyValue, direction = "ingress") =>
  group(name, vpcId, { [direction]: [{ ...tcp(443), securityGroups: ["sg-named"] }] });
const shared = (name: string) =>
  resource(TYPE.securityGroupVpcAssociation, `${name} shared`, {
    securityGroupId: `sg-${name}`,
    vpcId: "vpc-b",
  });
const peering = resource(TYPE.peering, "peering", { vpcId: "vpc-a", peerVpcId: "vpc-b" });
const peeringOf = (more: Properties, ...of: Properties[]) => [
  resource(TYPE.peering, "peering", { vpcId: "vpc-a", peerVpcId: "vpc-b", ...more }),
  ...of.map((properties, at) => resource(TYPE.vpc, "ab"[at]!, { id: `vpc-${"ab"[at]}`, ...properties })),
];
const named = group("named", "vpc-a");
const running = (one: Resource): Resource => ({ ...one, origin: { live: one.name } });

describe("a rule's reference to a security group", () => {
  const doubts = (...resources: Resource[]) =>
    securityGroups(new ResourceIndex(resources)).groups.flatMap(({ rules }) =>
      rules.flatMap(({ sources }) =>
        sources.map((source) =>
          "reason" in source && source.reason !== undefined ? source.reason : source.kind,
        ),
      ),
    );
  const WHY =
    "named is in VPC a, and EC2 accepts a reference to it in VPC b only with a peering of both VPCs in one region";
  const INBOUND = `${WHY} or a transit gateway with securityGroupReferencingSupport, which is not among the inputs`;
  const OUTBOUND = `${WHY}, which is not among the inputs`;

  test.each<[string, Resource[], string]>([
    ["is doubted if that group is in another VPC", [named, into("hosts", "vpc-b")], INBOUND],
    [
      "is doubted outbound, where only a peering allows it",
      [named, into("hosts", "vpc-b", "egress")],
      OUTBOUND,
    ],
    ["is accepted in the same VPC", [named, into("hosts", "vpc-a")], "group"],
    ["is accepted from a peered VPC", [named, into("hosts", "vpc-b"), peering], "group"],
    [
      "is accepted from a peered VPC in the same region",
      [named, into("hosts", "vpc-b"), ...peeringOf({ region: "eu-west-1", peerRegion: "eu-west-1" })],
      "group",
    ],
    [
      "is doubted from a VPC that is peered across regions",
      [named, into("hosts", "vpc-b"), ...peeringOf({ region: "eu-west-1", peerRegion: "eu-west-3" })],
      INBOUND,
    ],
    [
      "is doubted if the peered VPCs state different regions",
      [named, into("hosts", "vpc-b"), ...peeringOf({}, { region: "eu-west-1" }, { region: "eu-west-3" })],
      INBOUND,
    ],
    [
      "is doubted if the ARN of a peered VPC names another region",
      [
        named,
        into("hosts", "vpc-b"),
        ...peeringOf({ peerRegion: "eu-west-3" }, { arn: "arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-a" }),
      ],
      INBOUND,
    ],
    [
      "is accepted if only one region of the peering is known",
      [named, into("hosts", "vpc-b"), ...peeringOf({ peerRegion: "eu-west-3" })],
      "group",
    ],
    [
      "is accepted if the VPC of the referenced group is unknown",
      [group("named", UNKNOWN), into("hosts", "vpc-b")],
      "group",
    ],
    ["is accepted if the VPC of the referencing group is unknown", [named, into("hosts", null)], "group"],
    [
      "is accepted if the referenced group is associated with another VPC",
      [named, into("hosts", "vpc-b"), shared("named")],
      "group",
    ],
    [
      "is accepted if the referencing group is associated with another VPC",
      [named, into("hosts", "vpc-b"), shared("hosts")],
      "group",
    ],
    [
      "is accepted in a running group, because EC2 has accepted it",
      [named, running(into("hosts", "vpc-b"))],
      "group",
    ],
    ["is to a foreign group if that group is not among the inputs", [into("hosts", "vpc-b")], "foreignGroup"],
    [
      "is accepted if it is to the group itself",
      [group("named", "vpc-b", { ingress: [{ ...tcp(443), self: true }] })],
      "group",
    ],
  ])("%s", (_, resources, expected) => {
    const has = ({ name }: Resource) => resources.some((one) => one.name === name);
    expect(doubts(...[a, b].filter((one) => !has(one)), ...resources)).toEqual([expected]);
  });
});

describe("security groups of one role are judged together", () => {
  const together = (role: Role, ...resources: Resource[]) => {
    const index = new ResourceIndex([a, b, ...resources]);
    const groups = [...securityGroups(index).groups, { id: "sg-foreign", rules: [], ruleResources: [] }];
    return groupsTogether(
      index,
      role,
      resources.length > 0 ? groups.filter(({ resource: one, id }) => one || id) : [],
      (one) => one,
    ).map(({ vpc: where, own }) =>
      [where, ...own.map(({ resource: one, id }) => one?.name ?? id)].filter(Boolean).join(" "),
    );
  };
  const [one, other] = [group("one", "vpc-a"), group("other", "vpc-b")];

  test.each<[string, Role, Resource[], string[]]>([
    ["in one VPC", Role.Workers, [one, group("two", "vpc-a")], ["one two sg-foreign"]],
    [
      "separately for each VPC",
      Role.Workers,
      [one, other],
      ["VPC a one sg-foreign", "VPC b other sg-foreign"],
    ],
    [
      "including those that may be in any VPC",
      Role.ControlPlane,
      [one, other, group("some", UNKNOWN)],
      ["VPC a one some sg-foreign", "VPC b other some sg-foreign"],
    ],
    [
      "including those that are in several VPCs",
      Role.Workers,
      [one, other, group("both", "vpc-a"), shared("both")],
      ["VPC a one both sg-foreign", "VPC b other both sg-foreign"],
    ],
    [
      "across VPCs if they are private endpoints",
      Role.PrivateEndpoint,
      [one, other],
      ["one other sg-foreign"],
    ],
    ["not at all if there are none", Role.Workers, [], []],
  ])("%s", (_, role, resources, expected) => {
    expect(together(role, ...resources)).toEqual(expected);
  });
});

describe("a rule of a security group", () => {
  const rule = (description: PropertyValue) => resource(TYPE.ingressRule, "in", { description });

  test.each<[PropertyValue, boolean]>([
    ["kubernetes.io/rule/nlb/client=abc", true],
    ["elbv2.k8s.aws/targetGroupBinding=shared", true],
    ["see kubernetes.io/rule/nlb/", false],
    [UNKNOWN, false],
    [null, false],
  ])("with the description %p is managed by a controller: %s", (description, expected) => {
    expect(isByController({ resource: rule(description), path: "" })).toBe(expected);
    const list = group("hosts", "vpc-a", { ingress: [{}, { description }] });
    expect(isByController({ resource: list, path: "ingress[1]" })).toBe(expected);
    expect(isByController({ resource: list, path: "ingress[0]" })).toBe(false);
  });

  test("is found at its path in an inline list, and any other path means the whole resource", () => {
    const one = group("hosts", null, { ingress: [1, 2], egress: "all" });
    expect(["ingress[1]", "ingress[2]", "egress[0]"].map((path) => writtenAt(one, path))).toEqual([
      2,
      undefined,
      undefined,
    ]);
    for (const path of ["", "ingress", "tags[0].key", "x.ingress[0]"])
      expect(writtenAt(one, path)).toBe(one.properties);
  });
});

test.each<[string, Properties, boolean]>([
  ["its tag", { tags: { "kubernetes.io/cluster/tenant-a": "owned" } }, true],
  [
    "its tags merged with those of the provider",
    { tagsAll: { "kubernetes.io/cluster/tenant-a": "owned" } },
    true,
  ],
  ["no tag with the value shared", { tags: { "kubernetes.io/cluster/tenant-a": "shared" } }, false],
  ["no other tag", { tags: { "x-kubernetes.io/cluster/a": "owned" } }, false],
  ["no unknown tags", { tags: UNKNOWN }, false],
  ["no missing tag", {}, false],
])("a group belongs to the controllers of a cluster through %s", (_, properties, expected) => {
  expect(isOwnedByCluster(group("hosts", null, properties))).toBe(expected);
  expect(isOwnedByCluster(undefined)).toBe(false);
});

test("AWS counts a CIDR block in its family, a group in both, and a prefix list by its maximum number of entries", () => {
  const weights = (peer: Parameters<typeof ruleWeight>[0]) =>
    ([4, 6] as const).map((family) => ruleWeight(peer, family));
  expect(weights({ kind: "prefix", family: 4 })).toEqual([1, 0]);
  expect(weights({ kind: "prefix", family: 6 })).toEqual([0, 1]);
  expect(weights({ kind: "group" })).toEqual([1, 1]);
  expect(weights({ kind: "prefixList", maxEntries: 7 })).toEqual([7, 7]);
});
