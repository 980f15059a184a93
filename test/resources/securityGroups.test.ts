import { UNKNOWN } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { securityGroups } from "../../src/resources/securityGroups";
import { resource, splitRule, tcp } from "../rules/builders";

const rulesOf = (...resources: ReturnType<typeof resource>[]) =>
  securityGroups(new ResourceIndex(resources)).groups.flatMap(({ rules }) => rules);

describe("security groups", () => {
  const group = resource(TYPE.securityGroup, "hosts", { id: UNKNOWN });

  it("reads inline rules of groups and default groups", () => {
    for (const type of [TYPE.securityGroup, TYPE.defaultSecurityGroup]) {
      const [ingress, egress] = rulesOf(
        resource(type, "a", {
          ingress: [{ ...tcp(443, "10.0.0.0/8"), ipv6CidrBlocks: ["fd00::/8"], self: true }],
          egress: [{ protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] }],
        }),
      );
      expect(ingress).toMatchObject({ direction: "ingress", protocol: "TCP", ports: { from: 443, to: 443 } });
      expect(ingress?.sources.map(({ kind }) => kind)).toEqual(["prefix", "prefix", "group"]);
      expect(egress).toMatchObject({ direction: "egress", protocol: "any" });
      expect(egress?.ports).toBeUndefined();
    }
  });

  it("reads split and legacy rules, and the groups they refer to, by what the ids were made from", () => {
    const split = resource(
      TYPE.egressRule,
      "split",
      {
        securityGroupId: UNKNOWN,
        referencedSecurityGroupId: UNKNOWN,
        ipProtocol: "udp",
        fromPort: 53,
        toPort: 53,
      },
      { securityGroupId: [group], referencedSecurityGroupId: [group] },
    );
    const legacy = resource(
      TYPE.securityGroupRule,
      "legacy",
      {
        type: "ingress",
        securityGroupId: UNKNOWN,
        sourceSecurityGroupId: UNKNOWN,
        protocol: "6",
        fromPort: 1,
        toPort: 9,
      },
      { securityGroupId: [group], sourceSecurityGroupId: [group] },
    );
    expect(rulesOf(group, split, legacy)).toMatchObject([
      {
        direction: "egress",
        protocol: "UDP",
        sources: [{ kind: "group", path: "referencedSecurityGroupId" }],
      },
      { direction: "ingress", protocol: "TCP", sources: [{ kind: "group" }] },
    ]);
  });

  it("keeps unknown protocols, ports and sources as such", () => {
    const rule = splitRule("rule", group, {
      ipProtocol: UNKNOWN,
      fromPort: UNKNOWN,
      toPort: 3,
      cidrIpv4: UNKNOWN,
    });
    expect(rulesOf(group, rule)).toMatchObject([
      { protocol: UNKNOWN, ports: UNKNOWN, sources: [{ kind: "unknown", path: "cidrIpv4" }] },
    ]);
  });

  it("an inline reference that is not known is joined only where one group can be meant", () => {
    const others = ["a", "b"].map((name) => resource(TYPE.securityGroup, name, { id: UNKNOWN }));
    const inline = (...sources: typeof others) =>
      resource(
        TYPE.securityGroup,
        "hosts",
        { ingress: [{ ...tcp(443), securityGroups: [UNKNOWN] }] },
        { ingress: sources },
      );
    const [one] = rulesOf(...others, inline(others[0]!)).slice(-1);
    expect(one?.sources).toMatchObject([{ kind: "group", group: { name: "a" } }]);
    const [either] = rulesOf(...others, inline(...others)).slice(-1);
    expect(either?.sources).toMatchObject([{ kind: "unknown" }]);
  });

  it("entries of a prefix list that are resources of their own count", () => {
    const list = resource(TYPE.prefixList, "workers", { id: UNKNOWN });
    const entry = resource(
      TYPE.prefixListEntry,
      "a",
      { cidr: "10.0.0.0/16", prefixListId: UNKNOWN },
      { prefixListId: [list] },
    );
    const rule = resource(
      TYPE.ingressRule,
      "rule",
      { securityGroupId: UNKNOWN, prefixListId: UNKNOWN, ipProtocol: "tcp", fromPort: 1, toPort: 2 },
      { securityGroupId: [group], prefixListId: [list] },
    );
    expect(rulesOf(group, list, entry, rule)[0]?.sources).toMatchObject([
      { kind: "prefix", prefix: { text: "10.0.0.0/16" }, path: "prefixListId" },
    ]);
  });
});
