import type { Repair } from "../../../src/reachability/answers/repair/repair";
import { journeys } from "../../../src/flows/journeys";
import { judgeJourney, type JudgedJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Direction, LoadBalancerTargets, Platform, Role } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { published } from "../../topology/topologies";
import { everything, pinned } from "../path/clusters";
import { documentedPlan } from "../path/plan";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";

/** Every platform with every strategy and kind of load balancer that it accepts. */
export const combinations: readonly (readonly [string, NormalizedTopology])[] = Object.values(
  Platform,
).flatMap((platform) =>
  Object.entries({ ...published, NodePort: pinned }).flatMap(([strategy, services]) =>
    Object.values(LoadBalancerTargets).flatMap((loadBalancerTargets) => {
      const { topology } = normalizeTopology({
        ...everything,
        name: "tenant-a",
        platform,
        services,
        loadBalancerTargets,
      });
      return topology ? [[`${platform} ${strategy} ${loadBalancerTargets}`, topology] as const] : [];
    }),
  ),
);

/** A network ACL in front of hosts of a role. */
export const acl = (role: Role, ingress: PropertyValue[], egress: PropertyValue[]): Resource => ({
  origin: { urn: `urn:pulumi:test::network::acl-${role}` },
  type: TYPE.networkAcl,
  name: `acl-${role}`,
  properties: {
    id: `acl-${role}`,
    tags: { "hypershift-network/role": role, "hypershift-network/cluster": "tenant-a" },
    ingress,
    egress,
  },
});

/** A rule of a network ACL. */
export const entry = (
  ruleNo: number,
  action: "allow" | "deny",
  more: Record<string, PropertyValue> = {},
) => ({
  ruleNo,
  action,
  protocol: "-1",
  cidrBlock: "0.0.0.0/0",
  fromPort: 0,
  toPort: 0,
  ...more,
});

export const policy = (name: string, spec: PropertyValue): Resource => ({
  origin: { urn: `urn:pulumi:test::network::${name}` },
  type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  name,
  properties: { metadata: { name, namespace: "clusters-tenant-a" }, spec },
});

/** A policy as read from a cluster where nothing exists that was not read, not even HyperShift's own policies. */
export const running = (one: Resource): Resource => ({
  ...one,
  origin: { ...one.origin, live: `NetworkPolicy clusters-tenant-a/${one.name}` },
});

/** A plan with all documented rules, behind ACLs and policies that allow everything. */
export const guardedPlan = (topology: NormalizedTopology): Resource[] => [
  ...documentedPlan(topology),
  ...[Role.ControlPlane, Role.Workers].map((role) => acl(role, [entry(100, "allow")], [entry(100, "allow")])),
  policy("open", { podSelector: {}, ingress: [{}] }),
];

export const guardsOf = (topology: NormalizedTopology, plan: readonly Resource[]) =>
  planGuards(new ResourceIndex(plan), topology);

export const judge = (topology: NormalizedTopology, plan: readonly Resource[]): JudgedJourney[] => {
  const guards = guardsOf(topology, plan);
  return journeys(topology).map((journey) => judgeJourney(journey, guards));
};

/** The plan after a repair is applied, using only what the repair states. */
export function applied(plan: readonly Resource[], repair: Repair): Resource[] {
  const change = (urn: string | undefined, to: (resource: Resource) => Resource["properties"]) =>
    plan.map((resource) =>
      resource.origin.urn === urn && urn !== undefined ? { ...resource, properties: to(resource) } : resource,
    );
  const list = (value: PropertyValue | undefined) => (Array.isArray(value) ? (value as PropertyValue[]) : []);
  switch (repair.kind) {
    case "security-group-rule": {
      const { kind: _, group, direction, ...rule } = repair;
      return change(group?.urn, ({ properties }) => ({
        ...properties,
        [direction]: [...list(properties[direction]), rule],
      }));
    }
    case "network-acl-rule": {
      const { kind: _, acl: where, direction, asked: _asked, before: _before, ruleNumber, ...rule } = repair;
      return change(where?.urn, ({ properties }) => ({
        ...properties,
        [direction]: [...list(properties[direction]), { ...rule, ruleNo: ruleNumber, action: "allow" }],
      }));
    }
    case "network-policy": {
      const { podSelector, ingress } = repair;
      const name = `repair-${plan.length}`;
      return [
        ...plan,
        policy(name, { podSelector, policyTypes: ["Ingress"], ingress: [ingress as PropertyValue] }),
      ];
    }
    case "egress-firewall-rule":
      return change(repair.firewall.urn, ({ properties }) => {
        const spec = properties.spec as { egress: PropertyValue[] };
        return { ...properties, spec: { egress: spec.egress.toSpliced(repair.index, 0, repair.rule) } };
      });
  }
}

/** The other direction. */
export const opposite = (direction: Direction): Direction =>
  direction === Direction.Ingress ? Direction.Egress : Direction.Ingress;
