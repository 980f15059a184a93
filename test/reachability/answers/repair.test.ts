import fc from "fast-check";
import { answerPlan } from "../../../src/reachability/answers/answerPlan";
import { describeRepair } from "../../../src/reachability/answers/repair/describeRepair";
import { repairsOf } from "../../../src/reachability/answers/answer";
import type { RepairAdvice } from "../../../src/reachability/answers/repair/repair";
import { repairOf } from "../../../src/reachability/answers/repair/repairOf";
import { directionAt } from "../../../src/reachability/answers/places";
import { contains, isEmpty, packets, unionAll } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import type { HostHop } from "../../../src/flows/model";
import { answersTo, packetsOf } from "../../../src/reachability/path/duty";
import type { JudgedGuard } from "../../../src/reachability/path/judge";
import { Proof, prove } from "../../../src/reachability/proof/prove";
import { Direction, Protocol, Zone, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { said, pinned } from "../path/clusters";
import { changeBetween } from "../smallUniverse";
import { deniedByAdmin, documentedPlan, rule } from "../path/plan";
import { acl, applied, combinations, entry, guardedPlan, judge, opposite, policy, running } from "./plans";
import { egressFirewallFilter } from "../shown";

const node = said({ platform: "None", services: pinned });

const refutedIn = (topology: NormalizedTopology, plan: readonly Resource[]): JudgedGuard[] =>
  judge(topology, plan).flatMap(({ guards }) =>
    guards.filter(({ verdict }) => verdict.proof === Proof.Refuted),
  );
const adviceFor = (key: string, plan: readonly Resource[], topology = node): RepairAdvice[] =>
  judge(topology, plan)
    .filter(({ journey }) => journey.key === key)
    .flatMap(({ guards }) => guards)
    .filter(({ verdict }) => verdict.proof === Proof.Refuted)
    .map((judged) => repairOf(judged, topology));
const linesFor = (key: string, plan: readonly Resource[], topology = node): string[] =>
  adviceFor(key, plan, topology).flatMap(({ rules, obstacle }) => [
    ...rules.map(describeRepair),
    ...(obstacle === undefined ? [] : [obstacle]),
  ]);
/** The direction in which rules look at the packets of a judged guard. */
const lookedAt = ({ hop, asked }: JudgedGuard): Direction => {
  const direction = directionAt(hop);
  return asked === "calls" ? direction : opposite(direction);
};
/** The packets of a flow, with any address on the side that rules there do not match. */
const flowAt = ({ hop, asked }: JudgedGuard) => {
  const own = directionAt(hop) === Direction.Ingress ? "destinations" : "sources";
  return (asked === "answers" ? answersTo : packetsOf)({ ...hop, [own]: [] });
};

describe("the suggested argument of the component that created a group", () => {
  const maker = (topology: PropertyValue): Resource => ({
    origin: {
      urn: "urn:pulumi:test::network::hypershift-network:index:HostedControlPlaneSecurityGroups::own",
    },
    type: "hypershift-network:index:HostedControlPlaneSecurityGroups",
    name: "own",
    properties: { topology },
  });
  const leversFor = (key: string, component: Resource, around: readonly Resource[] = []) => {
    const rules = documentedPlan(node).filter(({ properties }) => properties.cidrIpv4 !== "203.0.113.0/24");
    const made = rules.map((one) =>
      one.type === TYPE.securityGroup ? { ...one, parent: component.origin.urn! } : one,
    );
    const { flows } = answerPlan({
      index: new ResourceIndex([...around, component, ...made]),
      topology: node,
    });
    const found = flows.find((flow) => flow.key === key);
    return found && "refutations" in found ? found.refutations.map(({ lever }) => lever) : [];
  };

  test.each<[string, PropertyValue, string | undefined]>([
    [
      "is a topology property that another source states",
      { name: "tenant-a" },
      "set externalClientCidrs in the topology of HostedControlPlaneSecurityGroups own",
    ],
    [
      "is none if its topology has the property",
      { name: "tenant-a", externalClientCidrs: ["203.0.113.0/24"] },
      undefined,
    ],
    ["is none if its topology is unknown", UNKNOWN, undefined],
  ])("%s", (_, topology, lever) => {
    expect(leversFor("users-oauth", maker(topology))).toEqual([lever]);
  });

  test("is set on the enclosing component that has the topology", () => {
    const urn = "urn:pulumi:test::network::hypershift-network:index:HostedClusterNetwork::whole";
    const whole: Resource = {
      origin: { urn },
      type: "hypershift-network:index:HostedClusterNetwork",
      name: "whole",
      properties: { topology: { name: "tenant-a" } },
    };
    expect(leversFor("users-oauth", { ...maker({ name: "tenant-a" }), parent: urn }, [whole])).toEqual([
      "set externalClientCidrs in the topology of HostedClusterNetwork whole",
    ]);
  });
});

describe("repairs", () => {
  test("add one rule to a security group, with the blocks of the flow merged", () => {
    const plan = documentedPlan(node).filter(({ properties }) => properties.fromPort !== 31_091);
    const found = linesFor("workers-konnectivity", plan);
    expect(found).toContain(
      "add to SecurityGroup workers: egress tcp 31091 to 10.1.0.0/16, as a SecurityGroupEgressRule",
    );
    expect(found).toContain(
      "add to SecurityGroup control-plane: ingress tcp 31091 from 198.51.100.7/32, as a SecurityGroupIngressRule",
    );
  });

  test("cover only what is not allowed yet", () => {
    const lower = documentedPlan(node).map((resource) =>
      resource.properties.securityGroupId === "sg-workers" && resource.properties.fromPort === 31_091
        ? { ...resource, properties: { ...resource.properties, cidrIpv4: "10.1.0.0/17" } }
        : resource,
    );
    expect(linesFor("workers-konnectivity", lower)).toEqual([
      "add to SecurityGroup workers: egress tcp 31091 to 10.1.128.0/17, as a SecurityGroupEgressRule",
    ]);
  });

  test("add a rule to a network ACL before the rule that denies, for answers too", () => {
    const deny = { protocol: "tcp", fromPort: 31_000, toPort: 32_000 };
    const walls = acl(
      Role.ControlPlane,
      [entry(100, "allow", { protocol: "udp" }), entry(200, "deny", deny), entry(300, "allow")],
      [entry(100, "deny", { protocol: "tcp", fromPort: 1024, toPort: 65_535 }), entry(200, "allow")],
    );
    expect(linesFor("workers-konnectivity", [...documentedPlan(node), walls])).toEqual([
      "add to NetworkAcl acl-control-plane: ingress rule 110, allow tcp 31091 from 198.51.100.7/32, before ingress[1] of NetworkAcl acl-control-plane",
      "add to NetworkAcl acl-control-plane: egress rule 10, allow tcp 32768-65535 to 198.51.100.7/32, for the answers, before egress[0] of NetworkAcl acl-control-plane",
    ]);
  });

  test("use free rule numbers between neighbours, or say that none is free", () => {
    const tight = acl(
      Role.ControlPlane,
      [entry(5, "allow", { protocol: "udp" }), entry(6, "deny")],
      [entry(100, "allow")],
    );
    const found = adviceFor("workers-konnectivity", [...documentedPlan(node), tight]);
    expect(found.flatMap(({ rules }) => rules)).toMatchObject([{ ruleNumber: 4 }]);
    const none = acl(Role.ControlPlane, [entry(1, "deny")], [entry(100, "allow")]);
    expect(linesFor("workers-konnectivity", [...documentedPlan(node), none])).toEqual([
      "too few rule numbers are free before rule 1 (1 needed): renumber the rules of acl-control-plane first",
    ]);
  });

  test("add a network policy only for the pods of the flow", () => {
    const deny = running(policy("deny", { podSelector: {}, policyTypes: ["Ingress"] }));
    expect(linesFor("workers-konnectivity", [...documentedPlan(node), deny])).toEqual([
      "add a NetworkPolicy to namespace clusters-tenant-a: pods app=konnectivity-server, ingress TCP 8091 from everybody",
      "add a NetworkPolicy to namespace clusters-tenant-a: pods app=kube-apiserver, ingress TCP 8091 from everybody",
    ]);
    const routed = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
    expect(linesFor("workers-oauth", [...documentedPlan(routed), deny], routed)).toEqual([
      "add a NetworkPolicy to namespace clusters-tenant-a: pods app=oauth-openshift, ingress TCP 6443 from every pod of namespaces network.openshift.io/policy-group=ingress",
    ]);
    expect(linesFor("workers-konnectivity", [...documentedPlan(routed), deny], routed)).toContain(
      "add a NetworkPolicy to namespace clusters-tenant-a: pods app=konnectivity-server, ingress TCP 8091 from pods app=private-router",
    );
  });

  test.each([
    ["ingress", "from", "workers-konnectivity"],
    ["egress", "to", "control-plane-egress-management-api"],
  ])("refer denials by an administrator's policy to the administrator: %s", (direction, peers, key) => {
    const deny = deniedByAdmin(direction, peers);
    expect(linesFor(key, [...documentedPlan(node), deny])[0]).toBe(
      `spec.${direction}[0] of AdminNetworkPolicy admin denies it: ask an administrator to exclude these pods from that rule`,
    );
  });

  test("name a property that the topology lacks instead of opening to every address", () => {
    const topology = said({ platform: "None", services: pinned, managementClusterCidrs: undefined });
    const plan = documentedPlan(topology).filter(({ type }) => !type.includes("Egress"));
    expect(linesFor("workers-konnectivity", plan, topology)).toContain(
      "state managementClusterCidrs in the topology: the rule must name those addresses",
    );
  });
});

describe("repairs of egress firewalls", () => {
  const firewall = (egress: object[]): Resource => ({
    origin: { urn: "urn:pulumi:test::network::firewall" },
    type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
    name: "default",
    properties: { spec: { egress: egress as never } },
  });
  const judged = (
    resource: Resource,
    protocol: Protocol,
    ports: { from: number; to: number } | undefined,
  ) => {
    const peers = [{ zone: Zone.ManagementApi, input: "", prefixes: node.managementClusterCidrs }];
    const hop: HostHop = {
      kind: "hosts",
      role: Role.Workers,
      direction: Direction.Egress,
      protocol,
      ...(ports && { ports }),
      sources: [],
      destinations: peers,
    };
    const filters = [egressFirewallFilter(resource, [])];
    const required = packetsOf(hop);
    const guard = {
      name: "firewall",
      standing: { kind: "egressFirewall" as const, firewall: resource },
      filters,
    };
    return { hop, guard, asked: "calls" as const, required, verdict: prove(required, filters), missing: [] };
  };
  const deny = { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } };
  const allow = { type: "Allow", to: { cidrSelector: "192.0.2.0/24" } };

  test("insert a rule at the position of the rule that denies", () => {
    const before = firewall([allow, deny]);
    const { rules } = repairOf(judged(before, Protocol.Tcp, { from: 6443, to: 6444 }), node);
    expect(rules.map(describeRepair)).toEqual([
      "insert into EgressFirewall default at spec.egress[1]: Allow TCP 6443, TCP 6444 to 10.1.0.0/16, before spec.egress[1] of EgressFirewall default",
    ]);
    const [after] = applied([before], rules[0]!);
    expect(judged(after!, Protocol.Tcp, { from: 6443, to: 6444 }).verdict.proof).toBe(Proof.Proved);
    const opened = changeBetween(
      [egressFirewallFilter(before, [])],
      [egressFirewallFilter(after!, [])],
    ).opened;
    const flow = packets({
      services: [service(6, { from: 6443, to: 6444 })],
      destinations: node.managementClusterCidrs,
    });
    expect(contains(flow, opened)).toBe(true);
  });

  test("state which ports and protocols no rule can name", () => {
    const wall = firewall([deny]);
    expect(repairOf(judged(wall, Protocol.Tcp, { from: 30_000, to: 32_767 }), node)).toMatchObject({
      rules: [],
      obstacle: expect.stringContaining("ports 30000-32767 are too many") as string,
    });
    expect(repairOf(judged(wall, Protocol.Esp, undefined), node).obstacle).toContain("protocol 50");
    expect(repairOf(judged(wall, Protocol.Any, undefined), node).rules).toMatchObject([
      { index: 0, rule: { to: { cidrSelector: "10.1.0.0/16" } } },
    ]);
  });
});

describe("every repair, applied to the plan", () => {
  /** Ways to break a plan. */
  const broken = fc.record({
    at: fc.integer({ min: 0, max: combinations.length - 1 }),
    deleted: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    denied: fc.constantFrom<Record<string, PropertyValue> | undefined>(
      undefined,
      { protocol: "tcp", fromPort: 0, toPort: 65_535 },
      { protocol: "udp", fromPort: 53, toPort: 53 },
      { protocol: "icmp", icmpType: -1, icmpCode: -1 },
      {},
    ),
    isolated: fc.boolean(),
  });

  test("proves the flow and opens nothing beyond it", () => {
    let repaired = 0;
    fc.assert(
      fc.property(broken, ({ at, deleted, denied, isolated }) => {
        const [, topology] = combinations[at]!;
        const whole = guardedPlan(topology);
        const rules = whole.filter(({ properties }) => properties.securityGroupId !== undefined);
        const gone = new Set(deleted.map((position) => rules[position % rules.length]));
        const walls =
          denied && acl(Role.Workers, [entry(50, "deny", denied), entry(60, "allow")], [entry(1, "allow")]);
        const plan = whole
          .filter((resource) => !gone.has(resource) && !(isolated && resource.name === "open"))
          .map((resource) => (walls && resource.name === walls.name ? walls : resource));
        if (isolated) plan.push(policy("deny", { podSelector: {}, policyTypes: ["Ingress"] }));
        const refuted = refutedIn(topology, plan);
        const answer = answerPlan({ index: new ResourceIndex(plan), topology });
        expect(answer.flows.flatMap((flow) => ("refutations" in flow ? flow.refutations : []))).toHaveLength(
          refuted.length,
        );
        expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
        const mended = repairsOf(answer).reduce<readonly Resource[]>(applied, plan);
        repaired += refuted.length;
        const now = judge(topology, mended);
        expect(now.flatMap(({ proof, journey }) => (proof === Proof.Refuted ? [journey.key] : []))).toEqual(
          [],
        );
        expectNothingBeyond(topology, plan, mended, refuted);
      }),
      { numRuns: 15 },
    );
    expect(repaired).toBeGreaterThan(15);
  });

  function expectNothingBeyond(
    topology: NormalizedTopology,
    before: readonly Resource[],
    after: readonly Resource[],
    repaired: readonly JudgedGuard[],
  ) {
    const mended = judge(topology, after).flatMap(({ guards }) => guards);
    const old = judge(topology, before).flatMap(({ guards }) => guards);
    const seen = new Set<string>();
    for (const [position, judged] of old.entries()) {
      const now = mended[position]!;
      const place = `${judged.guard.name} ${lookedAt(judged)}`;
      expect(now.guard.name).toBe(judged.guard.name);
      if (judged.hop.kind === "hosts" && seen.size === seen.add(place).size) continue;
      const here = repaired.filter(
        (one) => one.guard.name === judged.guard.name && lookedAt(one) === lookedAt(judged),
      );
      const filters = ({ guard, asked }: JudgedGuard) =>
        asked === "answers" ? (guard.answers ?? []) : guard.filters;
      const { opened, closed } = changeBetween(filters(judged), filters(now));
      expect(isEmpty(closed)).toBe(true);
      expect(contains(unionAll(here.map(flowAt)), opened)).toBe(true);
    }
  }
});

test("a rule with too narrow ports is repaired by a rule for the remaining ports", () => {
  const topology = said({ platform: "AWS", defaultWorkerRules: true });
  const kubelet = (ports: object) =>
    rule(Role.Workers, Direction.Ingress, "kubelet", {
      ipProtocol: "tcp",
      cidrIpv4: "10.0.0.0/16",
      ...ports,
    });
  const plan = documentedPlan(topology).filter(
    ({ properties, type }) => !(properties.fromPort === 9000 && type.includes("Ingress")),
  );
  const found = linesFor(
    "workers-ingress-nodes-host-services-tcp",
    [...plan, kubelet({ fromPort: 9500, toPort: 9999 })],
    topology,
  );
  expect(found).toEqual([
    "add to SecurityGroup workers: ingress tcp 9000-9499 from 10.0.0.0/16, as a SecurityGroupIngressRule",
  ]);
});
