import { answerPlan, type PlanQuestion } from "../../../src/reachability/answers/answerPlan";
import type { FlowPeer, HostHop, PodHop, SenderHop } from "../../../src/flows/model";
import { readPrefix } from "../../../src/address";
import { repairOf } from "../../../src/reachability/answers/repair/repairOf";
import { Action, type Filter } from "../../../src/reachability/filters/filter";
import { answersTo, droppedAnyway, packetsOf } from "../../../src/reachability/path/duty";
import { difference, equal, packets } from "../../../src/reachability/packets/packetSet";
import { servicesOf } from "../../../src/reachability/packets/service";
import type { WrittenGuard } from "../../../src/reachability/path/guards";
import { prove } from "../../../src/reachability/proof/prove";
import type { Refutation } from "../../../src/reachability/answers/answer";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { Direction, Protocol, Role, Zone } from "../../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "../path/clusters";
import { deniedByAdmin, denyingFirewall, documentedPlan, isolatedPlan, rule } from "../path/plan";
import { acl, entry, policy, running } from "./plans";

const node = said({ platform: "None", services: pinned });
const aws = said({ platform: "AWS" });

/** The refutations of a flow, place by place, without the documents, which are those of the rows. */
function refutationsOf(
  topology: NormalizedTopology,
  plan: readonly Resource[],
  key: string,
): Omit<Refutation, "documents">[] {
  const { flows } = answerPlan({ index: new ResourceIndex(plan), topology });
  const found = flows.find((flow) => flow.key === key);
  if (!found || !("refutations" in found)) throw new Error(`${key} is ${found?.proof}`);
  return found.refutations.map((one) => {
    const { documents: _, ...rest } = one;
    return rest;
  });
}
const denyAll = running(policy("deny", { podSelector: {}, policyTypes: ["Ingress"] }));
const writtenAt = ({ origin, type, name }: Resource) => ({ ...origin, type, name });

describe("the refutation of a flow names one packet, all dropped packets, the rule and the repair", () => {
  test("at hosts: the group that lacks a rule, with a note on HyperShift's own group, which does not count", () => {
    const plan = documentedPlan(aws);
    const group = writtenAt(plan.find(({ name }) => name === Role.Workers)!);
    const without = plan.filter(({ name }) => !name.includes("workers/egress/dns-udp"));
    expect(refutationsOf(aws, without, "workers-egress-dns-udp")).toEqual([
      {
        place: "egress of workers",
        hop: "workers/egress/dns-udp",
        guard: "security groups of workers",
        asked: "calls",
        packet: { source: "10.0.0.1", destination: "10.1.0.2", service: "UDP 53" },
        dropped: ["UDP 53 from 10.0.0.0/16 to 10.1.0.2/32"],
        holder: group,
        repair: [
          {
            kind: "security-group-rule",
            group,
            form: "split",
            direction: "egress",
            protocol: "udp",
            fromPort: 53,
            toPort: 53,
            cidrBlocks: ["10.1.0.2/32"],
            ipv6CidrBlocks: [],
          },
        ],
        note: "HyperShift's own security group of worker nodes, status.platform.aws.defaultWorkerSecurityGroupID may allow it, but this plan must allow it itself",
        requirements: ["wk-out-dns-udp"],
      },
    ]);
  });

  test("at hosts: the ACL rule that denies the flow, and why no rule fits before it", () => {
    const wall = acl(Role.Workers, [entry(1, "deny")], [entry(1, "allow")]);
    expect(refutationsOf(aws, [...documentedPlan(aws), wall], "workers-ingress-nodes-kubelet")).toEqual([
      {
        place: "ingress of workers",
        hop: "workers/ingress/nodes-kubelet",
        guard: "network ACL acl-workers",
        asked: "calls",
        packet: { source: "10.0.0.1", destination: "10.0.0.2", service: "TCP 10250" },
        dropped: ["TCP 10250 from 10.0.0.0/16 to 10.0.0.0/16"],
        rule: { ...writtenAt(wall), path: "ingress[0]" },
        holder: writtenAt(wall),
        repair: [],
        obstacle:
          "too few rule numbers are free before rule 1 (1 needed): renumber the rules of acl-workers first",
        requirements: ["up-aws-worker-tcp-10250"],
      },
    ]);
  });

  test("at pods: the senders by label if policies see labels, and the missing policy", () => {
    const both = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
    const repair = (app: string, ports: object[], from?: object[]) => ({
      kind: "network-policy",
      namespace: "clusters-tenant-a",
      podSelector: { matchLabels: { app } },
      ingress: { ports, ...(from && { from }) },
    });
    const router = [{ podSelector: { matchLabels: { app: "private-router" } } }];
    expect(refutationsOf(both, [...documentedPlan(both), denyAll], "workers-ignition")).toEqual([
      {
        place: "pods private-router",
        guard: "network policies of pods private-router",
        asked: "calls",
        packet: { source: "any address", destination: "pods private-router", service: "TCP 8443" },
        dropped: ["TCP 8443 from 0.0.0.0/0", "TCP 8443 from ::/0"],
        repair: [repair("private-router", [{ protocol: "TCP", port: 8443 }])],
        requirements: ["cp-in-private-router-https", "cp-in-ignproxy-nodeport"],
      },
      {
        place: "pods ignition-server-proxy",
        guard: "network policies of pods ignition-server-proxy",
        asked: "calls",
        packet: {
          source: "pods with app=private-router",
          destination: "pods ignition-server-proxy",
          service: "TCP 8443",
        },
        dropped: ["TCP 8443 from pods with app=private-router"],
        repair: [repair("ignition-server-proxy", [{ protocol: "TCP", port: 8443 }], router)],
        requirements: ["cp-in-private-router-https", "cp-in-ignproxy-nodeport"],
      },
    ]);
  });

  test("at pods that send: an administrator's rule", () => {
    const deny = deniedByAdmin("egress", "to");
    expect(refutationsOf(node, [...documentedPlan(node), deny], "control-plane-egress-https")).toEqual([
      {
        place: "egress of pods of the control plane to addresses",
        guard: "egress network policies of the control plane's pods",
        asked: "calls",
        packet: { source: "pods of the control plane", destination: "192.0.2.1", service: "TCP 443" },
        dropped: ["TCP 443 to 192.0.2.0/24, 198.51.100.128/25"],
        rule: { ...writtenAt(deny), path: "spec.egress[0]" },
        holder: writtenAt(deny),
        repair: [],
        obstacle:
          "spec.egress[0] of AdminNetworkPolicy admin denies it: ask an administrator to exclude these pods from that rule",
        requirements: ["cp-out-443"],
      },
    ]);
  });

  test("at a load balancer: the blocks that its list lacks", () => {
    const topology = said({ platform: "AWS", endpointAccess: "Public", loadBalancerTargets: "ip" });
    const listing: Resource = {
      origin: { urn: "urn:cluster" },
      type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
      name: "tenant-a",
      properties: {
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec: { networking: { apiServer: { allowedCIDRBlocks: ["192.0.2.0/24"] } } },
      },
    };
    expect(refutationsOf(topology, [...documentedPlan(topology), listing], "workers-kube-apiserver")).toEqual(
      [
        {
          place: "public load balancer",
          guard: "networking.apiServer.allowedCIDRBlocks of HostedCluster tenant-a",
          asked: "calls",
          packet: { source: "198.51.100.7", destination: "192.0.2.1", service: "TCP 6443" },
          dropped: ["TCP 6443 from 198.51.100.7/32 to 192.0.2.0/24"],
          holder: writtenAt(listing),
          repair: [],
          obstacle:
            "add 198.51.100.7/32 to spec.networking.apiServer.allowedCIDRBlocks of HostedCluster tenant-a",
          requirements: [],
        },
      ],
    );
  });

  test("in a namespace: the rule of its egress firewall, and a repair before that rule", () => {
    const wall = denyingFirewall("web");
    const denying = { ...writtenAt(wall), path: "spec.egress[0]" };
    expect(refutationsOf(node, [...documentedPlan(node), wall], "namespace-web-dns-tcp")).toEqual([
      {
        place: "egress of namespace web",
        guard: "egress firewall of namespace web",
        asked: "calls",
        packet: { source: "any address", destination: "10.1.0.2", service: "TCP 53" },
        dropped: ["TCP 53 to 10.1.0.2/32"],
        rule: denying,
        holder: writtenAt(wall),
        repair: [
          {
            kind: "egress-firewall-rule",
            firewall: writtenAt(wall),
            // After the planned rule for another flow.
            index: 1,
            rule: {
              type: "Allow",
              to: { cidrSelector: "10.1.0.2/32" },
              ports: [{ protocol: "TCP", port: 53 }],
            },
            before: denying,
          },
        ],
        requirements: ["wk-out-dns-tcp"],
      },
    ]);
  });
});

describe("packets between stated ends, while other ends or the port are not stated", () => {
  const https = "control-plane-egress-https";
  const unstated = { managementClusterCidrs: undefined, loadBalancerSubnetCidrs: undefined };
  const of = (more: object) => said({ platform: "None", services: pinned, ...more });
  const without = (topology: NormalizedTopology, ...names: string[]) =>
    documentedPlan(topology).filter(({ name }) => !names.some((one) => name.includes(one)));
  const lost = (topology: NormalizedTopology, plan: readonly Resource[]) =>
    refutationsOf(topology, plan, https).map(({ packet, dropped, repair, obstacle }) => ({
      to: packet.destination,
      dropped,
      repair: repair.map((one) => "cidrBlocks" in one && one.cidrBlocks),
      obstacle,
    }));
  const outcome = (topology: NormalizedTopology, plan: readonly Resource[]) =>
    answerPlan({ index: new ResourceIndex(plan), topology }).flows.find(({ key }) => key === https)?.proof;
  const other = rule(Role.ControlPlane, Direction.Egress, "other", {
    ipProtocol: "tcp",
    fromPort: 443,
    toPort: 443,
    cidrIpv4: "10.0.0.0/8",
  });
  const registry = {
    to: "198.51.100.129",
    dropped: ["TCP 443 to 198.51.100.128/25"],
    repair: [["198.51.100.128/25"]],
    obstacle: undefined,
  };

  test.each([
    ["beside routes that are not stated", { ...unstated, controlPlaneEndpointCidrs: undefined }],
    ["beside stated routes, from hosts that are not stated", unstated],
  ])("are refuted if they are dropped %s", (_, more) => {
    const topology = of(more);
    const plan = without(topology, "https/198.51.100.128/25");
    expect(lost(topology, [...plan, other])).toEqual([registry]);
    expect(outcome(topology, documentedPlan(topology))).not.toBe("refuted");
  });

  test("are refuted if they are dropped beside routes that are only assumed, and name the assumed ones nowhere", () => {
    const topology = of({ controlPlaneEndpointCidrs: undefined });
    const dropped = ["TCP 443 from 10.1.0.0/16 to 198.51.100.128/25"];
    expect(lost(topology, without(topology, "control-plane/egress/https"))).not.toEqual([]);
    expect(lost(topology, without(topology, "https/198.51.100.128/25"))).toEqual([{ ...registry, dropped }]);
    expect(outcome(topology, without(topology, "https/10.1.0.0/16"))).toBe("unknown");
  });

  test("are unknown if only one family is dropped, because the other end may not have it", () => {
    const registryCidrs = ["198.51.100.128/25", "2001:db8::/64"];
    const topology = of({ ...unstated, registryCidrs });
    expect(outcome(topology, without(topology, "https/2001:db8::/64"))).toBe("unknown");
    const plan = without(topology, "https/2001:db8::/64", "https/198.51.100.128/25");
    expect(outcome(topology, plan)).toBe("refuted");
    const whole = of({ registryCidrs, managementClusterCidrs: ["10.1.0.0/16", "2001:db8:1::/64"] });
    expect(outcome(whole, without(whole, "https/2001:db8::/64"))).toBe("refuted");
  });

  test("are refuted by an administrators' policy, as without the stated registries", () => {
    const topology = of({ ...unstated, controlPlaneEndpointCidrs: undefined });
    const shut = (block: string) => ({
      ...deniedByAdmin("egress", "to"),
      properties: {
        spec: {
          priority: 1,
          subject: { namespaces: {} },
          egress: [{ action: "Deny", to: [{ networks: [block] }] }],
        },
      },
    });
    expect(outcome(topology, [...isolatedPlan(topology), shut("0.0.0.0/0")])).toBe("refuted");
    expect(outcome(topology, [...isolatedPlan(topology), shut("203.0.113.0/24")])).toBe("unknown");
  });

  test("are refuted only if they are dropped on every port that may be meant", () => {
    const at = (input: string, block: string): FlowPeer => ({
      zone: Zone.Workers,
      input,
      prefixes: [readPrefix(block)!],
    });
    const hop = {
      protocol: Protocol.Tcp,
      ports: { from: 30_000, to: 32_767 },
      portInput: "services",
      sources: [at("a", "10.0.0.0/24"), at("b", "10.0.1.0/24")],
      destinations: [],
    };
    const required = packetsOf(hop);
    const open = servicesOf(Protocol.Tcp, { from: 30_001, to: 30_001 }, 4);
    const passing = packets({ services: [open], sources: [readPrefix("10.0.1.0/24")!] });
    const surely = droppedAnyway(hop, "calls", difference(required, passing));
    expect(equal(surely, packetsOf({ ...hop, sources: hop.sources.slice(0, 1) }))).toBe(true);
  });
});

describe("the advice if no rule of this plan can repair a flow", () => {
  const closed: Filter = { clauses: [], otherwise: Action.Deny };
  const here: FlowPeer[] = [{ zone: Zone.Pods, input: "", prefixes: [readPrefix("10.128.0.0/14")!] }];
  const hop: PodHop = {
    kind: "pods",
    app: "etcd",
    from: "addresses",
    protocol: Protocol.Tcp,
    ports: { from: 2379, to: 2379 },
    sources: here,
    destinations: here,
  };
  const ask = (standing: WrittenGuard | undefined, asked: PodHop | SenderHop = hop) => {
    const guard = { name: "what stands there", filters: [closed], ...(standing && { standing }) };
    const required = packetsOf(asked);
    const verdict = prove(required, guard.filters);
    return repairOf({ hop: asked, guard, asked: "calls", required, verdict, missing: [] }, node);
  };

  test.each<[string, string, WrittenGuard | undefined, PodHop | SenderHop]>([
    ["the guard at the place is unknown", "the definition of what stands there is unknown", undefined, hop],
    [
      "egress policies of the pods that send it",
      "allow it in the egress policies of the pods that send it",
      { kind: "networkPolicies", direction: Direction.Egress },
      hop,
    ],
    [
      "egress policies of any pods that send it",
      "allow it in the egress policies of the pods that send it",
      { kind: "networkPolicies", direction: Direction.Egress },
      { ...hop, kind: "senders", to: "addresses" },
    ],
  ])("%s: %s", (_, obstacle, standing, asked) => {
    expect(ask(standing, asked)).toEqual({ rules: [], obstacle });
  });
});

describe("an end whose addresses the topology does not state", () => {
  const said: FlowPeer = { zone: Zone.Workers, input: "said", prefixes: [readPrefix("10.0.0.0/16")!] };
  const unsaid: FlowPeer = { zone: Zone.ControlPlane, input: "unsaid" };
  const resource = documentedPlan(node).find(({ name }) => name === Role.Workers)!;
  const standing: WrittenGuard = {
    kind: "securityGroups",
    groups: [{ resource, rules: [], ruleResources: [] }],
  };
  const ask = (
    asked: "calls" | "answers",
    direction: Direction,
    sources: FlowPeer,
    destinations: FlowPeer,
  ) => {
    const closed: Filter[] = [{ clauses: [], otherwise: Action.Deny }];
    const hop: HostHop = {
      kind: "hosts",
      role: Role.Workers,
      direction,
      protocol: Protocol.Tcp,
      ports: { from: 443, to: 443 },
      sources: [sources],
      destinations: [destinations],
    };
    const required = (asked === "calls" ? packetsOf : answersTo)(hop);
    const guard = { name: "groups", standing, filters: closed, answers: closed };
    const verdict = prove(required, closed);
    return repairOf({ hop, guard, asked, required, verdict, missing: [] }, node).obstacle;
  };
  const way = "state unsaid in the topology: the rule must name those addresses";

  test.each(["calls", "answers"] as const)(
    "must be stated if rules match it, for %s; the hosts' own end need not be",
    (asked) => {
      expect(ask(asked, Direction.Ingress, unsaid, said)).toBe(way);
      expect(ask(asked, Direction.Ingress, said, unsaid)).toBeUndefined();
      expect(ask(asked, Direction.Egress, said, unsaid)).toBe(way);
      expect(ask(asked, Direction.Egress, unsaid, said)).toBeUndefined();
    },
  );
});

describe("the assumptions of a flow", () => {
  test("are listed once for each place and source of the assumption", () => {
    const { flows } = answerPlan({ index: new ResourceIndex(documentedPlan(node)), topology: node });
    const flow = flows.find(({ key }) => key === "workers-konnectivity");
    expect(flow && "assumptions" in flow && flow.assumptions.map(({ place, by }) => [place, by])).toEqual([
      ["pods konnectivity-server", "hypershift-network-policies"],
      ["pods kube-apiserver", "hypershift-network-policies"],
    ]);
  });
});

describe("the excess of policies for control-plane pods", () => {
  const documented = isolatedPlan(node).filter(({ type }) => type.includes("NetworkPolicy"));
  const open = policy("open", {
    podSelector: { matchLabels: { app: "etcd" } },
    ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: [{ port: 2379 }] }],
  });
  const ask = (isolation: PlanQuestion["isolation"]) => {
    const { excess, undecided, summary } = answerPlan({
      index: new ResourceIndex(documentedPlan(node)),
      topology: node,
      ...(isolation && { isolation }),
    });
    expect(summary.excess).toBe(excess.length);
    return { excess, undecided };
  };

  test("is not computed without policies, and is empty for documented policies", () => {
    expect(ask(undefined)).toEqual({ excess: [], undecided: undefined });
    expect(ask({ policies: documented, admin: [], documented })).toEqual({
      excess: [],
      undecided: undefined,
    });
  });

  test("names an example, for administrators' policies too", () => {
    const let10 = deniedByAdmin("ingress", "from");
    const spec = let10.properties.spec as Record<string, PropertyValue>;
    const allow: Resource = {
      ...let10,
      properties: { spec: { ...spec, ingress: [{ action: "Allow", from: [{ namespaces: {} }] }] } },
    };
    const { excess, undecided } = ask({ policies: [open], admin: [allow], documented });
    expect(undecided).toBeUndefined();
    expect(excess[0]).toEqual({
      rule: { ...writtenAt(open), path: "spec.ingress[0]" },
      places: [
        {
          place: "pods with app=etcd",
          direction: "ingress",
          guard: "network policies of clusters-tenant-a",
          packets: ["TCP 2379 from 10.0.0.0/8"],
        },
      ],
    });
    expect(excess.slice(1).map(({ rule: one }) => one?.name)).toEqual(["admin"]);
  });

  test("is undecided if a value inside a rule, or the namespace of a policy, is not known", () => {
    const from: PropertyValue = [{ ipBlock: { cidr: "192.0.2.0/24", except: [UNKNOWN] } }];
    const rule = policy("rule", { podSelector: {}, ingress: [{ from, ports: [{ port: "http" }] }] });
    const elsewhere: Resource = {
      ...open,
      properties: { ...open.properties, metadata: { namespace: UNKNOWN } },
    };
    const deny = policy("deny", { podSelector: UNKNOWN, policyTypes: ["Ingress"] });
    const { excess, undecided } = ask({ policies: [rule, elsewhere, deny], admin: [], documented });
    expect(excess).toEqual([]);
    expect(undecided).toEqual([
      { resource: writtenAt(rule), path: "spec.ingress[0].from[0].ipBlock.except[0]" },
      {
        resource: writtenAt(rule),
        path: "spec.ingress[0].ports[0].port",
        reason: "the number of the pods' port http is not known",
      },
      { resource: writtenAt(elsewhere), path: "metadata.namespace" },
    ]);
  });

  test("is undecided if policies distinguish too many pods", () => {
    const many = Array.from({ length: 40 }, (_, place) =>
      policy(`p-${place}`, {
        podSelector: { matchExpressions: [{ key: `label-${place}`, operator: "Exists" }] },
        ingress: [{}],
      }),
    );
    expect(ask({ policies: many, admin: [], documented }).undecided).toEqual([
      {
        resource: writtenAt(many[0]!),
        path: "spec.podSelector",
        reason: "the policies distinguish too many kinds of pods to check each of them",
      },
    ]);
  });
});

describe("what a user accepts", () => {
  const ssh = rule(Role.Workers, Direction.Ingress, "ssh", {
    ipProtocol: "tcp",
    fromPort: 22,
    toPort: 22,
    cidrIpv4: "192.0.2.0/24",
  });

  test("is no excess if the rule is intended", () => {
    const index = new ResourceIndex([...documentedPlan(node), ssh]);
    const excess = (name?: string) =>
      answerPlan({
        index,
        topology: node,
        ...(name && { isMeant: ({ resource }) => resource.name === name }),
      }).excess.map(({ rule: one }) => one?.name);
    expect([excess(), excess("other"), excess("ssh")]).toEqual([["ssh"], ["ssh"], []]);
  });

  test("is not counted as refuted if the flow is exempted, which the flow states", () => {
    const plan = documentedPlan(node).filter(({ properties }) => properties.fromPort !== 31_091);
    const { flows, summary } = answerPlan({
      index: new ResourceIndex(plan),
      topology: node,
      accepted: new Map([["workers-konnectivity", "exempted"]]),
    });
    const accepted = flows.filter((flow) => flow.accepted !== undefined);
    expect(accepted.map(({ key, accepted: why }) => [key, why])).toEqual([
      ["workers-konnectivity", "exempted"],
    ]);
    expect(summary).toMatchObject({ exempted: 1, disabled: 0 });
  });
});
