import { judgedJourneys } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import type { Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { acl, entry, running } from "../answers/plans";
import { published } from "../../topology/topologies";
import { pinned, said } from "./clusters";
import { documentedPlan, isolatedPlan, rule } from "./plan";

const aws = said({ platform: "AWS" });
/** The groups and rules that the documents require of a plan, without flows between nodes. */
const plansOwn = (topology: NormalizedTopology): Resource[] =>
  isolatedPlan(topology).filter(
    ({ name }) => !/\/(nodes|load-balancer-health|load-balancer-clients)/.test(name),
  );
const judged = (topology: NormalizedTopology, plan: readonly Resource[], key: string) => {
  const index = new ResourceIndex(plan);
  const all = judgedJourneys(index, topology, planGuards(index, topology));
  const found = all.find(({ journey }) => journey.key === key)!;
  return {
    proof: found.proof,
    by: found.assumptions.map(({ by }) => by.id),
    unguarded: found.unguarded.length,
  };
};

describe("a place that others open", () => {
  test.each([
    ["workers-ingress-nodes-kubelet", "hypershift-worker-group"],
    ["control-plane-ingress-nodes-etcd-client", "installer-node-groups"],
    ["users-kube-apiserver", "cloud-controller-node-ports"],
  ])("is assumed for %s because of the group of others that allows it: %s", (key, by) => {
    expect(judged(aws, plansOwn(aws), key)).toEqual({ proof: Proof.Assumed, by: [by], unguarded: 0 });
  });

  test("is also assumed if the plan shows no group for those hosts", () => {
    expect(judged(aws, [], "workers-ingress-nodes-kubelet").proof).toBe(Proof.Assumed);
  });

  test("is proved if the plan's own rules allow the flow", () => {
    expect(judged(aws, isolatedPlan(aws), "workers-ingress-nodes-kubelet").proof).toBe(Proof.Proved);
  });

  test("is unknown if no known group allows the flow", () => {
    const openstack = said({ platform: "OpenStack" });
    expect(judged(openstack, plansOwn(openstack), "workers-ingress-nodes-kubelet")).toEqual({
      proof: Proof.Unknown,
      by: [],
      unguarded: 1,
    });
    expect(judged(aws, plansOwn(aws), "control-plane-ingress-nodes-etcd-metrics").proof).toBe(Proof.Unknown);
  });

  test("is refuted if a network ACL of the plan drops the flow, because others can only open groups", () => {
    const wall = acl(Role.Workers, [entry(1, "deny")], [entry(1, "allow")]);
    expect(judged(aws, [...plansOwn(aws), wall], "workers-ingress-nodes-kubelet").proof).toBe(Proof.Refuted);
  });

  test("is assumed if the plan and others together allow the flow", () => {
    const half = rule(Role.Workers, Direction.Ingress, "half", {
      ipProtocol: "tcp",
      fromPort: 9000,
      toPort: 9100,
      cidrIpv4: "10.0.0.0/16",
    });
    expect(judged(aws, [...plansOwn(aws), half], "workers-ingress-nodes-host-services-tcp").proof).toBe(
      Proof.Assumed,
    );
  });
});

describe("a security group that HyperShift creates", () => {
  const key = "workers-ingress-nodes-kubelet";
  const hostedCluster = (defaultWorkerSecurityGroupID: string): Resource => ({
    origin: {},
    type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
    name: "tenant-a",
    properties: {
      metadata: { namespace: "clusters", name: "tenant-a" },
      status: { platform: { aws: { defaultWorkerSecurityGroupID } } },
    },
  });
  const group = (...ports: number[]): Resource => ({
    origin: { urn: "urn:pulumi:test::network::sg-0abc" },
    type: TYPE.securityGroup,
    name: "tenant-a-x7k2p-default-sg",
    properties: {
      id: "sg-0abc",
      ingress: ports.map((port) => ({ protocol: "tcp", fromPort: port, toPort: port, self: true })),
      egress: [{ protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] }],
    },
  });
  const withGroup = (id: string, ...ports: number[]) =>
    judged(aws, [...plansOwn(aws), hostedCluster(id), group(...ports)], key);

  test("is judged instead of assumed if the HostedCluster's status contains its ID", () => {
    expect(withGroup("sg-0abc", 10_250)).toEqual({ proof: Proof.Proved, by: [], unguarded: 0 });
  });

  test("leaves flows unknown that it does not allow if it is read", () => {
    expect(withGroup("sg-0abc", 10_251)).toEqual({ proof: Proof.Unknown, by: [], unguarded: 1 });
  });

  test("is identified by its ID, never by its name", () => {
    expect(withGroup("sg-0def", 10_251)).toMatchObject({
      proof: Proof.Assumed,
      by: ["hypershift-worker-group"],
    });
  });

  test("is judged at VPC endpoints too if the AWSEndpointService's status contains its ID", () => {
    const both = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
    const service = (namespace: string): Resource => ({
      origin: {},
      type: "kubernetes:hypershift.openshift.io/v1beta1:AWSEndpointService",
      name: "private-router",
      properties: { metadata: { namespace, name: "private-router" }, status: { securityGroupID: "sg-0abc" } },
    });
    const found = (namespace: string, port: number) => {
      const own = plansOwn(both).filter(
        ({ properties }) => !JSON.stringify(properties).includes("sg-private-endpoint"),
      );
      const plan = [...own, hostedCluster(""), service(namespace), endpointGroup(port)];
      return judged(both, plan, "workers-konnectivity").proof;
    };
    const endpointGroup = (port: number): Resource => ({
      ...group(),
      properties: {
        id: "sg-0abc",
        ingress: [{ protocol: "tcp", fromPort: port, toPort: port, cidrBlocks: ["10.0.0.0/16"] }],
      },
    });
    expect(found("clusters-tenant-a", 443)).toBe(Proof.Proved);
    expect(found("clusters-tenant-a", 444)).toBe(Proof.Refuted);
    expect(found("clusters-tenant-b", 444)).toBe(Proof.Assumed);
  });
});

describe("a place that the plan must open", () => {
  const without = (topology: NormalizedTopology, name: string) =>
    plansOwn(topology).filter((resource) => !resource.name.includes(name));

  test("is refuted if its rules drop the flow, even if HyperShift's group allows all egress", () => {
    expect(judged(aws, without(aws, "workers/egress/dns-udp"), "workers-egress-dns-udp").proof).toBe(
      Proof.Refuted,
    );
  });

  test("includes the nodes' own flows if workers have only the plan's groups", () => {
    const onlyPlan = said({ platform: "AWS", defaultWorkerRules: true });
    expect(
      judged(onlyPlan, without(onlyPlan, "workers/ingress/worker-tcp-10250"), "workers-ingress-nodes-kubelet")
        .proof,
    ).toBe(Proof.Refuted);
  });

  test("is unknown, never assumed, if the plan shows no filter there", () => {
    expect(judged(aws, [], "workers-egress-dns-udp")).toMatchObject({ proof: Proof.Unknown, by: [] });
  });

  test("is a VPC endpoint once the plan creates a group for it, and HyperShift's place before", () => {
    const both = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
    const ofOthers = plansOwn(both).filter(
      ({ properties }) =>
        properties.securityGroupId !== "sg-private-endpoint" && properties.id !== "sg-private-endpoint",
    );
    const key = "workers-konnectivity";
    expect(judged(both, ofOthers, key)).toMatchObject({
      proof: Proof.Assumed,
      by: ["hypershift-endpoint-group"],
    });
    expect(judged(both, plansOwn(both), key).proof).toBe(Proof.Proved);
    const shut = plansOwn(both).filter(
      ({ properties }) => properties.securityGroupId !== "sg-private-endpoint",
    );
    expect(judged(both, shut, key).proof).toBe(Proof.Refuted);
  });
});

describe("pods of the control plane", () => {
  const byHyperShift = { proof: Proof.Assumed, by: ["hypershift-network-policies"], unguarded: 0 };
  const proved = { proof: Proof.Proved, by: [], unguarded: 0 };
  const cut: Resource = {
    origin: {},
    type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
    name: "cut",
    properties: {
      metadata: { name: "cut", namespace: aws.controlPlaneNamespace },
      spec: { podSelector: {} },
    },
  };

  test.each([
    ["by node ports", said({ platform: "None", services: pinned }), "workers-konnectivity"],
    ["by the router of the management cluster", said({ platform: "AWS" }), "workers-konnectivity"],
    [
      "by the control plane's own router",
      said({ platform: "AWS", endpointAccess: "Private" }),
      "users-oauth",
    ],
    ["on the port of IBM Cloud", said({ platform: "IBMCloud" }), "workers-kube-apiserver"],
    ["through the tunnel", aws, "control-plane-webhooks"],
  ])(
    "reached %s are assumed to be open by HyperShift's policies, unless the plan's or all running policies decide",
    (_, topology, key) => {
      const found = judged(topology, documentedPlan(topology), key);
      expect(found).toEqual({ ...byHyperShift, by: expect.arrayContaining(byHyperShift.by) as string[] });
      expect(judged(topology, isolatedPlan(topology), key)).toEqual(proved);
      expect(judged(topology, [...documentedPlan(topology), cut], key)).toEqual(found);
      expect(judged(topology, [...documentedPlan(topology), running(cut)], key).proof).toBe(Proof.Refuted);
    },
  );

  test("reached by a load balancer for Konnectivity are unknown, because no HyperShift policy allows it", () => {
    const topology = said({ platform: "None", services: published.LoadBalancer });
    const found = judged(topology, documentedPlan(topology), "workers-konnectivity");
    expect(found).toMatchObject({ proof: Proof.Unknown, by: [] });
    expect(found.unguarded).toBeGreaterThan(0);
    expect(judged(topology, isolatedPlan(topology), "workers-konnectivity")).toEqual(proved);
  });
});
