import { planGuards } from "../../../src/reachability/path/planGuards";
import { isEmpty } from "../../../src/reachability/packets/packetSet";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
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
/** The addresses that are taken for those behind the group that the rule of the workers names. */
const assumedOf = (...more: Resource[]): string[] => {
  const guards = planGuards(new ResourceIndex([component, naming, ...more]), topology);
  const clauses = guards
    .hosts(Role.Workers, Direction.Ingress)
    .flatMap(({ filters }) => filters.flatMap((filter) => filter.clauses));
  const found = clauses.filter(({ resource }) => resource.name === naming.name);
  expect(found).toHaveLength(1);
  return found.flatMap(({ sure, assumed }) => (isEmpty(sure) ? [] : (assumed ?? []).map(String)));
};

test("a group that is not in the stack has not the role of a rule that names it", () => {
  expect(assumedOf()).toEqual([]);
});

test("it has the role of rules that stand in it", () => {
  const own = rule("tenant-a-control-plane-ingress-a", {
    securityGroupId: "sg-other",
    cidrIpv4: "10.0.0.0/16",
  });
  expect(assumedOf(own)).toEqual(topology.managementClusterCidrs.map(String));
  expect(topology.managementClusterCidrs).not.toEqual([]);
});
