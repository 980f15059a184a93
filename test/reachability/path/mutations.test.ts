import { isEmpty, intersection } from "../../../src/reachability/packets/packetSet";
import { journeys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import type { Hop, Journey } from "../../../src/flows/model";
import { hostExcess } from "../../../src/reachability/path/excess";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { packetsOf } from "../../../src/reachability/path/duty";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Duty } from "../../../src/requirements/othersFilters";
import { Proof } from "../../../src/reachability/proof/prove";
import { endpointAccessModes } from "../../../src/requirements/platforms";
import { EndpointAccess, Platform } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { published } from "../../topology/topologies";
import { running } from "../answers/plans";
import { everything, pinned, placeOf } from "./clusters";
import { documentedPlan } from "./plan";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";

const accessOf = (platform: Platform) => {
  const modes = endpointAccessModes(platform);
  return modes.length > 0 ? modes : [undefined];
};

/** Every platform with every strategy, access and kind of load balancer that it accepts. */
const combinations = Object.values(Platform).flatMap((platform) =>
  Object.entries({ ...published, NodePort: pinned }).flatMap(([strategy, services]) =>
    accessOf(platform).flatMap((endpointAccess) =>
      (strategy === "NodePort" ? ["instance"] : ["instance", "ip"]).flatMap((loadBalancerTargets) => {
        const proxy = { httpsProxy: "http://10.9.0.1:3128" };
        const raw = { ...everything, name: "tenant-a", platform, services, loadBalancerTargets, proxy };
        const { topology } = normalizeTopology({ ...raw, ...(endpointAccess && { endpointAccess }) });
        const name = [platform, strategy, endpointAccess ?? "", loadBalancerTargets].join(" ");
        return topology ? [[name, topology] as const] : [];
      }),
    ),
  ),
);

const namespace = "shop";
const kubernetes = (type: string, name: string, at: string, spec: PropertyValue): Resource => ({
  origin: { urn: `urn:pulumi:test::network::${name}` },
  type: `kubernetes:${type}`,
  name,
  properties: { metadata: { name, namespace: at }, spec },
});

/** A plan that opens what every place of the journeys needs: groups, policies of pods, an egress firewall. */
function wholePlan(topology: NormalizedTopology): Resource[] {
  const empty = kubernetes("k8s.ovn.org/v1:EgressFirewall", "default", namespace, { egress: [] });
  const hops = journeysOf(topology, [empty]).flatMap((journey) => journey.hops);
  const policies = new Map<string, Resource>();
  const allows = new Map<string, PropertyValue>();
  for (const hop of hops) {
    const port = hop.ports?.from ?? 0;
    if (hop.kind === "pods")
      policies.set(
        `${hop.app}-${port}`,
        kubernetes(
          "networking.k8s.io/v1:NetworkPolicy",
          `${hop.app}-${port}`,
          topology.controlPlaneNamespace,
          {
            podSelector: { matchLabels: { app: hop.app } },
            ingress: [{ ports: [{ port }] }],
          },
        ),
      );
    if (hop.kind === "namespace")
      for (const cidrSelector of hop.destinations.flatMap(({ prefixes = [] }) =>
        prefixes.map(({ text }) => text),
      ))
        allows.set(`${cidrSelector} ${port} ${hop.protocol}`, {
          type: "Allow",
          to: { cidrSelector },
          ports: [{ port, protocol: hop.protocol }],
        });
  }
  const deny = { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } };
  return [
    ...documentedPlan(topology),
    toProxy,
    running(
      kubernetes("networking.k8s.io/v1:NetworkPolicy", "deny", topology.controlPlaneNamespace, {
        podSelector: {},
        policyTypes: ["Ingress"],
      }),
    ),
    ...policies.values(),
    kubernetes("k8s.ovn.org/v1:EgressFirewall", "default", namespace, { egress: [...allows.values(), deny] }),
  ];
}

const toProxy: Resource = {
  origin: { urn: "urn:pulumi:test::network::proxy" },
  type: "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
  name: "proxy",
  properties: {
    securityGroupId: "sg-workers",
    ipProtocol: "tcp",
    fromPort: 3128,
    toPort: 3128,
    cidrIpv4: "10.9.0.1/32",
  },
};

const journeysOf = (topology: NormalizedTopology, plan: readonly Resource[]): readonly Journey[] =>
  journeys(topology, surroundingsOf(new ResourceIndex(plan), topology));

/** A rule, or an entry of an egress firewall. */
interface Written {
  resource: Resource;
  path: string;
}

const without = (plan: readonly Resource[], taken: readonly Written[]): Resource[] =>
  plan.flatMap((resource) => {
    const here = taken.filter((one) => one.resource === resource);
    if (here.length === 0) return [resource];
    if (!resource.type.endsWith(":EgressFirewall")) return [];
    const { egress } = resource.properties.spec as { egress: PropertyValue[] };
    const paths = new Set(here.map(({ path }) => path));
    const left = egress.filter((_, position) => !paths.has(`spec.egress[${position}]`));
    return [{ ...resource, properties: { ...resource.properties, spec: { egress: left } } }];
  });

/** The rules that open each place, with all places that depend on the same rules. */
function openings(topology: NormalizedTopology, plan: readonly Resource[]) {
  const guards = planGuards(new ResourceIndex(plan), topology);
  const found = new Map<string, { rules: Written[]; places: { journey: Journey; hop: Hop }[] }>();
  for (const journey of journeysOf(topology, plan)) {
    const judged = judgeJourney(journey, guards);
    expect([journey.key, judged.proof]).toEqual([journey.key, Proof.Proved]);
    for (const { hop, guard } of judged.guards) {
      const required = packetsOf(hop);
      const isDeny = ({ actions }: { actions: readonly string[] }) => actions.includes("deny");
      const rules = guard.filters
        .flatMap(({ clauses }) => clauses)
        .filter((clause) => !isDeny(clause) && !isEmpty(intersection(clause.sure, required)));
      const key = rules.map(({ resource, path }) => `${resource.name} ${path}`).join();
      const entry = found.get(key) ?? { rules, places: [] };
      entry.places.push({ journey, hop });
      found.set(key, entry);
    }
  }
  return [...found.values()];
}

/** Whether only the plan must open a place, including an endpoint group that the plan creates. */
const isPlans = (hop: Hop): boolean =>
  hop.kind !== "hosts" || [undefined, Duty.HyperShiftUnlessPlanned].includes(hop.duty);

describe("a plan without the rules that open one place", () => {
  test.each(combinations)(
    "%s: refutes every flow there, or proves it no longer if others may open the place",
    (_, topology) => {
      const plan = wholePlan(topology);
      const kinds = new Set<string>();
      for (const { rules, places } of openings(topology, plan)) {
        const guards = planGuards(new ResourceIndex(without(plan, rules)), topology);
        for (const { journey, hop } of places) {
          const judged = judgeJourney(journey, guards);
          const refuted = judged.guards.filter(({ verdict }) => verdict.proof === Proof.Refuted);
          const isShut = isPlans(hop)
            ? refuted.some((one) => one.hop === hop)
            : judged.proof !== Proof.Proved;
          expect([journey.key, placeOf(hop), isShut]).toEqual([journey.key, placeOf(hop), true]);
          kinds.add(hop.kind === "hosts" ? placeOf(hop) : hop.kind);
        }
      }
      const everywhere = [
        "workers egress",
        "workers ingress",
        "control-plane ingress",
        "control-plane egress",
      ];
      expect([...kinds]).toEqual(expect.arrayContaining([...everywhere, "pods", "namespace"]));
      const isPrivate =
        topology.platform === Platform.AWS && topology.endpointAccess !== EndpointAccess.Public;
      expect(kinds.has("private-endpoint ingress")).toBe(isPrivate);
    },
  );
});

/** The type and the security group of a rule. */
const placeOfRule = ({ type, properties }: Resource): string =>
  JSON.stringify([type, properties.securityGroupId]);

describe("a plan with one rule wider than documented", () => {
  test.each(combinations)("%s: has the additional packets as excess of that rule", (_, topology) => {
    const plan = documentedPlan(topology);
    const rules = plan.filter(({ properties }) => properties.securityGroupId !== undefined);
    const excessOf = (rule: Resource, properties: Record<string, PropertyValue>) => {
      const wider = { ...rule, properties: { ...rule.properties, ...properties } };
      const changed = plan.map((other) => (other === rule ? wider : other));
      const found = hostExcess(topology, planGuards(new ResourceIndex(changed), topology));
      return [...new Set(found.map(({ clause }) => clause?.resource.name))];
    };
    expect(hostExcess(topology, planGuards(new ResourceIndex(plan), topology))).toEqual([]);
    // Of each type and group, the first, the middle and the last rule.
    for (const group of new Set(rules.map(placeOfRule))) {
      const own = rules.filter((rule) => placeOfRule(rule) === group);
      for (const rule of new Set([own[0]!, own[Math.floor(own.length / 2)]!, own.at(-1)!])) {
        const found = isOpenByHyperShift(topology, rule) ? [] : [rule.name];
        expect(excessOf(rule, { ipProtocol: "-1" })).toEqual(found);
        if (rule.properties.cidrIpv4 !== "0.0.0.0/0")
          expect(excessOf(rule, { cidrIpv4: "0.0.0.0/0" })).toEqual(found);
      }
    }
  });
});

/** HyperShift's own group of workers on AWS allows all egress, so a wider egress rule adds nothing. */
const isOpenByHyperShift = ({ platform }: NormalizedTopology, { type, properties }: Resource): boolean =>
  platform === Platform.AWS &&
  properties.securityGroupId === "sg-workers" &&
  type.endsWith(":SecurityGroupEgressRule");
