import { UNKNOWN } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import {
  networkAclNumber,
  securityGroupMixedRules,
  securityGroupQuota,
} from "../../../src/securityGroups/rules/groupRules";
import {
  COMPONENT,
  group,
  resource,
  splitRule,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

describe("security-group-quota", () => {
  const blocks = (count: number, first = 0) =>
    Array.from({ length: count }, (_, position) => `10.0.${first + position}.0/24`);

  it("counts blocks separately for each family and direction", () => {
    const full = group("hosts", [tcp(443, ...blocks(60))], { egress: [tcp(443, ...blocks(60))] });
    expect(violations(securityGroupQuota, [full])).toEqual([]);
    const six = { ...tcp(443), ipv6CidrBlocks: ["2001:db8::/32"] };
    expect(violations(securityGroupQuota, [group("hosts", [tcp(443, ...blocks(60)), six])])).toEqual([]);
    const over = group("hosts", [tcp(443, ...blocks(40)), tcp(6443, ...blocks(21))]);
    expect(violations(securityGroupQuota, [over])).toMatchObject([
      {
        path: "ingress",
        message: expect.stringContaining("61 ingress rules of IPv4") as string,
        fix: expect.stringContaining("have AWS raise the quota") as string,
      },
    ]);
  });

  it("counts a group in both families, and a block that is stated twice once", () => {
    const members = { ...tcp(443, ...blocks(60)), securityGroups: ["sg-1"], self: true };
    expect(violations(securityGroupQuota, [group("hosts", [members])])).toMatchObject([
      { message: expect.stringContaining("62 ingress rules of IPv4") as string },
    ]);
    const hosts = group("hosts", [tcp(443, ...blocks(60))]);
    const rule = (cidrIpv4: string) => splitRule(cidrIpv4, hosts, { cidrIpv4, fromPort: 443, toPort: 443 });
    expect(violations(securityGroupQuota, [hosts, ...blocks(60).map(rule)])).toEqual([]);
    expect(violations(securityGroupQuota, [hosts, rule("10.1.0.0/24")])).toHaveLength(1);
  });

  it("counts a prefix list with its maxEntries, and reports one outside the stack as unknown", () => {
    const list = resource(TYPE.prefixList, "corporate", { id: "pl-1", maxEntries: 61, entries: [] });
    const hosts = group("hosts", [{ ...tcp(443), prefixListIds: ["pl-1"] }]);
    const found = violations(securityGroupQuota, [hosts, list]);
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining("of IPv4"),
      expect.stringContaining("of IPv6"),
    ]);
    expect(found[0]!.fix).toContain("which count as 61 rules");
    expect(violations(securityGroupQuota, [hosts])).toEqual([]);
    expect(unknowns(securityGroupQuota, [hosts])).toMatchObject([{ path: "ingress[0].prefixListIds[0]" }]);
  });

  it("uses the ruleQuota of a component, and names the maximum that AWS grants", () => {
    const hosts = group("hosts", [tcp(443, ...blocks(100))]);
    const component = resource(COMPONENT, "net", { ruleQuota: 100 });
    expect(violations(securityGroupQuota, [component, { ...hosts, parent: component.origin.urn! }])).toEqual(
      [],
    );
    const rules = Array.from({ length: 11 }, (_, position) => tcp(position + 1, ...blocks(100)));
    const [found] = violations(securityGroupQuota, [group("hosts", rules)]);
    expect(found!.fix).toContain("AWS grants 1000 at most");
  });

  it("counts an unknown block as one", () => {
    const unsaid: Properties = { ...tcp(6443), cidrBlocks: [UNKNOWN] };
    expect(violations(securityGroupQuota, [group("hosts", [tcp(443, ...blocks(60)), unsaid])])).toHaveLength(
      1,
    );
  });
});

describe("network-acl-number", () => {
  const entry = (ruleNo: Properties[string], cidrBlock = "10.0.0.0/16"): Properties => ({
    ruleNo,
    ...{ action: "allow", protocol: "tcp", fromPort: 443, toPort: 443, cidrBlock },
  });
  const acl = (ingress: Properties[], egress: Properties[] = []) =>
    resource(TYPE.networkAcl, "acl", { id: UNKNOWN, ingress, egress });
  const own = (name: string, ruleNumber: Properties[string], more: Properties = {}, of = acl([])) =>
    resource(
      TYPE.networkAclRule,
      name,
      {
        ...{ networkAclId: UNKNOWN, ruleNumber, ruleAction: "allow", egress: false },
        ...{ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlock: "10.0.0.0/16", ...more },
      },
      { networkAclId: [of] },
    );
  const found = (...resources: ReturnType<typeof acl>[]) =>
    violations(networkAclNumber, resources).map(({ path, message }) => `${path}: ${message}`);

  describe("security-group-mixed-rules", () => {
    const mixed = (...resources: ReturnType<typeof acl>[]) =>
      violations(securityGroupMixedRules, resources).map(({ path, message }) => `${path}: ${message}`);
    const defaults = (ingress?: Properties[]) =>
      resource(TYPE.defaultNetworkAcl, "acl", { id: UNKNOWN, ...(ingress && { ingress }) });

    it("reports rules of an ACL that are inline and resources", () => {
      expect(mixed(acl([entry(100)]), own("a", 200), own("b", 300))).toEqual([
        "ingress: is inline next to NetworkAclRule a and 1 more: each update of one side deletes the ingress rules of the other",
      ]);
      expect(mixed(acl([entry(100)]), own("a", 100, { egress: true }))).toEqual([]);
      expect(mixed(acl([]), own("a", 100))).toEqual([]);
      expect(mixed(acl([entry(100)]), own("a", 100))).toEqual([]);
    });

    it("reports rule resources that a default ACL removes because it does not list them", () => {
      const taken =
        "ingress: removes NetworkAclRule a: a default network ACL keeps no ingress rules but those that it lists";
      for (const one of [defaults(), defaults([entry(100)]), { ...defaults([entry(200)]), inputs: {} }])
        expect(mixed(one, own("a", 200, {}, one))).toEqual([taken]);
      expect(mixed(defaults([entry(200)]), own("a", 200, {}, defaults()))).toEqual([]);
      const [listed, b] = [own("a", 200, {}, defaults()), own("b", 300, {}, defaults())];
      expect(mixed(defaults([entry(200)]), listed, b)).toEqual([taken.replace("Rule a", "Rule b")]);
      expect(mixed(defaults([entry(200)]))).toEqual([]);
    });

    it("accepts ACLs that were read back or are only read, and reports unknown rules as unknown", () => {
      const read = { isRead: true } as const;
      expect(mixed({ ...acl([entry(100)]), inputs: {} }, own("a", 200))).toEqual([]);
      expect(mixed({ ...acl([entry(100)]), ...read }, own("a", 200))).toEqual([]);
      expect(mixed(acl([entry(100)]), { ...own("a", 200), ...read })).toEqual([]);
      expect(
        mixed(resource(TYPE.networkAcl, "acl", { id: UNKNOWN, ingress: UNKNOWN }), own("a", 200)),
      ).toEqual([]);
      const unknownAction: Properties = { ...entry(100), action: UNKNOWN };
      for (const rule of [entry(UNKNOWN), unknownAction]) {
        const pending = [acl([rule]), own("a", 200)];
        expect(mixed(...pending)).toEqual([]);
        expect(unknowns(securityGroupMixedRules, pending).map(({ path }) => path)).toEqual(["ingress"]);
      }
    });
  });

  it("reports numbers that EC2 does not accept", () => {
    expect(found(acl([entry(0), entry(1), entry(32766)], [entry(32767)]))).toEqual([
      "ingress[0].ruleNo: 0 is not a rule number: EC2 accepts 1 to 32766",
      "egress[0].ruleNo: 32767 is not a rule number: EC2 accepts 1 to 32766",
    ]);
    expect(found(acl([]), own("a", "40000"))).toEqual([
      "ruleNumber: 40000 is not a rule number: EC2 accepts 1 to 32766",
    ]);
  });

  it("reports two rules of one direction with the same number", () => {
    expect(found(acl([entry(100), entry(100, "10.1.0.0/16")], [entry(100)]))).toEqual([
      "ingress[1].ruleNo: 100 is also the number of NetworkAcl acl ingress[0]: EC2 accepts only one ingress rule per number in a network ACL",
    ]);
    expect(found(acl([]), own("a", 100), own("b", 100))).toEqual([
      "ruleNumber: 100 is also the number of NetworkAclRule a: EC2 accepts only one ingress rule per number in a network ACL",
    ]);
    expect(found(acl([]), own("a", 100), own("b", 100, { egress: true }), own("c", 101))).toEqual([]);
    const another = resource(TYPE.networkAcl, "another", {});
    expect(found(acl([]), another, own("a", 100), own("b", 100, {}, another))).toEqual([]);
  });

  it("accepts an inline rule equal to a rule resource, and reports unknown numbers as unknown", () => {
    expect(found(acl([entry(100)]), own("a", 100))).toEqual([]);
    expect(found(acl([entry(100)]), own("a", 100, { cidrBlock: "10.1.0.0/16" }))).toHaveLength(1);
    expect(unknowns(networkAclNumber, [acl([entry(UNKNOWN)]), own("a", UNKNOWN)])).toMatchObject([
      { path: "ingress[0].ruleNo" },
      { path: "ruleNumber" },
    ]);
  });
});
