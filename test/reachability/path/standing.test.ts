import { journeys } from "../../../src/flows/journeys";
import type { HostHop, Journey, PodHop } from "../../../src/flows/model";
import { answersTo } from "../../../src/reachability/path/duty";
import { bootstrapPackets, neededPackets } from "../../../src/reachability/path/excess";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import type { Guard } from "../../../src/reachability/path/guards";
import { Proof, prove } from "../../../src/reachability/proof/prove";
import { contains, difference, isEmpty } from "../../../src/reachability/packets/packetSet";
import { NAMESPACE_LABEL, POLICY_GROUP } from "../../../src/requirements/networkPolicies";
import { Direction, Phase, Protocol, Zone, Role } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { readPrefix } from "../../../src/address";
import { running } from "../answers/plans";
import { pinned, said } from "./clusters";
import { documentedPlan, rule } from "./plan";
import { describePackets } from "../shown";

const topology = said({ platform: "None", services: pinned });
const guardsIn = (...plan: Resource[]) => planGuards(new ResourceIndex(plan), topology);
const origin = (name: string) => ({ urn: `urn:pulumi:test::network::${name}` });
const tags = (role: Role) => ({ "hypershift-network/role": role, "hypershift-network/cluster": "tenant-a" });

describe("security groups", () => {
  const group = (id: string): Resource => ({
    origin: origin(id),
    type: TYPE.securityGroup,
    name: id,
    properties: { id, tags: tags(Role.Workers) },
  });
  const inGroup = (id: string) =>
    rule(Role.Workers, Direction.Ingress, `rule-${id}`, { securityGroupId: id, ipProtocol: "-1" });

  test("of a role form one guard with all of their rules", () => {
    const [guard, ...others] = guardsIn(group("sg-1"), group("sg-2"), inGroup("sg-1"), inGroup("sg-2")).hosts(
      Role.Workers,
      Direction.Ingress,
    );
    expect(others).toEqual([]);
    expect(guard?.name).toBe("security groups of workers");
    expect(guard?.standing).toMatchObject({
      kind: "securityGroups",
      groups: [{ resource: { name: "sg-1" } }, { resource: { name: "sg-2" } }],
    });
    expect(guard?.filters[0]?.clauses.map(({ resource }) => resource.name)).toEqual([
      "rule-sg-1",
      "rule-sg-2",
    ]);
    expect(guard).not.toHaveProperty("incomplete");
  });

  test("outside the stack may have other rules, which the guard states with its known rule", () => {
    const foreign: Resource = {
      ...inGroup("sg-9"),
      parent: "urn:component",
      name: "tenant-a-workers-ingress-x",
    };
    const component: Resource = {
      origin: { urn: "urn:component" },
      type: "hypershift-network:index:HostedControlPlaneSecurityGroups",
      name: "tenant-a",
      properties: { topology: { name: "tenant-a" } },
    };
    const [guard] = guardsIn(component, foreign).hosts(Role.Workers, Direction.Ingress);
    expect(guard?.incomplete).toEqual({
      resource: foreign,
      path: "securityGroupId",
      reason: "the other rules of a security group that is not in this stack",
    });
  });

  test("in a rule count as the addresses of their hosts", () => {
    const naming = rule(Role.ControlPlane, Direction.Ingress, "naming", {
      ipProtocol: "tcp",
      fromPort: 443,
      toPort: 443,
      referencedSecurityGroupId: "sg-1",
    });
    const own: Resource = {
      ...group("sg-control-plane"),
      properties: { id: "sg-control-plane", tags: tags(Role.ControlPlane) },
    };
    const [guard] = guardsIn(group("sg-1"), own, naming).hosts(Role.ControlPlane, Direction.Ingress);
    expect(guard!.filters[0]!.clauses.flatMap(({ sure }) => describePackets(sure))).toEqual([
      "TCP 443 from 10.0.0.0/16 to 0.0.0.0/0",
    ]);
  });
});

describe("network ACLs", () => {
  const acl = (role: Role, properties: Record<string, PropertyValue> = {}): Resource => ({
    origin: origin("walls"),
    type: TYPE.networkAcl,
    name: "walls",
    properties: { tags: tags(role), ingress: [], egress: [], ...properties },
  });

  test("of the workers' subnets guard private endpoints too", () => {
    const found = (role: Role, ...plan: Resource[]) =>
      guardsIn(...plan)
        .hosts(role, Direction.Ingress)
        .map(({ name, standing }) => [name, standing?.kind]);
    expect(found(Role.PrivateEndpoint, acl(Role.Workers))).toEqual([["network ACL walls", "networkAcl"]]);
    expect(found(Role.Workers, acl(Role.Workers))).toEqual([["network ACL walls", "networkAcl"]]);
    expect(found(Role.ControlPlane, acl(Role.Workers))).toEqual([]);
  });

  test.each([
    ["acl-0123456789abcdef0", "network ACL acl-0123456789abcdef0"],
    ["my-acl-1", "an unknown network ACL"],
    ["acl-1-old", "an unknown network ACL"],
    ["acl-?", "an unknown network ACL"],
  ])("outside the stack are named by their ID if it is valid: %s", (id, name) => {
    const subnet: Resource = {
      origin: origin("subnet"),
      type: "aws:ec2/subnet:Subnet",
      name: "subnet",
      properties: { id: "subnet-1", tags: tags(Role.Workers) },
    };
    const association: Resource = {
      origin: origin("association"),
      type: "aws:ec2/networkAclAssociation:NetworkAclAssociation",
      name: "association",
      properties: { networkAclId: id, subnetId: "subnet-1" },
    };
    const guards = guardsIn(subnet, association).hosts(Role.Workers, Direction.Ingress);
    expect(guards.map((guard) => guard.name)).toEqual([name]);
  });
});

describe("network policies of pods", () => {
  const hop = (from: PodHop["from"]): PodHop => ({
    kind: "pods",
    app: "oauth-openshift",
    from,
    protocol: Protocol.Tcp,
    ports: { from: 6443, to: 6443 },
    sources: [],
    destinations: [],
  });
  const policy = (spec: PropertyValue, namespace = topology.controlPlaneNamespace): Resource =>
    running({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: "one",
      properties: { metadata: { name: "one", namespace }, spec },
    });
  const letsPass = (from: PodHop["from"], resource: Resource): Proof => {
    const [guard] = guardsIn(resource).pods(hop(from));
    const journey = { hops: [hop(from)], missing: [], outside: [] } as unknown as Journey;
    expect(guard?.name).toBe("network policies of pods oauth-openshift");
    expect(guard?.standing).toEqual({ kind: "networkPolicies", direction: "ingress" });
    return judgeJourney(journey, guardsIn(resource)).proof;
  };
  const ROUTER = { labels: { app: "private-router" } };
  const INGRESS = { namespaceLabels: { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.ingress }, labels: {} };
  const letting = (from: PropertyValue) => policy({ podSelector: {}, ingress: [{ from: [from] }] });
  const ofIngress = {
    namespaceSelector: { matchLabels: { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.ingress } },
  };

  test("distinguish pods of the namespace from addresses and from pods of other namespaces", () => {
    const sameNamespace = letting({ podSelector: {} });
    expect(letsPass(ROUTER, sameNamespace)).toBe(Proof.Proved);
    expect(letsPass(INGRESS, sameNamespace)).toBe(Proof.Refuted);
    expect(letsPass("addresses", sameNamespace)).toBe(Proof.Refuted);
    expect(letsPass(ROUTER, letting(ofIngress))).toBe(Proof.Unknown);
    expect(letsPass(INGRESS, letting(ofIngress))).toBe(Proof.Proved);
    expect(letsPass("addresses", letting(ofIngress))).toBe(Proof.Refuted);
    expect(letsPass("addresses", letting({ ipBlock: { cidr: "0.0.0.0/0" } }))).toBe(Proof.Refuted);
  });

  test("may match unknown labels of pods", () => {
    expect(letsPass(ROUTER, letting({ podSelector: { matchLabels: { app: "private-router" } } }))).toBe(
      Proof.Proved,
    );
    expect(letsPass(ROUTER, letting({ podSelector: { matchLabels: { app: "other" } } }))).toBe(Proof.Refuted);
    expect(letsPass(ROUTER, letting({ podSelector: { matchLabels: { tier: "a" } } }))).toBe(Proof.Unknown);
    const named = { [NAMESPACE_LABEL.name]: topology.controlPlaneNamespace };
    expect(letsPass(ROUTER, letting({ namespaceSelector: { matchLabels: named } }))).toBe(Proof.Proved);
    const deny = (matchLabels: PropertyValue) => policy({ podSelector: { matchLabels } });
    expect(letsPass(ROUTER, deny({ app: "oauth-openshift" }))).toBe(Proof.Refuted);
    expect(letsPass(ROUTER, deny({ app: "etcd" }))).toBe(Proof.Proved);
    expect(letsPass(ROUTER, deny({ tier: "a" }))).toBe(Proof.Unknown);
  });

  test("are those of the control plane's namespace, and administrators' policies that select it", () => {
    expect(letsPass(ROUTER, policy({ podSelector: {} }, "other"))).toBe(Proof.Assumed);
    const admin = (matchLabels: PropertyValue): Resource => ({
      origin: {},
      type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
      name: "admin",
      properties: {
        spec: {
          priority: 1,
          subject: { namespaces: { matchLabels } },
          ingress: [{ action: "Deny", from: [{ namespaces: {} }] }],
        },
      },
    });
    expect(letsPass(ROUTER, admin({ [NAMESPACE_LABEL.name]: topology.controlPlaneNamespace }))).toBe(
      Proof.Refuted,
    );
    expect(letsPass(ROUTER, admin({ [NAMESPACE_LABEL.name]: "other" }))).toBe(Proof.Assumed);
    expect(letsPass(ROUTER, admin({ team: "a" }))).toBe(Proof.Unknown);
  });
});

describe("egress firewalls", () => {
  const firewall = (namespace: string): Resource => ({
    origin: {},
    type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
    name: `of-${namespace}`,
    properties: {
      metadata: { name: "default", namespace },
      spec: { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] },
    },
  });
  const guardsOf = (
    namespace: string,
    cluster: "hosted" | "management" = "hosted",
    of = topology,
  ): readonly Guard[] =>
    planGuards(
      new ResourceIndex([firewall("web"), firewall("shop"), firewall(of.controlPlaneNamespace)]),
      of,
    ).namespaces({
      kind: "namespace",
      cluster,
      namespace,
      protocol: Protocol.Any,
      sources: [],
      destinations: [],
    });

  test("guard the pods of their own namespace and cluster", () => {
    expect(guardsOf("web")).toMatchObject([
      {
        name: "egress firewall of namespace web",
        standing: { kind: "egressFirewall", firewall: { name: "of-web" } },
      },
    ]);
    expect(guardsOf("other")).toEqual([]);
    expect(guardsOf("web", "management")).toEqual([]);
    expect(guardsOf(topology.controlPlaneNamespace)).toEqual([]);
    expect(guardsOf(topology.controlPlaneNamespace, "management")).toHaveLength(1);
  });

  test("of the hosted cluster exempt the cluster network, which only a topology states", () => {
    const inside = { destinations: topology.clusterNetwork.map(({ prefix }) => prefix) };
    expect(inside.destinations).not.toEqual([]);
    const toPods = (found: readonly Guard[]) =>
      found.map(({ filters }) => prove(packetsTo(inside.destinations.map(String)), filters).proof);
    expect(toPods(guardsOf("web"))).toEqual([Proof.Proved]);
    expect(toPods(guardsOf(topology.controlPlaneNamespace, "management"))).not.toEqual([Proof.Proved]);
    const pending = { ...topology, unknown: ["clusterNetwork"] };
    expect(toPods(guardsOf("web", "hosted", pending))).not.toEqual([Proof.Proved]);
  });
});

/** Answers, used here as packets to these blocks. */
const packetsTo = (cidrs: readonly string[]) =>
  answersTo({
    protocol: Protocol.Any,
    sources: [{ zone: Zone.Pods, input: "", prefixes: cidrs.map((cidr) => readPrefix(cidr)!) }],
    destinations: [],
  });

describe("answers", () => {
  const hop = (more: Partial<HostHop>): HostHop => ({
    kind: "hosts",
    role: Role.Workers,
    direction: Direction.Egress,
    protocol: Protocol.Tcp,
    ports: { from: 443, to: 443 },
    sources: [{ zone: Zone.Workers, input: "", prefixes: [readPrefix("10.0.0.0/16")!] }],
    destinations: [{ zone: Zone.ControlPlane, input: "", prefixes: [readPrefix("10.1.0.0/16")!] }],
    ...more,
  });
  const clients = [{ zone: Zone.ExternalClients, input: "", prefixes: [readPrefix("203.0.113.0/24")!] }];

  test.each<[string, Partial<HostHop>, string]>([
    ["go to the ports from which hosts call", {}, "TCP 32768-65535 from 10.1.0.0/16 to 10.0.0.0/16"],
    [
      "go to the ports from which any client calls",
      { sources: clients },
      "TCP 1024-65535 from 10.1.0.0/16 to 203.0.113.0/24",
    ],
    [
      "go to both port ranges if hosts and clients call",
      { sources: [...hop({}).sources, ...clients] },
      "TCP 1024-65535 from 10.1.0.0/16 to 10.0.0.0/16, 203.0.113.0/24",
    ],
    [
      "go to the same ports for UDP",
      { protocol: Protocol.Udp },
      "UDP 32768-65535 from 10.1.0.0/16 to 10.0.0.0/16",
    ],
    [
      "go to the port of the tunnel for tunnels",
      { protocol: Protocol.Udp, ports: { from: 6081, to: 6081 }, samePortBothWays: true },
      "UDP 6081 from 10.1.0.0/16 to 10.0.0.0/16",
    ],
    [
      "go to the called port for SCTP",
      { protocol: Protocol.Sctp },
      "SCTP 443 from 10.1.0.0/16 to 10.0.0.0/16",
    ],
  ])("%s", (_, more, packets) => {
    expect(describePackets(answersTo(hop(more)))).toEqual([packets]);
  });

  test("have no ports for protocols without ports", () => {
    const { ports: _, ...portless } = hop({ protocol: Protocol.Esp });
    expect(describePackets(answersTo(portless))).toEqual(["ESP from 10.1.0.0/16 to 10.0.0.0/16"]);
  });
});

describe("a required value that is not stated", () => {
  const inputsOf = (unsaid: object, key: string) => {
    const cluster = said({ platform: "None", services: pinned, ...unsaid });
    // Some packets pass; whether these are the required ones depends on the missing value.
    const group = documentedPlan(topology).filter(({ type }) => type === TYPE.securityGroup);
    const partly = rule(Role.ControlPlane, Direction.Ingress, "some", {
      ipProtocol: "tcp",
      fromPort: 31_000,
      toPort: 31_500,
      cidrIpv4: "198.51.100.0/24",
    });
    const leaving = rule(Role.Workers, Direction.Egress, "all", {
      ipProtocol: "-1",
      cidrIpv4: "10.1.0.0/16",
    });
    const guards = planGuards(new ResourceIndex([...group, partly, leaving]), cluster);
    return judgeJourney(
      journeys(cluster).find((one) => one.key === key)!,
      guards,
    ).missing;
  };

  test("is named with what depends on it", () => {
    const unpinned = { ...pinned, konnectivity: { type: "NodePort" } };
    expect(inputsOf({ services: unpinned }, "workers-konnectivity")).toContainEqual({
      input: "services.konnectivity.nodePort",
      why: "which port of the range is used",
    });
    expect(inputsOf({ managementClusterCidrs: undefined }, "workers-konnectivity")).toContainEqual({
      input: "managementClusterCidrs",
      why: "the addresses of the zone control-plane",
    });
    expect(
      inputsOf({ services: { ...pinned, oauthServer: { type: "NodePort" } } }, "users-oauth"),
    ).toContainEqual({
      input: "services.oauthServer.nodePort",
      why: "the node port at which users reach OAuthServer",
    });
    const some = running({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: "some",
      properties: {
        metadata: { name: "some", namespace: topology.controlPlaneNamespace },
        spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }] },
      },
    });
    const users = journeys(topology).find(({ key }) => key === "users-oauth")!;
    const reached = { ...users, hops: users.hops.filter(({ kind }) => kind === "pods"), missing: [] };
    expect(judgeJourney(reached, guardsIn(some)).missing).toEqual([
      { input: "", why: "the address that replaces the client's address" },
    ]);
    const balanced = { services: undefined, loadBalancerTargets: undefined, platform: "AWS" };
    expect(inputsOf(balanced, "workers-konnectivity").map(({ why }) => why)).toContain(
      "whether load balancers forward to node ports or to pods, and thus which port the hosts' security groups see",
    );
  });
});

describe("packets that are needed only while nodes join", () => {
  test("are at each place those that only the bootstrap phase requires", () => {
    const cluster = said({ platform: "AWS", services: undefined, loadBalancerTargets: "ip" });
    const only = bootstrapPackets(cluster);
    const always = neededPackets({ ...cluster, bootstrap: false });
    const all = neededPackets({ ...cluster, bootstrap: true });
    expect(bootstrapPackets(cluster)).toBe(only);
    const places = Object.values(Role).flatMap((role) =>
      Object.values(Direction).map((direction) => [role, direction] as const),
    );
    for (const [role, direction] of places) {
      expect(isEmpty(difference(all(role, direction), always(role, direction)))).toBe(
        isEmpty(only(role, direction)),
      );
      expect(contains(all(role, direction), only(role, direction))).toBe(true);
    }
    const phases = journeys(cluster).filter(({ phase }) => phase === Phase.Bootstrap);
    expect(phases.map(({ key }) => key)).toEqual(["workers-ignition"]);
    // The documents disagree on the port of ignition, so each port counts.
    const pinnedOnly = bootstrapPackets(topology);
    expect(describePackets(pinnedOnly(Role.Workers, Direction.Egress))).toEqual([
      "TCP 8443, TCP 31090 from 0.0.0.0/0 to 10.1.0.0/16",
    ]);
    expect(describePackets(pinnedOnly(Role.ControlPlane, Direction.Ingress))).toEqual([
      "TCP 8443, TCP 9090 from 10.0.0.0/16 to 0.0.0.0/0",
      "TCP 31090 from 10.0.0.0/16, 198.51.100.7/32 to 0.0.0.0/0",
    ]);
  });
});
