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

describe("that EC2 may not know a group which a rule names", () => {
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
  const INBOUND = `${WHY}, or a transit gateway with securityGroupReferencingSupport, which is not among the inputs`;
  const OUTBOUND = `${WHY} which is not among the inputs`;

  test.each<[string, Resource[], string]>([
    ["is said of one in another VPC", [named, into("hosts", "vpc-b")], INBOUND],
    ["which is a peering alone outbound", [named, into("hosts", "vpc-b", "egress")], OUTBOUND],
    ["is not said of one in the same VPC", [named, into("hosts", "vpc-a")], "group"],
    ["nor in one that is peered", [named, into("hosts", "vpc-b"), peering], "group"],
    [
      "nor in one of the same region that is peered",
      [named, into("hosts", "vpc-b"), ...peeringOf({ region: "eu-west-1", peerRegion: "eu-west-1" })],
      "group",
    ],
    [
      "but of one that is peered in another region",
      [named, into("hosts", "vpc-b"), ...peeringOf({ region: "eu-west-1", peerRegion: "eu-west-3" })],
      INBOUND,
    ],
    [
      "by the regions of the VPCs, too",
      [named, into("hosts", "vpc-b"), ...peeringOf({}, { region: "eu-west-1" }, { region: "eu-west-3" })],
      INBOUND,
    ],
    [
      "which its ARN says, too",
      [
        named,
        into("hosts", "vpc-b"),
        ...peeringOf({ peerRegion: "eu-west-3" }, { arn: "arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-a" }),
      ],
      INBOUND,
    ],
    [
      "not where only one region is said",
      [named, into("hosts", "vpc-b"), ...peeringOf({ peerRegion: "eu-west-3" })],
      "group",
    ],
    ["nor where it is not known in which it is", [group("named", UNKNOWN), into("hosts", "vpc-b")], "group"],
    ["nor where it is not known for which that is", [named, into("hosts", null)], "group"],
    ["nor where it is in further VPCs", [named, into("hosts", "vpc-b"), shared("named")], "group"],
    ["nor where the other one is", [named, into("hosts", "vpc-b"), shared("hosts")], "group"],
    ["nor of what runs: EC2 has taken it", [named, running(into("hosts", "vpc-b"))], "group"],
    ["nor of one that is not here", [into("hosts", "vpc-b")], "foreignGroup"],
    ["nor of itself", [group("named", "vpc-b", { ingress: [{ ...tcp(443), self: true }] })], "group"],
  ])("%s", (_, resources, expected) => {
    const has = ({ name }: Resource) => resources.some((one) => one.name === name);
    expect(doubts(...[a, b].filter((one) => !has(one)), ...resources)).toEqual([expected]);
  });
});

describe("groups of hosts of one role are judged together", () => {
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
    ["VPC by VPC", Role.Workers, [one, other], ["VPC a one sg-foreign", "VPC b other sg-foreign"]],
    [
      "with those that may be in any",
      Role.ControlPlane,
      [one, other, group("some", UNKNOWN)],
      ["VPC a one some sg-foreign", "VPC b other some sg-foreign"],
    ],
    [
      "with those that are in several",
      Role.Workers,
      [one, other, group("both", "vpc-a"), shared("both")],
      ["VPC a one both sg-foreign", "VPC b other both sg-foreign"],
    ],
    [
      "all, where they are endpoints for different callers",
      Role.PrivateEndpoint,
      [one, other],
      ["one other sg-foreign"],
    ],
    ["not at all, where there is none", Role.Workers, [], []],
  ])("%s", (_, role, resources, expected) => {
    expect(together(role, ...resources)).toEqual(expected);
  });
});

describe("a rule is a controller's", () => {
  const rule = (description: PropertyValue) => resource(TYPE.ingressRule, "in", { description });

  test.each<[PropertyValue, boolean]>([
    ["kubernetes.io/rule/nlb/client=abc", true],
    ["elbv2.k8s.aws/targetGroupBinding=shared", true],
    ["see kubernetes.io/rule/nlb/", false],
    [UNKNOWN, false],
    [null, false],
  ])("by its description %p: %s", (description, expected) => {
    expect(isByController({ resource: rule(description), path: "" })).toBe(expected);
    const list = group("hosts", "vpc-a", { ingress: [{}, { description }] });
    expect(isByController({ resource: list, path: "ingress[1]" })).toBe(expected);
    expect(isByController({ resource: list, path: "ingress[0]" })).toBe(false);
  });

  test("at its place", () => {
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
  ["its tags with those of the provider", { tagsAll: { "kubernetes.io/cluster/tenant-a": "owned" } }, true],
  ["not one that is shared", { tags: { "kubernetes.io/cluster/tenant-a": "shared" } }, false],
  ["not another one", { tags: { "x-kubernetes.io/cluster/a": "owned" } }, false],
  ["not what is not known", { tags: UNKNOWN }, false],
  ["not none", {}, false],
])("a group belongs to the controllers of a cluster by %s", (_, properties, expected) => {
  expect(isOwnedByCluster(group("hosts", null, properties))).toBe(expected);
  expect(isOwnedByCluster(undefined)).toBe(false);
});

test("AWS counts a block in its family, a group in both, and a prefix list as often as it may have entries", () => {
  const weights = (peer: Parameters<typeof ruleWeight>[0]) =>
    ([4, 6] as const).map((family) => ruleWeight(peer, family));
  expect(weights({ kind: "prefix", family: 4 })).toEqual([1, 0]);
  expect(weights({ kind: "prefix", family: 6 })).toEqual([0, 1]);
  expect(weights({ kind: "group" })).toEqual([1, 1]);
  expect(weights({ kind: "prefixList", maxEntries: 7 })).toEqual([7, 7]);
});
