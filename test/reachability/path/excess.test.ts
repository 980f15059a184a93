import { Direction, Role } from "../../../src/requirements/vocabulary";
import { describePackets } from "../../../src/reachability/packets/print";
import { packets, service } from "../../../src/reachability/packets";
import { hostExcess, planGuards } from "../../../src/reachability/path";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { pinned, said } from "./clusters";
import { documentedPlan, rule } from "./plan";

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

test("a rule for more ports or for everybody is excess, with exactly what it adds", () => {
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

describe("every rule of the documented plan, widened", () => {
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

test("what the user declares is none of it", () => {
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
