import fc from "fast-check";
import { Action } from "../../../src/reachability/filters/filter";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { networkAclFilter } from "../../../src/reachability/filters/networkAcl";
import { securityGroupFilter } from "../../../src/reachability/filters/securityGroup";
import { Direction } from "../../../src/requirements/vocabulary";
import { networkAcls } from "../../../src/resources/networkAcls";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { securityGroups } from "../../../src/resources/securityGroups";
import { EVERY_ADDRESS, address, differences, everyPacket, prefix, type SmallPacket } from "../smallUniverse";
import { egressFirewallFilter } from "../shown";

/** A block of the small universe. */
interface Block {
  first: number;
  length: number;
}
const block: fc.Arbitrary<Block> = fc
  .tuple(fc.nat(255), fc.integer({ min: 24, max: 32 }))
  .map(([bits, length]) => ({ first: bits & (0xff << (32 - length)), length }));
const text = ({ first, length }: Block) => `${address(first)}/${length}`;
const inside = ({ first, length }: Block, bits: number) => bits >> (32 - length) === first >> (32 - length);

const ports = fc.tuple(fc.nat(7), fc.nat(7)).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const protocol = fc.constantFrom("tcp", "udp", "-1", "icmp");
const NUMBER: Readonly<Record<string, number>> = { tcp: 6, udp: 17, icmp: 1 };
const speaks = (word: string, from: number, to: number, packet: SmallPacket) =>
  word === "-1" || (NUMBER[word] === packet.protocol && packet.port >= from && packet.port <= to);

const resource = (type: string, properties: Resource["properties"], urn = type): Resource => ({
  origin: { urn },
  type,
  name: urn,
  properties,
});

const [HERE] = [7];
const toHere = () => everyPacket(EVERY_ADDRESS, [HERE]);
const fromHere = () => everyPacket([HERE], EVERY_ADDRESS);

describe("security groups", () => {
  const rule = fc.record({ protocol, ports, blocks: fc.array(block, { maxLength: 3 }) });
  const rules = fc.array(rule, { maxLength: 4 });
  type Drawn = typeof rules extends fc.Arbitrary<infer T> ? T : never;
  const written = (list: Drawn): PropertyValue[] =>
    list.map((one) => ({
      protocol: one.protocol,
      fromPort: one.protocol === "icmp" ? -1 : one.ports.from,
      toPort: one.protocol === "icmp" ? -1 : one.ports.to,
      cidrBlocks: one.blocks.map(text),
    }));
  const model = (list: Drawn, end: "source" | "destination") => (packet: SmallPacket) =>
    list.some(
      (one) =>
        speaks(one.protocol, one.ports.from, one.ports.to, packet) &&
        one.blocks.some((candidate) => inside(candidate, packet[end])),
    );

  test("allow what any rule allows, inline rules and rule resources alike", () => {
    fc.assert(
      fc.property(rules, rules, rules, (ingress, egress, separate) => {
        const group = resource(TYPE.securityGroup, {
          id: "sg-1",
          ingress: written(ingress),
          egress: written(egress),
        });
        const others = written(separate).map((one, position) =>
          resource(
            TYPE.securityGroupRule,
            { ...(one as object), type: "ingress", securityGroupId: "sg-1" },
            `rule-${position}`,
          ),
        );
        const { groups } = securityGroups(new ResourceIndex([group, ...others]));
        const all = groups.flatMap((one) => one.rules);
        const allowed = (direction: Direction) =>
          allowedBy([securityGroupFilter(all, direction, () => undefined)]);
        const into = allowed(Direction.Ingress);
        expect(differences(into.sure, model([...ingress, ...separate], "source"), toHere())).toEqual([]);
        expect(into.possible).toEqual(into.sure);
        const out = allowed(Direction.Egress);
        expect(differences(out.sure, model(egress, "destination"), fromHere())).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("network ACLs", () => {
  const rule = fc.record({
    number: fc.integer({ min: 1, max: 50 }),
    protocol,
    ports,
    block,
    action: fc.constantFrom("allow", "deny"),
  });
  const rules = fc.uniqueArray(rule, { maxLength: 5, selector: ({ number }) => number });

  test("decide by the matching rule with the lowest number, and deny the rest", () => {
    fc.assert(
      fc.property(rules, rules, (inline, separate) => {
        const acl = resource(TYPE.networkAcl, {
          id: "acl-1",
          ingress: inline.map((one) => ({
            ruleNo: one.number,
            protocol: one.protocol,
            action: one.action,
            cidrBlock: text(one.block),
            fromPort: one.ports.from,
            toPort: one.ports.to,
          })),
        });
        const others = separate.map((one, position) =>
          resource(
            TYPE.networkAclRule,
            {
              networkAclId: "acl-1",
              egress: false,
              ruleNumber: 100 + one.number,
              protocol: one.protocol,
              ruleAction: one.action,
              cidrBlock: text(one.block),
              fromPort: one.ports.from,
              toPort: one.ports.to,
            },
            `rule-${position}`,
          ),
        );
        const [read] = networkAcls(new ResourceIndex([acl, ...others])).acls;
        const { sure, possible } = allowedBy([networkAclFilter(read?.rules ?? [], Direction.Ingress)]);
        const ordered = [...inline, ...separate.map((one) => ({ ...one, number: 100 + one.number }))].sort(
          (a, b) => a.number - b.number,
        );
        const model = (packet: SmallPacket) =>
          ordered.find(
            (one) =>
              speaks(one.protocol, one.ports.from, one.ports.to, packet) && inside(one.block, packet.source),
          )?.action === "allow";
        expect(differences(sure, model, toHere())).toEqual([]);
        expect(possible).toEqual(sure);
      }),
      { numRuns: 60 },
    );
  });
});

describe("egress firewalls", () => {
  const port = fc.record({
    protocol: fc.constantFrom("TCP", "UDP"),
    port: fc.integer({ min: 1, max: 7 }),
  });
  const rule = fc.record({
    type: fc.constantFrom("Allow", "Deny"),
    block,
    ports: fc.array(port, { maxLength: 3 }),
  });
  const PROTOCOL: Readonly<Record<string, number>> = { TCP: 6, UDP: 17 };

  test("decide by the first matching rule, allow the rest, and exempt the cluster network", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), block, (rules, cluster) => {
        const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", {
          spec: {
            egress: rules.map((one) => ({
              type: one.type,
              to: { cidrSelector: text(one.block) },
              ...(one.ports.length > 0 && { ports: one.ports }),
            })),
          },
        });
        const filter = egressFirewallFilter(firewall, [prefix(text(cluster))]);
        const { sure, possible } = allowedBy([filter]);
        const model = (packet: SmallPacket) => {
          const first = rules.find(
            (one) =>
              inside(one.block, packet.destination) &&
              !inside(cluster, packet.destination) &&
              (one.ports.length === 0 ||
                one.ports.some((p) => PROTOCOL[p.protocol] === packet.protocol && p.port === packet.port)),
          );
          return (first?.type ?? "Allow") === "Allow";
        };
        expect(differences(sure, model, fromHere())).toEqual([]);
        expect(possible).toEqual(sure);
      }),
      { numRuns: 60 },
    );
  });

  test("may allow packets after a Deny for a DNS name, which may have any address", () => {
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", {
      spec: {
        egress: [
          { type: "Deny", to: { dnsName: "example.com" } },
          { type: "Allow", to: { cidrSelector: "10.0.0.0/24" } },
        ],
      },
    });
    const filter = egressFirewallFilter(firewall, []);
    const { sure, possible } = allowedBy([filter]);
    expect(differences(sure, () => false, fromHere())).toEqual([]);
    expect(differences(possible, () => true, fromHere())).toEqual([]);
    expect(filter.clauses[0]?.unknown).toEqual([
      {
        resource: firewall,
        path: "spec.egress[0].to.dnsName",
        reason: "the addresses of example.com are not known",
      },
    ]);
    expect(filter.otherwise).toBe(Action.Allow);
  });

  test("ignore host bits of a block, as OVN does", () => {
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", {
      spec: { egress: [{ type: "Deny", to: { cidrSelector: "10.0.0.7/28" } }] },
    });
    const { sure, possible } = allowedBy([egressFirewallFilter(firewall, [])]);
    expect(differences(sure, ({ destination }) => destination > 15, fromHere())).toEqual([]);
    expect(possible).toEqual(sure);
  });

  test.each([
    ["block", { cidrSelector: "10.0.0.300" }, "10.0.0.300 has no mask"],
    ["wildcard", { dnsName: "*.com" }, '"*.com" is not a DNS name'],
  ])("may not apply at all if one %s cannot be read", (_, to, why) => {
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", {
      spec: {
        egress: [
          { type: "Deny", to: { cidrSelector: "10.0.0.0/28" } },
          { type: "Allow", to },
        ],
      },
    });
    const filter = egressFirewallFilter(firewall, []);
    const { sure, possible } = allowedBy([filter]);
    expect(differences(sure, () => false, fromHere())).toEqual([]);
    expect(differences(possible, () => true, fromHere())).toEqual([]);
    expect(filter.clauses[0]?.unknown).toEqual([
      {
        resource: firewall,
        path: `spec.egress[1].to.${Object.keys(to)[0]}`,
        reason: `${why}: because of this, OVN-Kubernetes applies none of the object's 2 rules`,
      },
    ]);
  });

  test("name one unreadable block for each rule, so that 8,001 of them do not use up all memory", () => {
    const egress = Array.from({ length: 8_001 }, () => ({
      type: "Deny",
      to: { cidrSelector: "10.0.0.300" },
    }));
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", { spec: { egress } });
    const { clauses } = egressFirewallFilter(firewall, []);
    expect(Math.max(...clauses.map(({ unknown }) => unknown.length))).toBe(1);
  });
});
