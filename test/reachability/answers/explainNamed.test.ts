import {
  explainService,
  explainWritten,
  isServiceName,
  namesOf,
  partsOf,
  resourcesNamed,
  serviceNames,
} from "../../../src/reachability/answers/explain/explainWritten";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { pinned, said } from "../path/clusters";
import { documentedPlan, rule } from "../path/plan";
import { acl, entry, policy } from "./plans";

const topology = said({ platform: "None", services: pinned });

const one = (name: string, more: Partial<Resource> = {}): Resource => ({
  origin: { urn: `urn:${name}` },
  type: "test:index:X",
  name,
  properties: {},
  ...more,
});
const names = (found: Iterable<Resource>) => [...found].map(({ name }) => name);

describe("a resource that a user names", () => {
  test("is found by its name in the program, its URN, its name in AWS and the value of its Name tag", () => {
    const properties = { name: "group-1", tags: { Name: "Workers" } };
    expect(namesOf(one("workers", { properties }))).toEqual(["workers", "urn:workers", "group-1", "Workers"]);
    expect(namesOf(one("same", { properties: { name: "same", tags: { Name: "" } } }))).toEqual([
      "same",
      "urn:same",
    ]);
    expect(namesOf(one("later", { origin: {}, properties: { name: UNKNOWN, tags: UNKNOWN } }))).toEqual([
      "later",
    ]);
  });

  test("is found by the names of the resources that read it, too", () => {
    const reader = one("reader", { properties: { name: "lookup" } });
    expect(namesOf(one("read", { readBy: [reader] }))).toEqual([
      "read",
      "urn:read",
      "reader",
      "urn:reader",
      "lookup",
    ]);
  });

  test("is found without its parts of the same name", () => {
    const component = one("tenant-a");
    const part = one("tenant-a", { origin: { urn: "urn:part" }, parent: "urn:tenant-a" });
    const other = one("tenant-a", { origin: { urn: "urn:other" }, parent: "urn:elsewhere" });
    const index = new ResourceIndex([part, component, other, one("tenant-b")]);
    expect(resourcesNamed(index, "tenant-a")).toEqual([component, other]);
    expect(resourcesNamed(index, "urn:part")).toEqual([part]);
    expect(resourcesNamed(index, "nobody")).toEqual([]);
  });
});

test("a running resource without a URN is neither parent nor part of another", () => {
  const [running, other] = [
    one("running", { origin: { live: "sg-1" } }),
    one("other", { origin: { live: "sg-2" } }),
  ];
  const index = new ResourceIndex([running, other]);
  expect(resourcesNamed(index, "running")).toEqual([running]);
  expect(names(partsOf(index, running))).toEqual(["running"]);
});

describe("the parts of a resource", () => {
  test("are its descendants, whatever the order of the plan", () => {
    const all = [
      one("grandchild", { parent: "urn:child" }),
      one("child", { parent: "urn:whole" }),
      one("whole"),
      one("neighbour", { parent: "urn:around" }),
      one("orphan"),
    ];
    for (const order of [all, all.toReversed()])
      expect(names(partsOf(new ResourceIndex(order), all[2]!)).sort()).toEqual([
        "child",
        "grandchild",
        "whole",
      ]);
  });

  test("include the rule resources of a security group or ACL", () => {
    const plan = documentedPlan(topology);
    const index = new ResourceIndex(plan);
    const group = plan.find(({ name, type }) => name === Role.Workers && type === TYPE.securityGroup)!;
    const rules = plan.filter(({ properties }) => properties.securityGroupId === "sg-workers");
    expect(names(partsOf(index, group)).sort()).toEqual([...names(rules), "workers"].sort());
    expect(names(partsOf(index, rules[0]!))).toEqual(names([rules[0]!]));
  });
});

describe("what a resource does as a whole", () => {
  const ask = (asked: Resource, plan: readonly Resource[], path?: string) =>
    explainWritten({ index: new ResourceIndex(plan), topology }, asked, path);

  test("includes the rules of all of its children, for a component", () => {
    const urn = "urn:component";
    const component = one("component", { origin: { urn } });
    const walls = [Role.Workers, Role.ControlPlane].map((role) => ({
      ...acl(role, [entry(1, "allow")], [entry(1, "deny")]),
      parent: urn,
    }));
    const { places } = ask(component, [...documentedPlan(topology), component, ...walls]);
    expect(
      places.map(
        ({ place, rule: { name, path }, actions }) => `${actions.join()} ${path} of ${name}, ${place}`,
      ),
    ).toEqual(
      (
        [
          ["control-plane", "control-plane"],
          ["workers", "workers"],
          ["workers", "private-endpoint"],
        ] as const
      ).flatMap(([name, role]) => [
        `allow ingress[0] of acl-${name}, ingress of ${role}`,
        `deny egress[0] of acl-${name}, egress of ${role}`,
      ]),
    );
  });

  test("includes only what a policy without rules denies itself, even if another policy denies the same", () => {
    const deny = (name: string, more: Record<string, PropertyValue> = {}) =>
      policy(name, { podSelector: {}, policyTypes: ["Ingress"], ...more });
    const [first, second] = [deny("first"), deny("second")];
    const { places } = ask(first, [...documentedPlan(topology), first, second]);
    expect(new Set(places.map(({ rule: { name } }) => name))).toEqual(new Set(["first"]));
    expect(ask(first, [...documentedPlan(topology), first, second], "spec.ingress[0]").places).toEqual([]);
    expect(ask(one("x"), [...documentedPlan(topology), first]).places).toEqual([]);
  });

  test("excludes what another policy allows, for a policy without rules", () => {
    const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress"] });
    const konnectivity = policy("konnectivity", { podSelector: {}, ingress: [{ ports: [{ port: 8091 }] }] });
    const { places } = ask(deny, [...documentedPlan(topology), deny, konnectivity]);
    expect(places.find(({ place }) => place === "pods konnectivity-server from addresses")?.packets).toEqual([
      "every protocol except TCP 8091 from 0.0.0.0/0",
      "every protocol except TCP 8091 from ::/0",
    ]);
  });

  test("has no excess if its rules are intended", () => {
    const ssh = rule(Role.Workers, Direction.Ingress, "ssh", {
      ipProtocol: "tcp",
      fromPort: 22,
      toPort: 22,
      cidrIpv4: "192.0.2.0/24",
    });
    const index = new ResourceIndex([...documentedPlan(topology), ssh]);
    const excessOf = (isMeant: boolean) =>
      explainWritten({ index, topology, isMeant: () => isMeant }, ssh).places.map(({ excess }) => excess);
    expect(excessOf(false)).toEqual([["TCP 22 from 192.0.2.0/24"]]);
    expect(excessOf(true)).toEqual([[]]);
  });
});

describe("a service that a user names", () => {
  const ids = (word: string, cluster?: typeof topology) =>
    explainService(word, cluster).rows.map(({ id }) => id);

  test("is a listener, a published service or the purpose of a port, in any capitalisation", () => {
    for (const name of ["Konnectivity", "kubelet", "APIServer", "oauth", "etcd-peer", "ovn-kubernetes"])
      expect([name, isServiceName(name)]).toEqual([name, true]);
    for (const name of ["", "worker", "443", "kube api"])
      expect([name, isServiceName(name)]).toEqual([name, false]);
    // Verifying multicast is not part of a hosted cluster.
    expect(serviceNames.filter((name) => ids(name).length === 0)).toEqual(["multicast-verification"]);
  });

  test.each([
    ["etcd", ["up-etcd-2379", "up-etcd-2380", "up-etcd-2381", "up-etcd-9980"]],
    ["Etcd-Peer", ["up-etcd-2380"]],
    ["Ignition", ["cp-in-ign-9090", "cp-in-ignproxy-none", "wk-out-ignproxy", "cp-in-route-443"]],
    [
      "kubelet",
      ["up-aws-worker-tcp-10250", "wk-out-kas", "up-router-health", "up-konn-health", "up-capi-manager"],
    ],
  ])(
    "%s lists its own rows first, then those that name it, for the platform or for all nodes",
    (word, rows) => {
      expect(ids(word, topology)).toEqual(rows);
    },
  );

  test("lists the rows of every platform if no topology states one", () => {
    expect(ids("Ignition")).toEqual(expect.arrayContaining(["cp-in-ignproxy-agent", "cp-in-ignproxy-none"]));
    expect(ids("kubelet", said({ platform: "Azure" }))).toContain("wk-out-kas-azure");
    expect(ids("kubelet", topology)).not.toContain("wk-out-kas-azure");
  });

  test("lists the flows of the cluster that its rows require", () => {
    expect(explainService("Etcd-Peer", topology)).toEqual({
      version: 1,
      asked: "etcd-peer",
      rows: [expect.objectContaining({ id: "up-etcd-2380" }) as object],
      flows: ["ingress", "egress"].map((direction) => ({
        key: `control-plane/${direction}/nodes-etcd-peer`,
        purpose: "Members of etcd replicate",
        place: `${direction} of control-plane`,
        requirements: ["up-etcd-2380"],
        sure: true,
      })),
      notes: [],
    });
    expect(explainService("etcd").flows).toEqual([]);
    const unsaid = said({ platform: "None", services: pinned, managementClusterCidrs: undefined });
    const sure = explainService("konnectivity", unsaid).flows.map(
      ({ place, sure: isSure }) => `${place} ${isSure}`,
    );
    expect(new Set(sure)).toEqual(new Set(["ingress of control-plane true", "egress of workers false"]));
  });
});
