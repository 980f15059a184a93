import fc from "fast-check";
import { ChangeKind, describeDiff, type PlanDiff } from "../../../src/reachability/answers/diff/diff";
import { diffPlans, placeChanges, type PlanSide } from "../../../src/reachability/answers/diff/diffPlans";
import { equal, isEmpty } from "../../../src/reachability/packets/packetSet";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { pinned, said } from "../path/clusters";
import { documentedPlan, rule } from "../path/plan";
import { acl, combinations, entry, guardedPlan, policy } from "./plans";

const topology = said({ platform: "None", services: pinned });
const side = (plan: readonly Resource[], cluster: NormalizedTopology = topology): PlanSide => ({
  index: new ResourceIndex(plan),
  topology: cluster,
});
const diff = (old: readonly Resource[], now: readonly Resource[]): PlanDiff =>
  diffPlans(side(old), side(now));
const linesOf = ({ changes }: PlanDiff) =>
  changes.map(({ kind, place, services, packets }) => [kind, place, services.join(), ...packets]);
const ingress = (name: string, port: number, cidrIpv4: PropertyValue, role = Role.ControlPlane) =>
  rule(role, Direction.Ingress, name, { ipProtocol: "tcp", fromPort: port, toPort: port, cidrIpv4 });

const plan = documentedPlan(topology);

/** Flows through the connection to the konnectivity server, which are cut together with it. */
const CUT = ["workers-konnectivity", "control-plane-kubelet", "control-plane-webhooks"];

describe("the difference of two plans", () => {
  test("lists first the principals that could not reach a service at all before", () => {
    const found = diff(plan, [
      ...plan,
      ingress("more", 31_091, "192.0.2.0/24"),
      ingress("ssh", 2022, "10.0.0.0/16"),
    ]);
    expect(linesOf(found)).toEqual([
      ["new-principal", "ingress of control-plane", "Konnectivity", "TCP 31091 from 192.0.2.0/24"],
      ["new-principal", "ingress of control-plane", "", "TCP 2022 from 10.0.0.0/16"],
    ]);
    expect(found.flows).toEqual([]);
  });

  test("does not count what a network ACL alone lets pass: its hosts have security groups that are not shown", () => {
    const list = acl(Role.ControlPlane, [entry(100, "allow")], [entry(100, "allow")]);
    const found = diff([list], [list, ...plan]);
    expect(found.changes.every(({ kind }) => kind !== ChangeKind.Closed)).toBe(true);
    expect(linesOf(found)).toEqual(linesOf(diff([], [list, ...plan])));
    expect(linesOf(diff([list], [list]))).toEqual([]);
  });

  test("classifies a principal that reaches more ports of the same service as widened", () => {
    const one = [...plan, ingress("one", 2022, "10.0.0.0/16")];
    const range = rule(Role.ControlPlane, Direction.Ingress, "range", {
      ipProtocol: "tcp",
      fromPort: 2020,
      toPort: 2029,
      cidrIpv4: "10.0.0.0/15",
    });
    const unpinned = said({ platform: "None" });
    const wide = rule(Role.ControlPlane, Direction.Ingress, "wide", {
      ipProtocol: "tcp",
      fromPort: 30_000,
      toPort: 32_767,
      cidrIpv4: "192.0.2.0/24",
    });
    expect(linesOf(diff(one, [...one, range])).map(([kind, , , ...packets]) => [kind, ...packets])).toEqual([
      ["new-principal", "TCP 2020-2029 from 10.1.0.0/16"],
      ["widened", "TCP 2020-2021, TCP 2023-2029 from 10.0.0.0/16"],
    ]);
    const narrow = ingress("narrow", 31_000, "192.0.2.0/24");
    const bare = documentedPlan(unpinned);
    const [change] = diffPlans(side([...bare, narrow], unpinned), side([...bare, wide], unpinned)).changes;
    expect(change).toMatchObject({
      kind: ChangeKind.Widened,
      packets: ["TCP 30000-30999, TCP 31001-32767 from 192.0.2.0/24"],
    });
  });

  test("lists what closes last, and the documented flows that it cuts", () => {
    const without = plan.filter(
      ({ properties }) =>
        !(properties.securityGroupId === "sg-control-plane" && properties.fromPort === 31_091),
    );
    const found = diff(plan, [...without, ingress("ssh", 2022, "10.0.0.0/16")]);
    expect(linesOf(found).map(([kind]) => kind)).toEqual(["new-principal", "closed"]);
    expect(found.flows.map(({ key }) => key)).toEqual(CUT);
    expect(found.flows[0]).toEqual({
      key: "workers-konnectivity",
      title: "Workers reach Konnectivity by NodePort",
      before: "assumed",
      after: "refuted",
    });
  });

  test("covers network ACLs, pods and namespaces as places", () => {
    const wall = acl(Role.Workers, [entry(1, "allow")], [entry(1, "allow")]);
    const holed = acl(
      Role.Workers,
      [entry(1, "deny", { protocol: "tcp", fromPort: 10_250, toPort: 10_250 }), entry(2, "allow")],
      [entry(1, "allow")],
    );
    expect(linesOf(diff([...plan, wall], [...plan, holed]))).toEqual([
      ["closed", "ingress of workers", "", "TCP 10250 from 10.0.0.0/16"],
    ]);
    const open = policy("open", { podSelector: {}, ingress: [{ ports: [{ port: 9999 }] }] });
    const at = (kind: string) => [kind, "pods kube-apiserver from addresses", "", "TCP 9999 from 0.0.0.0/0"];
    expect(linesOf(diff(plan, [...plan, open]))).toContainEqual(
      at("new-principal").concat("TCP 9999 from ::/0"),
    );
    expect(linesOf(diff([...plan, open], plan))).toContainEqual(at("closed").concat("TCP 9999 from ::/0"));
    // HyperShift's own policies isolate every pod, and allow what they allow.
    const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress"] });
    expect(diff(plan, [...plan, deny]).changes).toEqual([]);
    const firewall = (egress: PropertyValue[]): Resource => ({
      origin: { urn: "urn:pulumi:test::network::firewall" },
      type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
      name: "default",
      properties: { metadata: { name: "default", namespace: "web" }, spec: { egress } },
    });
    const closed = firewall([{ type: "Deny", to: { cidrSelector: "192.0.2.0/24" } }]);
    expect(linesOf(diff(plan, [...plan, closed]))).toEqual([
      ["closed", "egress of namespace web", "", "every protocol to 192.0.2.0/24"],
    ]);
    expect(linesOf(diff([...plan, closed], plan))[0]?.[0]).toBe("new-principal");
  });

  test("names unknown values and counts their packets as opened", () => {
    const later = ingress("later", 2022, UNKNOWN);
    const found = diff(plan, [...plan, later]);
    expect(found.unknown).toMatchObject([{ resource: { name: "later" }, path: "cidrIpv4" }]);
    expect(linesOf(found)).toEqual([
      ["new-principal", "ingress of control-plane", "", "TCP 2022 from 0.0.0.0/0"],
    ]);
  });

  test("names a place that only one of the plans shows", () => {
    const bare = plan.filter(
      ({ properties }) => properties.securityGroupId !== "sg-workers" && properties.id !== "sg-workers",
    );
    expect(diff(bare, plan).oneSided).toEqual([
      { place: "ingress of workers", missingIn: "old" },
      { place: "egress of workers", missingIn: "old" },
    ]);
    expect(diff(plan, bare).oneSided.map(({ missingIn }) => missingIn)).toEqual(["new", "new"]);
  });

  test("starts its text with what opens to new principals, and is plain data", () => {
    const without = plan.filter(({ properties }) => properties.fromPort !== 31_091);
    const found = diff(plan, [...without, ingress("ssh", 2022, "10.0.0.0/16")]);
    const changed = found.flows.map(({ key, title }) => `  ${key}: assumed -> refuted: ${title}`);
    expect(changed).toHaveLength(CUT.length);
    expect(describeDiff(found).join("\n")).toBe(
      [
        "clusters/tenant-a: 1 opened to new principals, 0 opened wider, 2 closed",
        ["documented flows that change", ...changed].join("\n"),
        "opened to new principals\n  ingress of control-plane: TCP 2022 from 10.0.0.0/16",
        [
          "closed",
          "  ingress of control-plane (Konnectivity): TCP 31091 from 10.0.0.0/16, 198.51.100.7/32",
          "  egress of workers (Konnectivity): TCP 31091 to 10.1.0.0/16",
        ].join("\n"),
      ].join("\n\n"),
    );
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    expect(describeDiff(diff(plan, plan)).join("\n")).toBe("clusters/tenant-a: nothing opens or closes");
  });
});

describe("a network ACL that no longer drops packets", () => {
  const ssh = entry(1, "deny", { protocol: "tcp", fromPort: 22, toPort: 22 });
  const [shut, open] = [[ssh, entry(2, "allow")], [entry(2, "allow")]].map((rules) =>
    acl(Role.Workers, rules, [entry(1, "allow")]),
  );
  const onAws = (endpointAccess: string, defaultWorkerRules = false) => {
    const cluster = said({ platform: "AWS", endpointAccess, defaultWorkerRules });
    const [old, now] = [shut!, open!].map((one) =>
      side([...documentedPlan(cluster).filter(isOfWorkers), one], cluster),
    );
    return linesOf(diffPlans(old!, now!));
  };
  const isOfWorkers = ({ name, properties }: Resource) =>
    name === Role.Workers || (properties.securityGroupId === "sg-workers" && properties.fromPort !== 22);

  test("opens what HyperShift's own group of the workers allows", () => {
    expect(onAws("PublicAndPrivate")).toContainEqual([
      "new-principal",
      "ingress of workers",
      "",
      "TCP 22 from 10.0.0.0/16",
    ]);
  });

  test("opens nothing that only the plan's groups would have to allow", () => {
    expect(onAws("Public", true)).toEqual([]);
  });

  test("opens nothing at VPC endpoints of a cluster that has none", () => {
    expect(onAws("Public").map(([, place]) => place)).toEqual(["ingress of workers"]);
    expect(onAws("PublicAndPrivate").map(([, place]) => place)).toContain("ingress of private-endpoint");
  });
});

describe("for plans of every platform with random rules removed", () => {
  const change = fc.record({
    at: fc.integer({ min: 0, max: combinations.length - 1 }),
    first: fc.array(fc.nat(), { maxLength: 3 }),
    second: fc.array(fc.nat(), { maxLength: 3 }),
  });
  const without = (whole: readonly Resource[], positions: readonly number[]) => {
    const gone = new Set(positions.map((position) => whole[position % whole.length]));
    return whole.filter((resource) => !gone.has(resource));
  };

  test("a plan has no difference to itself, and what opens in one direction closes in the other", () => {
    fc.assert(
      fc.property(change, ({ at, first, second }) => {
        const [, cluster] = combinations[at]!;
        const whole = guardedPlan(cluster);
        const [a, b] = [without(whole, first), without(whole, second)].map((one) => side(one, cluster));
        expect(diffPlans(a!, a!)).toMatchObject({ flows: [], changes: [], oneSided: [] });
        const [forth, back] = [placeChanges(a!, b!), placeChanges(b!, a!)];
        for (const { place, opened, closed } of forth) {
          const other = back.find((one) => one.place.name === place.name)!;
          expect(equal(opened, other.closed)).toBe(true);
          expect(equal(closed, other.opened)).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
  });

  test("removing a rule closes something, for most rules", () => {
    const opened = plan
      .filter(({ properties }) => properties.securityGroupId !== undefined)
      .map((one) => placeChanges(side(plan.filter((other) => other !== one)), side(plan)))
      .map((changes) => changes.some((one) => !isEmpty(one.opened)));
    expect(opened.filter(Boolean).length).toBeGreaterThan(opened.length / 2);
  });
});

describe("the list of clients that public load balancers let in", () => {
  const place = "networking.apiServer.allowedCIDRBlocks of HostedCluster tenant-a";
  const cluster = (allowedCIDRBlocks?: PropertyValue): Resource => ({
    origin: { urn: "urn:pulumi:test::network::tenant-a" },
    type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
    name: "tenant-a",
    properties: {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: { networking: { apiServer: { ...(allowedCIDRBlocks !== undefined && { allowedCIDRBlocks }) } } },
    },
  });
  const changed = (old: Resource, now: Resource, raw: object = {}) => {
    const balanced = said({ platform: "AWS", endpointAccess: "Public", loadBalancerTargets: "ip", ...raw });
    const { changes, unknown } = diffPlans(side([old], balanced), side([now], balanced));
    const here = changes.filter((one) => one.place === place);
    return {
      lines: here.map(({ kind, packets }) => [kind, ...packets.filter((line) => !line.includes("::"))]),
      unknown: unknown.map(({ path }) => path),
    };
  };
  const list = cluster(["203.0.113.0/24"]);
  const OTHERS = "every protocol from 0.0.0.0/0 except 203.0.113.0/24";

  test("opens to everybody if it goes away, and closes if it comes", () => {
    for (const none of [cluster(), cluster([])]) {
      expect(changed(list, none).lines).toEqual([["new-principal", OTHERS]]);
      expect(changed(none, list).lines).toEqual([["closed", OTHERS]]);
    }
    expect(changed(list, cluster(["203.0.113.0/24", "192.0.2.0/24"])).lines).toEqual([
      ["new-principal", "every protocol from 192.0.2.0/24"],
    ]);
    expect(changed(list, list).lines).toEqual([]);
  });

  test("opens and closes if it is not known yet", () => {
    const later = cluster([UNKNOWN]);
    expect(changed(list, later)).toEqual({
      lines: [
        ["new-principal", OTHERS],
        ["closed", "every protocol from 203.0.113.0/24"],
      ],
      unknown: [`spec.${place.split(" ")[0]!}`],
    });
    expect(changed(later, later).lines).toEqual([]);
    expect(changed(later, cluster()).lines).toEqual([]);
  });

  test.each<[string, object]>([
    ["AWS with instance targets", { loadBalancerTargets: "instance" }],
    ["AWS with targets that are not known", { loadBalancerTargets: UNKNOWN }],
    ["KubeVirt", { platform: "KubeVirt", endpointAccess: undefined }],
    ["OpenStack", { platform: "OpenStack", endpointAccess: undefined }],
  ])("opens nothing for certain if it goes away where it may not be enforced: %s", (_, raw) => {
    const path = `spec.${place.split(" ")[0]!}`;
    expect(changed(list, cluster(), raw)).toEqual({ lines: [], unknown: [path] });
    expect(changed(cluster(), list, raw)).toEqual({ lines: [["closed", OTHERS]], unknown: [path] });
    expect(changed(list, list, raw)).toEqual({ lines: [], unknown: [] });
    expect(changed(list, cluster(["203.0.113.0/24", "192.0.2.0/24"]), raw).lines).toEqual([
      ["new-principal", "every protocol from 192.0.2.0/24"],
    ]);
    expect(changed(cluster(UNKNOWN), cluster(), raw)).toEqual({ lines: [], unknown: [path, path] });
  });

  test("is of no effect where clients come only by the private endpoint", () => {
    const raw = { endpointAccess: "Private" };
    for (const other of [cluster(), cluster([UNKNOWN])]) expect(changed(list, other, raw).lines).toEqual([]);
  });
});
