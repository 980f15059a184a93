import { journeys } from "../../../src/flows/journeys";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { hostExcess } from "../../../src/reachability/path/excess";
import { Role } from "../../../src/requirements/vocabulary";
import { Proof } from "../../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "./clusters";
import { isolatedPlan } from "./plan";

const topology = said({ platform: "None", services: pinned });
const plan = isolatedPlan(topology);
const urn = (name: string) => `urn:pulumi:test::network::${name}`;
const resource = (
  type: string,
  name: string,
  properties: Record<string, PropertyValue>,
  more: Partial<Resource> = {},
): Resource => ({ origin: { urn: urn(name) }, type: `aws:ec2/${type}`, name, properties, ...more });
const entry = (ruleNo: number, fromPort: number, toPort: number, action = "allow") => ({
  ruleNo,
  protocol: "tcp",
  action,
  cidrBlock: "0.0.0.0/0",
  fromPort,
  toPort,
});
const https = { ingress: [entry(100, 443, 443)], egress: [entry(100, 443, 443)] };
const everyPort = { ingress: [entry(100, 0, 65_535)], egress: [entry(100, 0, 65_535)] };
const acl = (properties: Record<string, PropertyValue>, more?: Partial<Resource>) =>
  resource("networkAcl:NetworkAcl", "acl", properties, more);
const tags = (role: string, cluster = "tenant-a") => ({
  "hypershift-network/role": role,
  "hypershift-network/cluster": cluster,
});
const subnet = (properties: Record<string, PropertyValue>, name = "subnet") =>
  resource("subnet:Subnet", name, { id: `subnet-${name}`, vpcId: "vpc-1", ...properties });
const association = (properties: Record<string, PropertyValue>) =>
  resource("networkAclAssociation:NetworkAclAssociation", "association", properties);

/** The verdict on workers' calls to konnectivity, whose node port is open in every group. */
function konnectivity(...resources: Resource[]) {
  const guards = planGuards(new ResourceIndex([...plan, ...resources]), topology);
  const journey = journeys(topology).find(({ key }) => key === "workers-konnectivity")!;
  const judged = judgeJourney(journey, guards);
  const values = judged.guards.flatMap(({ verdict }) =>
    verdict.proof === Proof.Unknown ? verdict.values.map(({ path, reason }) => reason ?? path) : [],
  );
  return [judged.proof, ...new Set(values)];
}

describe("a network ACL without the security groups of its hosts", () => {
  const withoutGroups = (...resources: Resource[]) => {
    const others = plan.filter(({ type }) => !type.includes("ecurityGroup"));
    const guards = planGuards(new ResourceIndex([...others, ...resources]), topology);
    const judged = journeys(topology)
      .filter(({ hops }) => hops.some(({ kind }) => kind === "hosts"))
      .map((journey) => judgeJourney(journey, guards));
    return [Proof.Proved, Proof.Refuted].map((wanted) => judged.some(({ proof }) => proof === wanted));
  };

  test("proves nothing, because it can only close", () => {
    const all = [{ ...entry(100, 0, 0), protocol: "-1" }];
    const open = Object.values(Role).map((role) => acl({ ingress: all, egress: all, tags: tags(role) }));
    expect(withoutGroups(...open)).toEqual([false, false]);
  });

  test("refutes what it drops", () => {
    const dns = { ingress: [], egress: [entry(100, 53, 53)] };
    expect(withoutGroups(acl({ ...dns, tags: tags(Role.Workers) }))).toEqual([false, true]);
  });
});

describe("a network ACL and its role", () => {
  test.each<[string, Record<string, PropertyValue>, string]>([
    ["unknown tags", { tags: UNKNOWN }, "tags"],
    ["an unknown role", { tags: { "hypershift-network/role": UNKNOWN } }, 'tags["hypershift-network/role"]'],
    ["an invalid role", { tags: tags("nodes") }, "it is not one of control-plane, workers, private-endpoint"],
    [
      "an unknown cluster",
      { tags: { ...tags("workers"), "hypershift-network/cluster": UNKNOWN } },
      'tags["hypershift-network/cluster"]',
    ],
  ])("leave the verdict unknown if the ACL would drop packets: %s", (_, properties, named) => {
    expect(konnectivity(acl({ ...https, ...properties }))).toEqual([Proof.Unknown, named]);
  });

  test("do not affect the verdict if the ACL allows everything", () => {
    expect(konnectivity(acl({ ...everyPort, tags: UNKNOWN }))).toEqual([Proof.Proved]);
  });

  test("cause no excess if the role is unknown", () => {
    const all = { ...entry(100, 0, 0), protocol: "-1" };
    const open = acl({ ingress: [all], egress: [all], tags: UNKNOWN });
    const excess = hostExcess(topology, planGuards(new ResourceIndex([...plan, open]), topology));
    expect(excess).toEqual([]);
    const ours = acl({ ingress: [all], egress: [all], tags: tags("workers") });
    const found = hostExcess(topology, planGuards(new ResourceIndex([...plan, ours]), topology));
    expect(found.map(({ guard, role }) => `${guard} ${role}`)).toContain("network ACL acl workers");
  });

  test("allow answers and path MTU discovery without excess, but not other packets", () => {
    const mtu = (number: number) => ({ ...entry(number, 0, 0), protocol: "icmp", icmpType: 3, icmpCode: 4 });
    const [machines] = topology.machineNetwork;
    const answers = { ...entry(100, 32_768, 65_535), cidrBlock: machines!.text };
    const found = (...egress: PropertyValue[]) => {
      const ours = acl({ ingress: [mtu(100)], egress, tags: tags("control-plane") });
      return hostExcess(topology, planGuards(new ResourceIndex([...plan, ours]), topology));
    };
    expect(found(answers, mtu(101))).toEqual([]);
    expect(found(answers, { ...mtu(101), icmpType: -1 }).map(({ guard }) => guard)).toEqual([
      "network ACL acl",
    ]);
  });

  test("are known from the component that created the ACL", () => {
    const component = resource("", "tenant-a", { topology: { name: "tenant-a", namespace: "clusters" } });
    const parent = { ...component, type: "hypershift-network:index:HostedControlPlaneNetworkAcls" };
    const made = acl({ ...https, tags: UNKNOWN }, { name: "tenant-a-workers", parent: urn("tenant-a") });
    expect(konnectivity(parent, made)).toEqual([Proof.Refuted]);
  });
});

describe("a network ACL and its subnets", () => {
  test("guard the hosts of the ACL's role if the ACL has a role and no subnet", () => {
    expect(konnectivity(acl({ ...https, tags: tags("workers") }))).toEqual([Proof.Refuted]);
    expect(konnectivity(acl({ ...https, tags: tags("workers", "tenant-b") }))).toEqual([Proof.Proved]);
  });

  test("guard the hosts of the listed subnets if the ACL has no role", () => {
    const [workers, others] = [subnet({ tags: tags("workers") }), subnet({ tags: tags("workers", "b") })];
    expect(konnectivity(acl({ ...https, subnetIds: ["subnet-subnet"] }), workers)).toEqual([Proof.Refuted]);
    expect(konnectivity(acl({ ...https, subnetIds: ["subnet-subnet"] }), others)).toEqual([Proof.Proved]);
    expect(konnectivity(acl({ ...https, subnetIds: ["subnet-elsewhere"] }))).toEqual([Proof.Proved]);
  });

  test("are known from the list's dependencies if the subnets get their IDs later", () => {
    const made = acl(
      { ...https, subnetIds: [UNKNOWN] },
      { propertyDependencies: { subnetIds: [urn("subnet")] } },
    );
    const workers = { ...subnet({ tags: tags("workers") }), properties: { tags: tags("workers") } };
    expect(konnectivity(made, workers)).toEqual([Proof.Refuted]);
    expect(konnectivity(acl({ ...https, subnetIds: [UNKNOWN] }))).toEqual([Proof.Unknown, "subnetIds[0]"]);
    expect(konnectivity(acl({ ...https, subnetIds: UNKNOWN }))).toEqual([Proof.Unknown, "subnetIds"]);
  });

  test("are only those in the list, not all of its dependencies", () => {
    const madeFromBoth = { propertyDependencies: { subnetIds: [urn("public"), urn("workers")] } };
    const ofPublic = subnet({ tags: tags("workers", "b") }, "public");
    const workers = subnet({ tags: tags("workers") }, "workers");
    const listing = (subnetIds: PropertyValue, rules = https) => acl({ ...rules, subnetIds }, madeFromBoth);
    expect(konnectivity(listing(["subnet-public"]), ofPublic, workers)).toEqual([Proof.Proved]);
    expect(konnectivity(listing(["subnet-workers"]), ofPublic, workers)).toEqual([Proof.Refuted]);
    const closed = resource("defaultNetworkAcl:DefaultNetworkAcl", "default", { vpcId: "vpc-1" });
    expect(konnectivity(listing(["subnet-public"], everyPort), closed, ofPublic, workers)).toEqual([
      Proof.Refuted,
    ]);
    const pending = [ofPublic, workers].map((one): Resource => ({
      ...one,
      properties: { ...one.properties, id: UNKNOWN },
    }));
    expect(konnectivity(listing([UNKNOWN, UNKNOWN]), ...pending)).toEqual([Proof.Refuted]);
    expect(konnectivity(listing([UNKNOWN]), ...pending)).toEqual([Proof.Unknown, "subnetIds[0]"]);
    expect(konnectivity(listing(UNKNOWN), ...pending)).toEqual([Proof.Refuted]);
  });

  test("may belong to any cluster if the tags of the subnet are unknown", () => {
    const named = acl({ ...https, subnetIds: ["subnet-subnet"] });
    expect(konnectivity(named, subnet({ tags: UNKNOWN }))).toEqual([Proof.Unknown, "tags"]);
  });

  test("may be connected by an association instead of a list", () => {
    const workers = subnet({ tags: tags("workers") });
    const associated = association({ networkAclId: "acl-1", subnetId: "subnet-subnet" });
    expect(konnectivity(acl({ ...https, id: "acl-1" }), workers, associated)).toEqual([Proof.Refuted]);
    expect(konnectivity(workers, associated)).toEqual([
      Proof.Unknown,
      "the other rules of a network ACL that is not in this stack",
    ]);
    const unknown = association({ networkAclId: UNKNOWN, subnetId: "subnet-subnet" });
    expect(konnectivity(workers, unknown)).toEqual([Proof.Unknown, "networkAclId"]);
  });

  test("include subnets without an ACL, which the VPC's default ACL guards", () => {
    const vpc = resource("vpc:Vpc", "vpc", { id: "vpc-1", defaultNetworkAclId: "acl-default" });
    const none = resource("defaultNetworkAcl:DefaultNetworkAcl", "default", {
      defaultNetworkAclId: "acl-default",
    });
    const workers = subnet({ tags: tags("workers") });
    expect(konnectivity(vpc, none, workers)).toEqual([Proof.Refuted]);
    const open = acl({ ...everyPort, subnetIds: ["subnet-subnet"] });
    expect(konnectivity(vpc, none, workers, open)).toEqual([Proof.Proved]);
    const elsewhere = subnet({ tags: tags("workers"), vpcId: "vpc-2" });
    expect(konnectivity(vpc, none, elsewhere)).toEqual([Proof.Proved]);
  });

  test("leave the verdict unknown if the stack states that no subnet has an ACL with a role", () => {
    const own = { ...https, tags: tags("workers") };
    const listing = (subnetIds: PropertyValue) => acl({ ...own, id: "acl-1", subnetIds });
    const idle = "no subnet of the stack has this network ACL";
    expect(konnectivity(listing([]))).toEqual([Proof.Unknown, idle]);
    expect(konnectivity(acl({ ...everyPort, tags: tags("workers"), subnetIds: [] }))).toEqual([Proof.Proved]);
    expect(konnectivity(listing(["subnet-elsewhere"]))).toEqual([Proof.Refuted]);
    const workers = subnet({ tags: tags("workers") });
    const associated = association({ networkAclId: "acl-1", subnetId: "subnet-subnet" });
    expect(konnectivity(listing([]), workers, associated)).toEqual([Proof.Refuted]);
  });

  test("leave the verdict unknown if each subnet of the VPC has another ACL than the default ACL with a role", () => {
    const closed = resource("defaultNetworkAcl:DefaultNetworkAcl", "default", {
      vpcId: "vpc-1",
      tags: tags("workers"),
    });
    const workers = subnet({ tags: tags("workers") });
    const open = acl({ ...everyPort, subnetIds: ["subnet-subnet"] });
    expect(konnectivity(closed, workers, open)).toEqual([
      Proof.Unknown,
      "every subnet of its VPC in the stack has another network ACL",
    ]);
    expect(konnectivity(closed, workers)).toEqual([Proof.Refuted]);
    expect(konnectivity(closed)).toEqual([Proof.Refuted]);
    expect(konnectivity(closed, workers, open, subnet({}, "free"))).toEqual([Proof.Refuted]);
  });

  describe("if another ACL has unknown subnets", () => {
    const closed = resource("defaultNetworkAcl:DefaultNetworkAcl", "default", { vpcId: "vpc-1" });
    const workers = subnet({ tags: tags("workers") });
    const open = (properties: Record<string, PropertyValue>) =>
      acl({ ...everyPort, vpcId: "vpc-1", ...properties });

    test.each<[string, Resource[], string]>([
      ["in its list", [open({ subnetIds: [UNKNOWN] })], "subnetIds[0]"],
      ["next to known ones", [open({ subnetIds: ["subnet-other", UNKNOWN] })], "subnetIds[1]"],
      ["instead of a list", [open({ subnetIds: UNKNOWN })], "subnetIds"],
      ["in an unknown VPC", [open({ subnetIds: [UNKNOWN], vpcId: UNKNOWN })], "subnetIds[0]"],
      [
        "in an association",
        [open({ id: "acl-1" }), association({ networkAclId: "acl-1", subnetId: UNKNOWN })],
        "subnetId",
      ],
    ])("leave open whether the default ACL guards the rest: %s", (_, others, named) => {
      expect(konnectivity(closed, workers, ...others)).toEqual([Proof.Unknown, named]);
    });

    test("do not affect the default ACL of another VPC, of another role, or with listed subnets", () => {
      const elsewhere = open({ subnetIds: [UNKNOWN], vpcId: "vpc-2" });
      expect(konnectivity(closed, workers, elsewhere)).toEqual([Proof.Refuted]);
      const own = resource("defaultNetworkAcl:DefaultNetworkAcl", "default", {
        vpcId: "vpc-1",
        subnetIds: [UNKNOWN],
      });
      expect(konnectivity(own, workers)[0]).toBe(Proof.Refuted);
      const others = subnet({ tags: tags("control-plane", "b") });
      expect(konnectivity(closed, others, open({ subnetIds: [UNKNOWN] }))).toEqual([Proof.Proved]);
    });
  });
});

describe("a rule of a network ACL", () => {
  const rule = (name: string, properties: Record<string, PropertyValue>) =>
    resource("networkAclRule:NetworkAclRule", name, {
      networkAclId: "acl-1",
      ruleNumber: 90,
      protocol: "tcp",
      ruleAction: "deny",
      egress: true,
      cidrBlock: "10.1.0.0/16",
      fromPort: 31_091,
      toPort: 31_091,
      ...properties,
    });
  const open = acl({ ...everyPort, id: "acl-1", tags: tags("workers") });

  test.each<[string, Record<string, PropertyValue>, boolean]>([
    ["by the ID that the VPC states", { networkAclId: "acl-default" }, false],
    ["by the dependencies of its ID", { networkAclId: UNKNOWN }, true],
  ])("belongs to a VPC's default ACL, %s, which guards subnets without another ACL", (_, named, isMade) => {
    const vpc = resource("vpc:Vpc", "vpc", { id: "vpc-1", defaultNetworkAclId: "acl-default" });
    const workers = subnet({ tags: tags("workers") });
    const deny = {
      ...rule("deny", named),
      ...(isMade && { propertyDependencies: { networkAclId: [urn("vpc")] } }),
    };
    expect(konnectivity(vpc, workers, deny)).toEqual([
      Proof.Unknown,
      "the other rules of a network ACL that is not in this stack",
    ]);
    const other = acl({ ...everyPort, subnetIds: ["subnet-subnet"] });
    expect(konnectivity(vpc, workers, deny, other)).toEqual([Proof.Proved]);
    const takenOver = resource("defaultNetworkAcl:DefaultNetworkAcl", "default", {
      defaultNetworkAclId: "acl-default",
      ...everyPort,
    });
    expect(konnectivity(vpc, workers, deny, takenOver)).toEqual([Proof.Refuted]);
    expect(konnectivity(vpc, workers, takenOver)).toEqual([Proof.Proved]);
  });

  test.each([
    ["decides before a later rule", {}, [Proof.Refuted]],
    ["does not decide after an earlier rule", { ruleNumber: 110 }, [Proof.Proved]],
    [
      "may belong to any ACL if its ACL is unknown",
      { networkAclId: UNKNOWN },
      [Proof.Unknown, "networkAclId"],
    ],
    ["has no effect for another port", { networkAclId: UNKNOWN, toPort: 1, fromPort: 1 }, [Proof.Proved]],
    ["may come first if its number is unknown", { ruleNumber: UNKNOWN }, [Proof.Unknown, "ruleNumber"]],
    ["may deny if its action is unknown", { ruleAction: UNKNOWN }, [Proof.Unknown, "ruleAction"]],
    ["may have either direction if its direction is unknown", { egress: UNKNOWN }, [Proof.Unknown, "egress"]],
    ["may match if its block is unknown", { cidrBlock: UNKNOWN }, [Proof.Unknown, "cidrBlock"]],
    ["may match if its ports are unknown", { fromPort: UNKNOWN }, [Proof.Unknown, "fromPort"]],
    ["may match if its protocol is unknown", { protocol: UNKNOWN }, [Proof.Unknown, "protocol"]],
  ] as const)("%s", (_, properties, expected) => {
    expect(konnectivity(open, rule("rule", properties))).toEqual(expected);
  });
});
