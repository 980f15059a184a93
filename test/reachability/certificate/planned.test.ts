import { checkCertificate } from "../../../src/reachability/certificate/check";
import { plannedResources } from "../../../src/reachability/certificate/certificate";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { pinned, said } from "../path/clusters";
import { certificate } from "./claims";

const resource = (type: string, properties: Record<string, PropertyValue>): Resource => ({
  origin: { urn: "urn:it" },
  type,
  name: "it",
  properties,
});
const https: [number, number] = [6 * 65_536 + 443, 6 * 65_536 + 443];
const packets = [{ services: [https], sources: ["10.0.0.0/16"], destinations: ["0.0.0.0/0", "::/0"] }];
/** Checks the claim that this rule allows HTTPS from 10.0.0.0/16. */
const check = (one: Resource, path: string) =>
  checkCertificate(
    certificate(packets, [{ rule: { urn: "urn:it", path }, packets }]),
    plannedResources([one]).plan,
  );

/** A rule without a block whose peer has an ID that the plan does not know. */
const onlyNaming = (key: string): Record<string, PropertyValue> => ({ cidrIpv4: null, [key]: UNKNOWN });

/** The same claim, where the certificate assumes these addresses for the group or list that the rule names. */
const checkNaming = (one: Resource, path: string, peers: string[][] = []) => {
  const rules = [{ rule: { urn: "urn:it", path }, peers, assumed: ["10.0.0.0/16"], packets }];
  return checkCertificate(certificate(packets, rules), plannedResources([one]).plan);
};

const rule = { protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/16"] };
const peer = { ipBlock: { cidr: "10.0.0.0/16" } };
const port = { protocol: "TCP", port: 443 };
const group = (one: PropertyValue) => resource(TYPE.securityGroup, { ingress: [one] });
const split = (more: Record<string, PropertyValue>) =>
  resource(TYPE.ingressRule, {
    securityGroupId: "sg-1",
    ipProtocol: "tcp",
    fromPort: 443,
    toPort: 443,
    cidrIpv4: "10.0.0.0/16",
    ...more,
  });
const planned = (...ingress: PropertyValue[]) =>
  resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", { spec: { ingress } });
/** A policy that a cluster has stored: its rules are read in every form. */
const policy = (one: PropertyValue): Resource => ({ ...planned(one), isRead: true });

test("known rules support claims about them", () => {
  expect(check(group({ ...rule, description: UNKNOWN }), "ingress[0]")).toEqual([]);
  expect(check(group({ ...rule, cidrBlocks: [UNKNOWN, "10.0.0.0/16"] }), "ingress[0]")).toEqual([]);
  const unplaced = split({ securityGroupId: UNKNOWN });
  expect(check({ ...unplaced, propertyDependencies: { securityGroupId: ["urn:acl"] } }, "")).toHaveLength(1);
  expect(check(unplaced, "")).toHaveLength(1);
  const groups = ["urn:securityGroup:SecurityGroup::it", "urn:vpc:Vpc::it"];
  const placed = { ...unplaced, propertyDependencies: { securityGroupId: groups } };
  const rules = [{ rule: { urn: "urn:it", path: "" }, holder: groups.slice(0, 1), packets }];
  expect(checkCertificate(certificate(packets, rules), plannedResources([placed]).plan)).toEqual([]);
  expect(check(policy({ from: [peer], ports: [port] }), "spec.ingress[0]")).toEqual([]);
});

test("a policy that the API server refuses supports no claim", () => {
  const allowing = { from: [peer], ports: [port] };
  expect(check(planned(allowing), "spec.ingress[0]")).toEqual([]);
  expect(check(planned(allowing, { ports: [{ port: UNKNOWN }] }), "spec.ingress[0]")).toEqual([]);
  expect(check(planned(allowing, { ports: [{ port: 0 }] }), "spec.ingress[0]")).toEqual([
    expect.stringMatching(
      /urn:it is not in force: spec.ingress\[1\].ports\[0\].port: the API server refuses the policy$/,
    ),
  ]);
});

test("known peers and ports support claims, even next to unknown ones", () => {
  const peers: PropertyValue = [UNKNOWN, peer, { ipBlock: { cidr: UNKNOWN } }];
  const ports: PropertyValue = [{ protocol: "TCP", port: UNKNOWN }, port];
  expect(check(policy({ from: peers, ports }), "spec.ingress[0]")).toEqual([]);
  const protocols: PropertyValue = [{ tcp: { destinationPort: { number: 443 } } }, UNKNOWN];
  expect(check(policy({ action: "Accept", from: [peer], protocols }), "spec.ingress[0]")).toEqual([]);
  expect(check(policy({ from: [], ports: [] }), "spec.ingress[0]")).toEqual([]);
});

test("a deny rule of an egress firewall with an unknown port becomes an unknown rule", () => {
  const to = { cidrSelector: "10.0.0.0/16" };
  const allow = { type: "Allow", to, ports: [port] };
  const deny: PropertyValue = { type: "Deny", to, ports: [{ protocol: "TCP", port: 80 }, UNKNOWN] };
  const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", { spec: { egress: [deny, allow] } });
  expect(plannedResources([firewall]).plan[0]?.properties).toEqual({ spec: { egress: [null, allow] } });
});

test("an egress firewall that only the release of its hosted cluster refuses is not in force", () => {
  const refused = (release: string, namespace = "web") => {
    const topology = said({ platform: "None", services: pinned, release });
    const egress: PropertyValue = [{ type: "Deny", to: { nodeSelector: {} } }];
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", {
      metadata: { name: "default", namespace },
      spec: { egress },
    });
    const index = new ResourceIndex([firewall]);
    return plannedResources([firewall], { index, topology }).plan[0]?.refused;
  };
  expect(refused("4.12")).toMatch(
    /^spec.egress\[0\].to.nodeSelector: .*: the API server refuses the object$/,
  );
  expect(refused("4.13")).toBeUndefined();
  expect(refused("4.12", "clusters-tenant-a")).toBeUndefined();
});

test.each<[string, Resource, string]>([
  ["protocol of a security group's inline rule", group({ ...rule, protocol: UNKNOWN }), "ingress[0]"],
  ["port of a security group's inline rule", group({ ...rule, fromPort: UNKNOWN }), "ingress[0]"],
  ["blocks of a security group's inline rule", group({ ...rule, cidrBlocks: UNKNOWN }), "ingress[0]"],
  ["inline rule of a security group", group(UNKNOWN), "ingress[0]"],
  ["protocol of a rule resource", split({ ipProtocol: UNKNOWN }), ""],
  ["port of a rule resource", split({ toPort: UNKNOWN }), ""],
  ["block of a rule resource", split({ cidrIpv4: UNKNOWN }), ""],
  ["peers of a policy", policy({ from: UNKNOWN, ports: [port] }), "spec.ingress[0]"],
  ["peer of a policy", policy({ from: [UNKNOWN], ports: [port] }), "spec.ingress[0]"],
  ["block of a policy", policy({ from: [{ ipBlock: { cidr: UNKNOWN } }], ports: [port] }), "spec.ingress[0]"],
  [
    "protocols of a ClusterNetworkPolicy",
    policy({ action: "Accept", from: [peer], protocols: UNKNOWN }),
    "spec.ingress[0]",
  ],
  ["ports of a policy", policy({ from: [peer], ports: UNKNOWN }), "spec.ingress[0]"],
  [
    "port of a policy",
    policy({ from: [peer], ports: [{ protocol: "TCP", port: UNKNOWN }] }),
    "spec.ingress[0]",
  ],
])("a rule supports no claim if the plan does not know a value of it: %s", (_, one, path) => {
  expect(check(one, path)).not.toEqual([]);
});

test.each<[string, Resource, string]>([
  ["security group", split(onlyNaming("referencedSecurityGroupId")), "referencedSecurityGroupId"],
  ["prefix list", split(onlyNaming("prefixListId")), "prefixListId"],
  [
    "security groups of an inline rule",
    group({ protocol: "tcp", fromPort: 443, toPort: 443, securityGroups: [UNKNOWN] }),
    "ingress",
  ],
])(
  "a rule supports a claim even if a preview does not know the ID of its peer: %s",
  (kind, one, property) => {
    const path = property === "ingress" ? "ingress[0]" : "";
    const urn = `urn:aws:${kind === "prefix list" ? "ManagedPrefixList" : "SecurityGroup"}::other`;
    const madeFrom = (...urns: string[]) => ({ ...one, propertyDependencies: { [property]: urns } });
    expect(checkNaming(madeFrom(urn, "urn:aws:Subnet::other"), path, [[urn, "id-1"]])).toEqual([]);
    expect(checkNaming(madeFrom(urn), path, [["urn:third"]])).toHaveLength(1);
    expect(checkNaming(madeFrom(urn, `${urn}s`), path, [[urn]])).toHaveLength(1);
    expect(checkNaming(madeFrom(), path, [[urn]])).toHaveLength(1);
    // Not given is not the same as not known yet.
    const given = {
      ...madeFrom(urn),
      properties: { ...split({ cidrIpv4: null }).properties, [property]: null },
    };
    expect(checkNaming(given, path, [[urn]])).toHaveLength(1);
  },
);

test("rules of a policy support claims if its rules of the other direction are not known", () => {
  const rules: Record<string, PropertyValue> = {
    ingress: [{ from: [peer], ports: [port] }],
    egress: UNKNOWN,
  };
  const one = (spec: Record<string, PropertyValue>) =>
    resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", { spec });
  expect(check(one(rules), "spec.ingress[0]")).toEqual([]);
  expect(check(one({ ...rules, policyTypes: ["Ingress", "Egress"] }), "spec.ingress[0]")).toEqual([]);
  expect(check(one({ ...rules, policyTypes: ["Egress"] }), "spec.ingress[0]")).toHaveLength(1);
  expect(check(one({ ...rules, policyTypes: [UNKNOWN] }), "spec.ingress[0]")).toHaveLength(1);
  const properties: Record<string, PropertyValue> = { metadata: { namespace: UNKNOWN }, spec: rules };
  expect(check({ ...one(rules), properties }, "spec.ingress[0]")).toHaveLength(1);
  const unknownEgress = resource(TYPE.securityGroup, { ingress: [rule], egress: UNKNOWN });
  expect(check(unknownEgress, "ingress[0]")).toEqual([]);
});

test("a list of all rules that a program only reads removes no rule", () => {
  const listing = { ...resource(TYPE.rulesExclusive, { securityGroupId: "sg-1", ingressRuleIds: UNKNOWN }) };
  const plan = (more: object) =>
    plannedResources([split({}), { ...listing, origin: { urn: "urn:list" }, ...more }]).plan;
  const rules = [{ rule: { urn: "urn:it", path: "" }, packets }];
  expect(checkCertificate(certificate(packets, rules), plan({}))).toHaveLength(1);
  expect(checkCertificate(certificate(packets, rules), plan({ isRead: true }))).toEqual([]);
});

test("the blocks that a load balancer allows are read from the HostedCluster that lists them", () => {
  const listing = (...allowedCIDRBlocks: PropertyValue[]) =>
    resource("kubernetes:hypershift.openshift.io/v1beta1:HostedCluster", {
      spec: { networking: { apiServer: { allowedCIDRBlocks } } },
    });
  const path = "spec.networking.apiServer.allowedCIDRBlocks";
  expect(check(listing("198.51.100.7/32", "10.0.0.0/8"), path)).toEqual([]);
  expect(check(listing("10.0.0.0/17"), path)).toHaveLength(1);
  expect(check(listing(UNKNOWN), path)).toHaveLength(1);
  expect(check(listing(UNKNOWN, "10.0.0.0/8"), path)).toEqual([]);
  expect(check(group({ ...rule }), path)).toHaveLength(1);
});

describe("the blocks that a HostedCluster lists beside a patch", () => {
  const HOSTED = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
  const path = "spec.networking.apiServer.allowedCIDRBlocks";
  const of = (type: string, urn: string, spec: PropertyValue): Resource => ({
    ...resource(type, { metadata: { name: "a" }, spec }),
    origin: { urn },
  });
  const faults = (spec: PropertyValue, patch: PropertyValue) =>
    checkCertificate(
      certificate(packets, [{ rule: { urn: "urn:it", path }, packets }]),
      plannedResources([of(HOSTED, "urn:it", spec), of(`${HOSTED}Patch`, "urn:patch", patch)]).plan,
    );
  const listing = (allowedCIDRBlocks: PropertyValue): PropertyValue => ({
    networking: { apiServer: { allowedCIDRBlocks } },
  });
  const own = listing(["10.0.0.0/8"]);

  test.each<[string, PropertyValue]>([
    ["the list", listing(UNKNOWN)],
    ["what is around the list", { networking: { apiServer: UNKNOWN } }],
    ["everything", UNKNOWN],
  ])("support no claim if it sets %s to an unknown value", (_, patch) => {
    expect(faults(own, patch)).toEqual([`j, g, calls: urn:patch has no rule ${path}`]);
  });

  test.each<[string, PropertyValue]>([
    ["no list", { networking: {} }],
    ["an empty list", listing([])],
    ["null", listing(null)],
    ["the same list", own],
  ])("support a claim if it states %s", (_, patch) => {
    expect(faults(own, patch)).toEqual([]);
  });

  test("are no rule if neither lists any", () => {
    expect(faults({}, { networking: {} })).toEqual([`j, g, calls: urn:it has no rule ${path}`]);
  });
});

test("a rule with an unknown block names no peer, so an assumption does not help", () => {
  expect(checkNaming(split({ cidrIpv4: UNKNOWN }), "")).not.toEqual([]);
});

test("paths of rules stay the same if a rule before them is unknown", () => {
  const beside = resource(TYPE.securityGroup, { egress: [UNKNOWN], ingress: [rule] });
  expect(plannedResources([beside]).plan[0]?.properties).toEqual({ egress: [null], ingress: [rule] });
  const two = resource(TYPE.securityGroup, { ingress: [UNKNOWN, { ...rule, protocol: UNKNOWN }, rule] });
  expect(check(two, "ingress[2]")).toEqual([]);
});

test("unknown descriptions and tags do not affect the rules of a resource", () => {
  const one = resource(TYPE.securityGroup, { description: UNKNOWN, tags: { a: UNKNOWN }, ingress: [rule] });
  expect(check(one, "ingress[0]")).toEqual([]);
  const [planned] = plannedResources([one]).plan;
  expect(planned).toEqual({
    urn: "urn:it",
    type: TYPE.securityGroup,
    properties: { tags: {}, ingress: [rule] },
  });
});

test("a doubtful resource in a file is named by its file and line", () => {
  const unknown: Resource = {
    ...resource(TYPE.networkAcl, { ingress: [UNKNOWN], egress: [] }),
    origin: { file: "acl.yaml", line: 3 },
  };
  expect(plannedResources([unknown]).doubtful).toEqual([
    "acl.yaml:3 may deny some packets: the plan does not know its rules yet",
  ]);
});

test("a network ACL is doubtful if unknown rules of it may deny", () => {
  const doubts = (type: string, properties: Record<string, PropertyValue>) =>
    plannedResources([resource(type, properties)]).doubtful;
  const deny = { ruleNumber: 50, ruleAction: "deny", protocol: "tcp", cidrBlock: "10.0.0.0/8" };
  const inline = { ruleNo: 50, action: "deny", protocol: "tcp", cidrBlock: "10.0.0.0/8" };
  const said = ["urn:it may deny some packets: the plan does not know its rules yet"];
  expect(doubts(TYPE.networkAclRule, { ...deny, ruleNumber: UNKNOWN })).toEqual(said);
  expect(doubts(TYPE.networkAclRule, { ...deny, cidrBlock: UNKNOWN })).toEqual(said);
  expect(doubts(TYPE.networkAclRule, { ...deny, ruleAction: UNKNOWN })).toEqual(said);
  expect(doubts(TYPE.networkAclRule, { ...deny, egress: UNKNOWN })).toEqual(said);
  expect(doubts(TYPE.networkAcl, { ingress: UNKNOWN })).toEqual(said);
  expect(doubts(TYPE.networkAcl, { egress: [UNKNOWN] })).toEqual(said);
  expect(doubts(TYPE.networkAcl, { egress: [{ ...inline, protocol: UNKNOWN }] })).toEqual(said);
  expect(doubts(TYPE.networkAcl, { ingress: [inline], tags: UNKNOWN })).toEqual([]);
  expect(doubts(TYPE.networkAcl, { ingress: [inline, UNKNOWN, inline] })).toEqual(said);
  // A rule resource has no list of rules: its `ingress` is not a rule.
  expect(doubts(TYPE.networkAclRule, { ...deny, ingress: UNKNOWN })).toEqual([]);
  expect(doubts(TYPE.networkAclRule, { ...deny, ipv6CidrBlock: UNKNOWN })).toEqual(said);
  expect(doubts(TYPE.networkAclRule, deny)).toEqual([]);
  expect(doubts(TYPE.networkAclRule, { ...deny, ruleAction: "allow", ruleNumber: UNKNOWN })).toEqual([]);
  expect(doubts(TYPE.securityGroup, { ingress: UNKNOWN })).toEqual([]);
});

describe("rules of a network ACL whose ID a preview does not know", () => {
  const made = (
    name: string,
    type: string,
    properties: Record<string, PropertyValue>,
    acl?: string,
  ): Resource => ({
    origin: { urn: `urn:${name}` },
    type,
    name,
    properties,
    ...(acl !== undefined && { propertyDependencies: { networkAclId: [`urn:${acl}`] } }),
  });
  const entry: Record<string, PropertyValue> = {
    networkAclId: UNKNOWN,
    egress: false,
    protocol: "tcp",
    fromPort: 443,
    toPort: 443,
  };
  const own = (name: string, ruleNumber: number, ruleAction: string, acl: string) =>
    made(name, TYPE.networkAclRule, { ...entry, ruleNumber, ruleAction, cidrBlock: "10.0.0.0/16" }, acl);
  const plan = (...more: Resource[]) =>
    plannedResources([
      made("acl", TYPE.networkAcl, {}),
      made("other", TYPE.networkAcl, {}),
      own("it", 100, "allow", "acl"),
      split({}),
      ...more,
    ]).plan;
  const checked = (...more: Resource[]) => {
    const rules = [{ rule: { urn: "urn:it", path: "" }, packets }];
    return checkCertificate(
      certificate(packets, rules),
      plan(...more).filter(({ urn, type }) => urn !== "urn:it" || type === TYPE.networkAclRule),
    );
  };

  test("support claims", () => {
    expect(checked()).toEqual([]);
  });

  test("support no claim if a rule before them in the same ACL denies", () => {
    expect(checked(own("deny", 10, "deny", "acl"))).toHaveLength(1);
    expect(checked(own("deny", 10, "deny", "other"))).toEqual([]);
  });

  test("support no claim if a deny rule may belong to any ACL", () => {
    const { propertyDependencies: _, ...stray } = own("deny", 10, "deny", "acl");
    expect(checked(stray)).toHaveLength(1);
    const either = { networkAclId: ["urn:acl", "urn:other"] };
    expect(checked({ ...stray, propertyDependencies: either })).toHaveLength(1);
    expect(checked({ ...stray, properties: { ...stray.properties, networkAclId: "acl-9" } })).toEqual([]);
  });

  test("are judged together with the inline rules of their own ACL", () => {
    const inline = { ruleNo: 10, action: "deny", protocol: "tcp", cidrBlock: "10.0.0.0/16" };
    const deny = { ...inline, fromPort: 443, toPort: 443 };
    const holding = (name: string) => made(name, TYPE.networkAcl, { ingress: [deny] });
    expect(checked(holding("acl"))).toHaveLength(1);
    expect(checked(holding("third"))).toEqual([]);
  });
});

test("an ACL and its rules keep the ID that the plan knows", () => {
  const acl = resource(TYPE.networkAcl, { id: "acl-1" });
  const rule: Resource = {
    ...resource(TYPE.networkAclRule, { networkAclId: "acl-1" }),
    propertyDependencies: { networkAclId: ["urn:it"] },
  };
  expect(plannedResources([acl, rule]).plan.map(({ properties }) => properties)).toEqual([
    { id: "acl-1" },
    { networkAclId: "acl-1" },
  ]);
});
