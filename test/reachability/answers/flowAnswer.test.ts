import { answerPlan } from "../../../src/reachability/answers/answerPlan";
import { placeChanges } from "../../../src/reachability/answers/diff/diffPlans";
import type { FlowAnswer, Refutation } from "../../../src/reachability/answers/answer";
import { comparedPlaces } from "../../../src/reachability/answers/diff/comparedPlaces";
import { Proof } from "../../../src/reachability/proof/prove";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { pinned, said } from "../path/clusters";
import { documentedPlan, rule } from "../path/plan";
import { acl, entry, policy, running } from "./plans";

const topology = said({ platform: "None", services: pinned });
const plan = documentedPlan(topology);
const ask = (resources: readonly Resource[], cluster = topology) =>
  answerPlan({ index: new ResourceIndex(resources), topology: cluster });
const flowOf = (
  resources: readonly Resource[],
  key = "workers-konnectivity",
  cluster = topology,
): FlowAnswer => ask(resources, cluster).flows.find((one) => one.key === key)!;
const refutationsOf = (...asked: Parameters<typeof flowOf>): readonly Refutation[] => {
  const flow = flowOf(...asked);
  if (flow.proof !== Proof.Refuted) throw new Error(`it is ${flow.proof}`);
  return flow.refutations;
};
const firewall = (egress: PropertyValue[], namespace = "web"): Resource => ({
  origin: { urn: "urn:pulumi:test::network::firewall" },
  type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
  name: "default",
  properties: { metadata: { name: "default", namespace }, spec: { egress } },
});
const denyAll = running(policy("deny", { podSelector: {}, policyTypes: ["Ingress"] }));

describe("the answer for a flow", () => {
  test("names the service that the flow leads to, or none", () => {
    expect(flowOf(plan)).toMatchObject({ service: "Konnectivity", phase: "always", from: "worker" });
    expect(flowOf(plan)).not.toHaveProperty("optional");
    expect(flowOf(plan, "workers-egress-https")).not.toHaveProperty("service");
  });

  test("names each rule that allows the flow once, and no guard without rules", () => {
    const flow = flowOf([...plan, policy("open", { podSelector: {}, ingress: [{}] })]);
    if (flow.proof !== Proof.Proved) throw new Error(`it is ${flow.proof}`);
    expect(flow.rules.map(({ name }) => name)).toEqual([
      "workers/egress/konnectivity-node-port/10.1.0.0/16/0",
      "control-plane/ingress/konnectivity-node-port/198.51.100.7/32/0",
      "open",
    ]);
  });

  test("names no policy rule for pods that no policy selects", () => {
    const etcd = running(policy("etcd", { podSelector: { matchLabels: { app: "etcd" } }, ingress: [{}] }));
    const flow = flowOf([...plan, etcd]);
    if (flow.proof !== Proof.Proved) throw new Error(`it is ${flow.proof}`);
    expect(flow.rules.map(({ name }) => name)).toEqual([
      "workers/egress/konnectivity-node-port/10.1.0.0/16/0",
      "control-plane/ingress/konnectivity-node-port/198.51.100.7/32/0",
    ]);
  });

  test("names pods, addresses of ends that the topology states, and any address for other ends", () => {
    const [atPods] = refutationsOf([...plan, denyAll]);
    expect(atPods?.packet).toEqual({
      source: "any address",
      destination: "pods konnectivity-server",
      service: "TCP 8091",
    });
    const deny = entry(1, "deny", { protocol: "tcp", toPort: 65_535 });
    const answers = acl(Role.Workers, [deny, entry(2, "allow")], [entry(1, "allow")]);
    const [atWorkers] = refutationsOf([...plan, answers]);
    expect(atWorkers).toMatchObject({
      asked: "answers",
      packet: { source: "10.1.0.1", destination: "10.0.0.1", service: "TCP 32768" },
    });
    const unsaid = said({
      platform: "None",
      services: pinned,
      workerNatCidrs: undefined,
      machineNetwork: undefined,
    });
    const shut = plan.filter(({ properties }) => properties.fromPort !== 31_091);
    expect(refutationsOf(shut, "workers-konnectivity", unsaid)[0]?.packet).toMatchObject({
      source: "any address",
      destination: "10.1.0.1",
    });
  });

  test("names the ACL that lacks a rule or the egress firewall, and no resource for a missing policy", () => {
    const shut = acl(
      Role.ControlPlane,
      [entry(1, "allow", { protocol: "udp", toPort: 65_535 })],
      [entry(1, "allow")],
    );
    expect(refutationsOf([...plan, shut])).toMatchObject([{ holder: { name: "acl-control-plane" } }]);
    expect(refutationsOf([...plan, shut])[0]).not.toHaveProperty("rule");
    const wall = firewall([{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }]);
    expect(refutationsOf([...plan, wall], "namespace-web-dns-tcp")).toMatchObject([
      { holder: { name: "default" }, rule: { path: "spec.egress[0]" }, place: "egress of namespace web" },
    ]);
    const [atPods] = refutationsOf([...plan, denyAll]);
    expect(atPods).toMatchObject({ place: "pods konnectivity-server" });
    expect(atPods).not.toHaveProperty("holder");
    expect(atPods).not.toHaveProperty("obstacle");
  });

  test("states why no rule can repair a refuted flow", () => {
    const full = acl(Role.ControlPlane, [entry(1, "deny")], [entry(1, "allow")]);
    expect(refutationsOf([...plan, full])).toMatchObject([
      { repair: [], obstacle: expect.stringContaining("renumber the rules of") as string },
    ]);
  });

  test("names each unknown value and missing property once, with a reason if there is one", () => {
    const list = rule(Role.ControlPlane, Direction.Ingress, "list", {
      ipProtocol: "tcp",
      fromPort: 31_091,
      toPort: 31_091,
      prefixListId: "pl-1",
    });
    const shut = plan.filter(
      ({ properties }) =>
        !(properties.securityGroupId === "sg-control-plane" && properties.fromPort === 31_091),
    );
    const flow = flowOf([...shut, list]);
    if (flow.proof !== Proof.Unknown) throw new Error(`it is ${flow.proof}`);
    expect(flow.values).toMatchObject([
      { resource: { name: "list" }, path: "prefixListId", reason: expect.stringContaining("pl-1") as string },
    ]);
    const later = flowOf([...shut, { ...list, properties: { ...list.properties, prefixListId: UNKNOWN } }]);
    expect(later.proof === Proof.Unknown && later.values[0]).not.toHaveProperty("reason");
    const unstated = said({ platform: "AWS", loadBalancerTargets: undefined });
    const unsaid = flowOf([], "workers-kube-apiserver", unstated);
    if (unsaid.proof !== Proof.Unknown) throw new Error(`it is ${unsaid.proof}`);
    expect(unsaid.missing.map(({ input }) => input)).toEqual(["loadBalancerTargets"]);
  });

  test("names each unguarded place once, even if the flow passes it twice", () => {
    const noWorkers = plan.filter(
      ({ properties }) => properties.securityGroupId !== "sg-workers" && properties.id !== "sg-workers",
    );
    const {
      requirements: _,
      documents: __,
      title: ___,
      ...flow
    } = flowOf(noWorkers, "control-plane-kubelet");
    expect(flow).toEqual({
      key: "control-plane-kubelet",
      from: "control-plane",
      phase: "always",
      proof: "unknown",
      values: [],
      missing: [],
      unguarded: ["egress of workers", "ingress of workers"],
    });
  });

  test("describes packets without ports", () => {
    const onlyPlan = said({ platform: "AWS", defaultWorkerRules: true });
    const noIcmp = documentedPlan(onlyPlan).filter(
      ({ properties }) => properties.ipProtocol !== "icmp" && properties.ipProtocol !== "-1",
    );
    expect(refutationsOf(noIcmp, "workers-ingress-nodes-icmp", onlyPlan)[0]).toMatchObject({
      packet: { service: "ICMP type 0 code 0" },
      place: "ingress of workers",
    });
  });
});

describe("the repairs of several flows", () => {
  test("use each rule number of an ACL only once", () => {
    const deny = entry(100, "deny", { protocol: "tcp", fromPort: 31_000, toPort: 32_000 });
    const wall = acl(Role.ControlPlane, [deny, entry(200, "allow")], [entry(1, "allow")]);
    const numbers = ask([...plan, wall]).flows.flatMap((flow) =>
      flow.proof === Proof.Refuted
        ? flow.refutations.flatMap(({ repair }) =>
            repair.flatMap((one) =>
              one.kind === "network-acl-rule" ? [`${one.ruleNumber} ${one.fromPort} ${one.cidrBlock}`] : [],
            ),
          )
        : [],
    );
    const distinct = [...new Set(numbers)];
    expect(distinct.length).toBeGreaterThan(3);
    expect(new Set(distinct.map((text) => text.split(" ")[0])).size).toBe(distinct.length);
  });
});

describe("the answer for a plan", () => {
  test("lists each excess rule once, with all of its places", () => {
    const open: Resource = {
      origin: { urn: "urn:pulumi:test::network::acl" },
      type: TYPE.networkAcl,
      name: "acl",
      properties: {
        tags: { "hypershift-network/role": "workers", "hypershift-network/cluster": "tenant-a" },
        ingress: [entry(1, "allow")],
        egress: [entry(1, "allow")],
      },
    };
    const { excess } = ask([...plan, open]);
    expect(excess.map(({ rule: one, places }) => [one?.path, ...places.map(({ role }) => role)])).toEqual([
      ["ingress[0]", "workers", "private-endpoint"],
      ["egress[0]", "workers", "private-endpoint"],
    ]);
  });

  test("lists what is outside the model with the flows that it affects", () => {
    const { outside, flows } = ask(plan);
    const all = flows.map(({ key }) => key);
    const of = (id: string) => outside.find((one) => one.id === id)?.flows;
    expect(of("routes")).toEqual(all);
    expect(of("tunnelled-pods")).toEqual(["control-plane-webhooks"]);
  });
});

describe("the places at which two plans are compared", () => {
  const placesOf = (cluster: NormalizedTopology, resources: readonly Resource[]) =>
    comparedPlaces({ index: new ResourceIndex(resources), topology: cluster });

  test("are hosts by role and direction, pods by sender, and namespaces with an egress firewall", () => {
    const aws = said({ platform: "AWS", endpointAccess: "PublicAndPrivate" });
    const places = placesOf(aws, [...documentedPlan(aws), firewall([])]);
    expect([...places].map(([key, { name, direction, isOpen }]) => [key, name, direction, isOpen])).toEqual([
      ...["control-plane", "workers", "private-endpoint"].flatMap((role) =>
        ["ingress", "egress"].map((way) => [`${way} of ${role}`, `${way} of ${role}`, way, false]),
      ),
      ...[
        "pods kube-apiserver from addresses",
        "pods oauth-openshift from pods network.openshift.io/policy-group=ingress",
        "pods private-router from addresses",
        "pods konnectivity-server from pods private-router",
        "pods kube-apiserver from pods private-router",
        "pods ignition-server-proxy from pods private-router",
        "pods konnectivity-server from pods kube-apiserver",
        "pods kube-apiserver from pods kube-apiserver",
      ].map((name) => [name, name, "ingress", true]),
      ...["addresses", "pods elsewhere"].map((to) => {
        const name = `egress of pods of the control plane to ${to}`;
        return [name, name, "egress", true];
      }),
      ["hosted egress of namespace web", "egress of namespace web", "egress", true],
    ]);
  });

  test("list the flows that pass them", () => {
    const places = placesOf(topology, plan);
    const flowsAt = (name: string) => [...new Set(places.get(name)!.flows.map(({ journey }) => journey.key))];
    expect(flowsAt("pods oauth-openshift from addresses")).toEqual(["workers-oauth", "users-oauth"]);
    expect(flowsAt("egress of control-plane")).toEqual(
      expect.arrayContaining(["control-plane-egress-https", "control-plane-pods-between-nodes"]),
    );
    expect(flowsAt("egress of control-plane").filter((key) => key.startsWith("workers"))).toEqual([]);
    expect(flowsAt("ingress of workers")).not.toContain("workers-konnectivity");
    expect(places.get("egress of workers")!.flows.every(({ hop }) => hop.kind === "hosts")).toBe(true);
  });

  test("name the unknown values if rules or filters that are not shown may apply", () => {
    const foreign: Resource = {
      ...rule(Role.Workers, Direction.Ingress, "tenant-a-workers-ingress-x", {
        securityGroupId: "sg-elsewhere",
        ipProtocol: "tcp",
        fromPort: 22,
        toPort: 22,
        cidrIpv4: "10.0.0.0/16",
      }),
      parent: "urn:component",
    };
    const component: Resource = {
      origin: { urn: "urn:component" },
      type: "hypershift-network:index:HostedControlPlaneSecurityGroups",
      name: "tenant-a",
      properties: { topology: { name: "tenant-a" } },
    };
    const side = (...resources: Resource[]) => ({ index: new ResourceIndex(resources), topology });
    const [change] = placeChanges(side(), side(component, foreign)).filter(
      ({ place }) => place.name === "ingress of workers",
    );
    expect(change?.after.values).toMatchObject([
      { path: "securityGroupId", resource: { name: foreign.name } },
    ]);
    const whole = placeChanges(side(), side(...plan)).find(
      ({ place }) => place.name === "ingress of workers",
    );
    expect(whole?.after.values).toEqual([]);
    const drops = acl(Role.Workers, [], []);
    const doubtful: Resource = { ...drops, properties: { ...drops.properties, tags: UNKNOWN } };
    const maybe = placeChanges(side(...plan), side(...plan, doubtful)).find(
      ({ place }) => place.name === "ingress of workers",
    );
    // Whether the ACL applies here is unknown: what it drops may pass.
    expect(maybe?.after.values).toMatchObject([{ path: "tags" }]);
  });
});
