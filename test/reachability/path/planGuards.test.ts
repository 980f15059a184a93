import { planGuards } from "../../../src/reachability/path/planGuards";
import { isEmpty } from "../../../src/reachability/packets/packetSet";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { OUR_COMPONENTS, TYPE } from "../../../src/resources/resourceTypes";
import { pinned, said } from "./clusters";

const topology = said({ platform: "None", services: pinned });
const component: Resource = {
  origin: { urn: "urn:component" },
  type: `${OUR_COMPONENTS}HostedControlPlaneSecurityGroups`,
  name: "tenant-a",
  properties: { topology: { name: "tenant-a" } },
};
const rule = (name: string, properties: Record<string, PropertyValue>): Resource => ({
  origin: { urn: `urn:${name}` },
  type: TYPE.ingressRule,
  name,
  parent: "urn:component",
  properties: { ipProtocol: "tcp", fromPort: 443, toPort: 443, ...properties },
});
const naming = rule("tenant-a-workers-ingress-a", {
  securityGroupId: "sg-workers",
  referencedSecurityGroupId: "sg-other",
});
/** The addresses that are assumed for the group that the workers' rule names. */
const assumedOf = (...more: Resource[]): string[] => {
  const guards = planGuards(new ResourceIndex([component, naming, ...more]), topology);
  const clauses = guards
    .hosts(Role.Workers, Direction.Ingress)
    .flatMap(({ filters }) => filters.flatMap((filter) => filter.clauses));
  const found = clauses.filter(({ resource }) => resource.name === naming.name);
  expect(found).toHaveLength(1);
  return found.flatMap(({ sure, assumed }) => (isEmpty(sure) ? [] : (assumed ?? []).map(String)));
};

test("a group outside the stack does not have the role of a rule that names it", () => {
  expect(assumedOf()).toEqual([]);
});

test("a group outside the stack has the role of the rules in it", () => {
  const own = rule("tenant-a-control-plane-ingress-a", {
    securityGroupId: "sg-other",
    cidrIpv4: "10.0.0.0/16",
  });
  expect(assumedOf(own)).toEqual(topology.managementClusterCidrs.map(String));
  expect(topology.managementClusterCidrs).not.toEqual([]);
});

describe("security groups of one role in several VPCs", () => {
  const group = (name: string, role: Role, vpcId: PropertyValue): Resource => ({
    origin: { urn: `urn:${name}` },
    type: TYPE.securityGroup,
    name,
    properties: {
      id: `sg-${name}`,
      ...(vpcId !== null && { vpcId }),
      tags: { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": role },
    },
  });
  const guardsOf = (role: Role, resources: readonly Resource[]) =>
    planGuards(new ResourceIndex(resources), topology)
      .hosts(role, Direction.Ingress)
      .map(({ name, standing }) => [
        name,
        standing?.kind === "securityGroups" && standing.groups.map(({ resource }) => resource?.name),
      ]);
  const made: Resource = {
    origin: { urn: "urn:vpc" },
    type: TYPE.vpc,
    name: "mine",
    properties: { id: "vpc-1" },
  };

  test("guard different machines, each together with groups that may be in either VPC", () => {
    const all = [
      made,
      group("a", Role.Workers, "vpc-1"),
      group("b", Role.Workers, "vpc-2"),
      group("c", Role.Workers, UNKNOWN),
      group("d", Role.Workers, "vpc-2"),
    ];
    expect(guardsOf(Role.Workers, all)).toEqual([
      ["security groups of workers in VPC mine", ["a", "c"]],
      ["security groups of workers in VPC vpc-2", ["b", "d", "c"]],
    ]);
  });

  test.each<[PropertyValue]>([[null], [UNKNOWN], ["vpc-1"]])(
    "are combined if they are, or may be, in the same VPC: %p",
    (vpcId) => {
      const all = [made, group("a", Role.Workers, "vpc-1"), group("b", Role.Workers, vpcId)];
      expect(guardsOf(Role.Workers, all)).toEqual([["security groups of workers", ["a", "b"]]]);
    },
  );

  test("are combined if one is in several VPCs, or if they guard endpoints", () => {
    const association: Resource = {
      origin: { urn: "urn:association" },
      type: TYPE.securityGroupVpcAssociation,
      name: "association",
      properties: { securityGroupId: "sg-b", vpcId: "vpc-1" },
    };
    for (const [role, more] of [
      [Role.Workers, [association]],
      [Role.PrivateEndpoint, []],
    ] as const) {
      const all = [made, group("a", role, "vpc-1"), group("b", role, "vpc-2"), ...more];
      expect(guardsOf(role, all)).toEqual([[`security groups of ${role}`, ["a", "b"]]]);
    }
  });
});
