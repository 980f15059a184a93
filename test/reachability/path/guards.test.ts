import { journeys } from "../../../src/flows/journeys";
import type { FlowPeer, PodHop, SenderHop } from "../../../src/flows/model";
import { packetsOf } from "../../../src/reachability/path/duty";
import { allowListGuard, type Guard } from "../../../src/reachability/path/guards";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { isUnguarded, planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import { readPrefix } from "../../../src/address";
import { Direction, Protocol, Role, Zone } from "../../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { acl, entry } from "../answers/plans";
import { pinned, said } from "./clusters";
import { isolatedPlan, rule } from "./plan";
import { describePackets } from "../shown";

const NAMESPACE = "clusters-tenant-a";
const bare = said({ platform: "None", services: pinned });
const aws = said({ platform: "AWS" });
const object = (type: string, name: string, spec: PropertyValue, namespace?: PropertyValue): Resource => ({
  origin: { urn: `urn:${name}` },
  type: `kubernetes:${type}`,
  name,
  properties: { metadata: { name, ...(namespace !== undefined && { namespace }) }, spec },
});
const policy = (spec: object, name = "mine", namespace: PropertyValue = NAMESPACE) =>
  object("networking.k8s.io/v1:NetworkPolicy", name, { podSelector: {}, ...spec }, namespace);
const everywhere = [{ networks: ["0.0.0.0/0", "::/0"] }];
const admin = (action: string) =>
  object("policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", "admin", {
    priority: 1,
    subject: { namespaces: {} },
    egress: [{ action, to: everywhere }],
  });
const baseline = object("policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy", "default", {
  subject: { namespaces: {} },
  egress: [{ action: "Deny", to: everywhere }],
});
const outward = policy({ policyTypes: ["Egress"] });

/** Names of guards, with the values that decide whether they apply and the reasons. */
const named = (guards: readonly Guard[]) =>
  guards.map(({ name, doubtful = [] }) =>
    [name, ...doubtful.map(({ resource, path, reason }) => `${resource.name} ${path}: ${reason}`)].join(
      " | ",
    ),
  );
const pods = (from: PodHop["from"], app = "oauth-openshift"): PodHop => ({
  ...{ kind: "pods", app, from, protocol: Protocol.Tcp, ports: { from: 6443, to: 6443 } },
  ...{ sources: [], destinations: [] },
});
const senders: SenderHop = {
  ...{ kind: "senders", to: "addresses", protocol: Protocol.Tcp, ports: { from: 443, to: 443 } },
  ...{ sources: [], destinations: [] },
};
const at = (hop: PodHop | SenderHop, topology: NormalizedTopology, ...plan: Resource[]) =>
  named(planGuards(new ResourceIndex(plan), topology).pods(hop));

describe("the guards of pods", () => {
  const ROUTER = { labels: { app: "private-router" } };
  const reached = "network policies of pods oauth-openshift";
  const besides = "mine spec.egress: HyperShift also creates policies, which may allow more egress";
  const behind =
    "default spec.egress[0]: HyperShift's own egress policies, which no plan shows, may select these pods: baseline policies do not apply then";

  test.each<[string, PodHop, Resource[], string[]]>([
    ["no policy", pods(ROUTER), [], [reached]],
    [
      "an egress policy, between pods",
      pods(ROUTER),
      [outward],
      [reached, `egress network policies of pods private-router | ${besides}`],
    ],
    ["an ingress policy, between pods", pods(ROUTER), [policy({})], [reached]],
    ["an egress policy, from addresses", pods("addresses"), [outward], [reached]],
    [
      "an egress policy, within one pod",
      pods(ROUTER, "private-router"),
      [outward],
      [reached.replace("oauth-openshift", "private-router")],
    ],
    [
      "an egress policy, from another namespace",
      pods({ namespaceLabels: { team: "a" }, labels: { app: "router" } }),
      [outward],
      [reached],
    ],
    ["an egress policy, from pods without labels", pods({ labels: {} }), [outward], [reached]],
  ])("are named, with doubts, for %s", (_, hop, plan, expected) => {
    expect(at(hop, bare, ...plan)).toEqual(expected);
  });

  test.each<[string, NormalizedTopology, Resource[], string[]]>([
    ["no policy", bare, [], []],
    ["an ingress policy", bare, [policy({})], []],
    [
      "an egress policy",
      bare,
      [outward],
      [`egress network policies of the control plane's pods | ${besides}`],
    ],
    [
      "an administrators' policy",
      bare,
      [admin("Deny")],
      ["egress network policies of the control plane's pods"],
    ],
    ["a baseline policy", bare, [baseline], ["egress network policies of the control plane's pods"]],
    [
      "a baseline policy where HyperShift's policies may select the pods",
      aws,
      [baseline],
      [`egress network policies of the control plane's pods | ${behind}`],
    ],
  ])("that send are named, with doubts, for %s", (_, topology, plan, expected) => {
    expect(at(senders, topology, ...plan)).toEqual(expected);
  });

  test("include HyperShift's own policies, which are the only ones if the plan has none", () => {
    const others = (...plan: Resource[]) =>
      planGuards(new ResourceIndex(plan), bare)
        .pods(pods("addresses"))
        .map((guard) => [guard.others?.by.id, guard.others?.isOnlyOne]);
    expect(others()).toEqual([["hypershift-network-policies", true]]);
    expect(others(policy({}))).toEqual([["hypershift-network-policies", false]]);
    expect(others(outward)).toEqual([["hypershift-network-policies", true]]);
    expect(others({ ...policy({}), origin: { live: "policy" } })).toEqual([[undefined, undefined]]);
    const read = planGuards(
      new ResourceIndex([{ ...policy({}), origin: { live: "policy" } }]),
      bare,
      undefined,
      false,
    );
    expect(read.pods(pods("addresses"))[0]?.others?.by.id).toBe("hypershift-network-policies");
  });
});

describe("the guards of hosts", () => {
  test("are incomplete if a rule with an unknown group may belong to them", () => {
    const stray: Resource = {
      ...rule(Role.Workers, Direction.Ingress, "stray", { ipProtocol: "-1" }),
      properties: { securityGroupId: UNKNOWN, ipProtocol: "-1" },
    };
    const guards = planGuards(new ResourceIndex([...isolatedPlan(bare), stray]), bare);
    const [guard] = guards.hosts(Role.Workers, Direction.Ingress);
    expect(guard?.incomplete).toMatchObject({ resource: { name: "stray" }, path: "securityGroupId" });
  });

  test("include a VPC's default ACL, named after the VPC if only its rules are in the plan", () => {
    const vpc: Resource = {
      origin: { urn: "urn:vpc" },
      type: TYPE.vpc,
      name: "mine",
      properties: { id: "vpc-1", defaultNetworkAclId: "acl-0" },
    };
    const subnet: Resource = {
      origin: { urn: "urn:subnet" },
      type: TYPE.subnet,
      name: "workers",
      properties: { vpcId: "vpc-1", tags: { "hypershift-network/role": "workers" } },
    };
    const deny: Resource = {
      origin: { urn: "urn:deny" },
      type: TYPE.networkAclRule,
      name: "deny",
      properties: { networkAclId: "acl-0", ...entry(1, "deny"), ruleNumber: 1, egress: false },
    };
    const guards = planGuards(new ResourceIndex([vpc, subnet, deny]), bare);
    expect(named(guards.hosts(Role.Workers, Direction.Ingress))).toEqual([
      "the default network ACL of VPC mine",
    ]);
  });

  test("note what others allow if the plan must allow it", () => {
    const plan = isolatedPlan(aws).filter(({ name }) => !name.includes("workers/egress/dns-udp"));
    const index = new ResourceIndex(plan);
    const journey = journeys(aws).find(({ key }) => key === "workers-egress-dns-udp")!;
    const { guards } = judgeJourney(journey, planGuards(index, aws));
    const refuted = guards.filter(({ verdict }) => verdict.proof === Proof.Refuted);
    expect(refuted.map(({ passedBy }) => passedBy?.id)).toEqual(["hypershift-worker-group"]);
  });
});

test("the list of a HostedCluster guards its load balancer and denies addresses outside it", () => {
  const listedBy = object("hypershift.openshift.io/v1beta1:HostedCluster", "tenant-a", {});
  const allowed = [readPrefix("203.0.113.0/24")!];
  const { name, standing, filters } = allowListGuard({ listedBy, allowed });
  expect([name, standing]).toEqual([
    "networking.apiServer.allowedCIDRBlocks of HostedCluster tenant-a",
    { kind: "allowList", listedBy },
  ]);
  const [{ clauses, otherwise }] = filters as [Guard["filters"][number]];
  expect([clauses.map(({ path, actions }) => [path, actions]), otherwise]).toEqual([
    [["spec.networking.apiServer.allowedCIDRBlocks", ["allow"]]],
    "deny",
  ]);
});

describe("the required packets between two ends", () => {
  const peer = (...cidrs: string[]): FlowPeer => ({
    ...{ zone: Zone.Workers, input: "" },
    prefixes: cidrs.map((cidr) => readPrefix(cidr)!),
  });
  const unsaid: FlowPeer = { zone: Zone.Any, input: "externalClientCidrs" };

  test.each<[string, FlowPeer[], Protocol, string[]]>([
    ["come from one block", [peer("10.0.0.0/16")], Protocol.Tcp, ["TCP 443 from 10.0.0.0/16 to 0.0.0.0/0"]],
    [
      "come from several blocks",
      [peer("10.0.0.0/16"), peer("10.2.0.0/16")],
      Protocol.Tcp,
      ["TCP 443 from 10.0.0.0/16, 10.2.0.0/16 to 0.0.0.0/0"],
    ],
    [
      "come from any address if one source is not stated",
      [peer("10.0.0.0/16"), unsaid],
      Protocol.Tcp,
      ["TCP 443 from 0.0.0.0/0 to 0.0.0.0/0", "TCP 443 from ::/0 to ::/0"],
    ],
    [
      "use ICMP for IPv4 and ICMPv6 for IPv6",
      [peer("10.0.0.0/16", "fd00::/64")],
      Protocol.Icmp,
      ["ICMP from 10.0.0.0/16 to 0.0.0.0/0", "ICMPv6 from fd00::/64 to ::/0"],
    ],
  ])("%s", (_, sources, protocol, expected) => {
    const ports = protocol === Protocol.Icmp ? {} : { ports: { from: 443, to: 443 } };
    expect(describePackets(packetsOf({ protocol, ...ports, sources, destinations: [] }))).toEqual(expected);
  });
});

describe("a cluster is unguarded by a plan", () => {
  const component: Resource = {
    origin: { urn: "urn:component" },
    type: "hypershift-network:index:HostedControlPlaneSecurityGroups",
    name: "tenant-a",
    properties: { topology: { name: "tenant-a" } },
  };
  const firewall = object("k8s.ovn.org/v1:EgressFirewall", "default", { egress: [] }, "shop");
  const network = object("operator.openshift.io/v1:Network", "cluster", {
    defaultNetwork: { ovnKubernetesConfig: { ipsecConfig: { mode: "Full" } } },
  });
  const stray: Resource = {
    ...acl(Role.Workers, [], []),
    type: TYPE.networkAclRule,
    properties: { networkAclId: UNKNOWN },
  };

  test.each<[string, Resource[], boolean]>([
    ["nothing", [], true],
    ["a component", [component], true],
    ["a policy elsewhere", [policy({}, "mine", "shop")], true],
    ["a policy", [policy({})], false],
    ["an administrator's policy", [admin("Deny")], false],
    ["a baseline", [baseline], false],
    ["an ACL of any cluster", [acl(Role.Workers, [], [])], false],
    ["a rule of an unknown ACL", [stray], false],
    ["a security group", isolatedPlan(bare).filter(({ name }) => name === String(Role.Workers)), false],
    ["an egress firewall", [firewall], false],
    ["encryption between nodes", [network], false],
  ])("with %s: %s", (_, plan, expected) => {
    expect(isUnguarded(new ResourceIndex(plan), bare)).toBe(expected);
  });
});
