import { Direction, Role } from "../../../src/requirements/vocabulary";
import { packets } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { hostExcess } from "../../../src/reachability/path/excess";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { acl, entry } from "../answers/plans";
import { pinned, said } from "./clusters";
import { documentedPlan, rule } from "./plan";
import { describePackets } from "../shown";

const topology = said({ platform: "None", services: pinned });
const excess = (resources: readonly Resource[]) =>
  hostExcess(topology, planGuards(new ResourceIndex(resources), topology)).map(
    ({ role, direction, clause, packets: set }) =>
      `${role} ${direction} ${clause?.resource.name}: ${describePackets(set).join("; ")}`,
  );
const plan = documentedPlan(topology);

test("the documented rules open nothing beyond what documented flows need", () => {
  expect(excess(plan)).toEqual([]);
});

test("a rule for more ports or sources is excess, with exactly what it adds", () => {
  const ssh = rule(Role.Workers, Direction.Ingress, "ssh", {
    ipProtocol: "tcp",
    fromPort: 2022,
    toPort: 2023,
    cidrIpv4: "10.0.0.0/16",
  });
  const open = rule(Role.ControlPlane, Direction.Ingress, "konnectivity", {
    ipProtocol: "tcp",
    fromPort: 31_091,
    toPort: 31_091,
    cidrIpv4: "198.51.100.0/29",
  });
  expect(excess([...plan, ssh, open])).toEqual([
    "control-plane ingress konnectivity: TCP 31091 from 198.51.100.0/30, 198.51.100.4/31, 198.51.100.6/32 to 0.0.0.0/0",
    "workers ingress ssh: TCP 2022-2023 from 10.0.0.0/16 to 0.0.0.0/0",
  ]);
});

describe("every rule of the documented plan is excess if widened", () => {
  const rules = plan.filter(({ properties }) => properties.securityGroupId !== undefined);
  const widened = (resource: Resource, properties: Record<string, PropertyValue>) =>
    plan.map((other) =>
      other === resource ? { ...other, properties: { ...other.properties, ...properties } } : other,
    );

  test.each(rules.map((resource) => [resource.name, resource] as const))("%s", (_, resource) => {
    const everyPort = { ipProtocol: "-1" };
    const found = excess(widened(resource, everyPort));
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((line) => line.includes(` ${resource.name}: `))).toBe(true);
    const isPublic = resource.properties.cidrIpv4 === "0.0.0.0/0";
    if (!isPublic) expect(excess(widened(resource, { cidrIpv4: "0.0.0.0/0" })).length).toBeGreaterThan(0);
  });
});

test("declared packets are no excess", () => {
  const ssh = rule(Role.Workers, Direction.Ingress, "ssh", {
    ipProtocol: "tcp",
    fromPort: 2022,
    toPort: 2022,
    cidrIpv4: "10.0.0.0/16",
  });
  const declared = packets({ services: [service(6, { from: 2022, to: 2022 })] });
  const guards = planGuards(new ResourceIndex([...plan, ssh]), topology);
  const atWorkers = (role: Role) => (role === Role.Workers ? declared : undefined);
  expect(hostExcess(topology, guards, atWorkers)).toEqual([]);
});

describe("the rules of stateless network ACLs", () => {
  const allowing = (more: Record<string, PropertyValue>) => [entry(100, "allow", { protocol: "6", ...more })];
  // A separate topology for each call, because needed packets are cached per topology.
  const behind = (
    role: Role,
    direction: Direction,
    rules: PropertyValue[],
    on = said({ platform: "None", services: pinned }),
  ) => {
    const [ingress, egress] = direction === Direction.Ingress ? [rules, []] : [[], rules];
    const index = new ResourceIndex([...documentedPlan(on), acl(role, ingress, egress)]);
    const found = hostExcess(on, planGuards(index, on)).filter(
      ({ clause }) => clause?.resource.name === `acl-${role}`,
    );
    return [...new Set(found.map(({ packets: set }) => describePackets(set).join("; ")))];
  };
  const { Ingress, Egress } = Direction;

  test.each<[string, Role, Direction, Record<string, PropertyValue>]>([
    [
      "calls to the hosts there",
      Role.ControlPlane,
      Ingress,
      { cidrBlock: "10.0.0.0/16", fromPort: 31_443, toPort: 31_443 },
    ],
    [
      "answers to callers, at their ports",
      Role.ControlPlane,
      Egress,
      { cidrBlock: "10.0.0.0/16", fromPort: 1024, toPort: 65_535 },
    ],
    [
      "answers to calls from the hosts",
      Role.Workers,
      Ingress,
      { cidrBlock: "10.1.0.0/16", fromPort: 32_768, toPort: 60_999 },
    ],
    [
      "answers for flows with the same port on both sides",
      Role.Workers,
      Egress,
      { protocol: "17", cidrBlock: "10.0.0.0/16", fromPort: 6081, toPort: 6081 },
    ],
    ["packets without ports", Role.Workers, Egress, { protocol: "50", cidrBlock: "10.0.0.0/16" }],
    ["path MTU discovery messages", Role.Workers, Ingress, { protocol: "1", icmpType: 3, icmpCode: 4 }],
  ])("need %s", (_, role, direction, more) => {
    expect(behind(role, direction, allowing(more))).toEqual([]);
  });

  test.each<[string, Role, Direction, Record<string, PropertyValue>, string]>([
    [
      "answers at ports that no caller uses",
      Role.ControlPlane,
      Egress,
      { cidrBlock: "10.0.0.0/16", fromPort: 1000, toPort: 1100 },
      "TCP 1000-1023 from 0.0.0.0/0 to 10.0.0.0/16",
    ],
    [
      "other ICMP messages",
      Role.ControlPlane,
      Ingress,
      { protocol: "1", cidrBlock: "192.0.2.0/24", icmpType: 5, icmpCode: 0 },
      "ICMP type 5 code 0 from 192.0.2.0/24 to 0.0.0.0/0",
    ],
    [
      "answers at ports that only other callers use",
      Role.Workers,
      Ingress,
      { cidrBlock: "10.1.0.0/16", fromPort: 900, toPort: 1024 },
      "TCP 900-1023 from 10.1.0.0/16 to 0.0.0.0/0",
    ],
    [
      "calls to hosts in other subnets",
      Role.ControlPlane,
      Ingress,
      { cidrBlock: "10.0.0.0/16", fromPort: 9100, toPort: 9100 },
      "TCP 9100 from 10.0.0.0/16 to 0.0.0.0/0",
    ],
  ])("have as excess: %s", (_, role, direction, more, excess) => {
    expect(behind(role, direction, allowing(more))).toEqual([excess]);
  });

  test("need the flows of the VPC endpoint in the workers' subnets", () => {
    const aws = said({ platform: "AWS", endpointAccess: "Private" });
    const called = allowing({ cidrBlock: "10.0.0.0/16", fromPort: 443, toPort: 443 });
    expect(behind(Role.Workers, Ingress, called, aws)).toEqual([]);
    expect(
      behind(
        Role.Workers,
        Egress,
        allowing({ cidrBlock: "10.0.0.0/16", fromPort: 1024, toPort: 65_535 }),
        aws,
      ),
    ).toEqual([]);
  });
});
