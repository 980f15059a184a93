import fc from "fast-check";
import { readPrefix } from "../../../src/address";
import { ChangeKind, type PlanDiff } from "../../../src/reachability/answers/diff/diff";
import { diffPlans, placeChanges, type PlanSide } from "../../../src/reachability/answers/diff/diffPlans";
import {
  contains,
  difference,
  intersection,
  isEmpty,
  packets,
  union,
} from "../../../src/reachability/packets/packetSet";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { pinned, said } from "../path/clusters";
import { documentedPlan, rule } from "../path/plan";
import { acl, entry } from "./plans";

const topology = said({ platform: "None", services: pinned });
const base = documentedPlan(topology);
const side = (plan: readonly Resource[]): PlanSide => ({
  index: new ResourceIndex([...base, ...plan]),
  topology,
});
const diff = (old: readonly Resource[], now: readonly Resource[]): PlanDiff =>
  diffPlans(side(old), side(now));
const linesOf = ({ changes }: PlanDiff) =>
  changes.map(({ kind, place, packets }) => [kind, place, ...packets]);
const NOTHING = { flows: [], changes: [], unknown: [], oneSided: [] };

const ingress = (name: string, port: number, peer: Record<string, PropertyValue>, role = Role.ControlPlane) =>
  rule(role, Direction.Ingress, name, { ipProtocol: "tcp", fromPort: port, toPort: port, ...peer });
const ofGroup = (name: string, port: number, id = "sg-balancer") =>
  ingress(name, port, { referencedSecurityGroupId: id });
const ofList = (name: string, port: number) => ingress(name, port, { prefixListId: "pl-68a54001" });
const ofAll = (name: string, port: number) => ingress(name, port, { cidrIpv4: "0.0.0.0/0" });
const everyProtocol = rule(Role.ControlPlane, Direction.Ingress, "every", {
  ipProtocol: "-1",
  referencedSecurityGroupId: "sg-balancer",
});

const firewall = (...egress: PropertyValue[]): Resource => ({
  origin: { urn: "urn:pulumi:test::network::firewall" },
  type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
  name: "default",
  properties: { metadata: { name: "default", namespace: "web" }, spec: { egress } },
});
const to = (type: "Allow" | "Deny", destination: Record<string, PropertyValue>) => ({
  type,
  to: destination,
});
const name = (dnsName: string) => ({ dnsName });
const EVERYWHERE = "every protocol to 0.0.0.0/0 except 10.132.0.0/14";
const REST = to("Deny", { cidrSelector: "0.0.0.0/0" });

const policy = (
  ingressRules: PropertyValue[],
  podSelector: PropertyValue = { matchLabels: { app: "kube-apiserver" } },
): Resource => ({
  origin: { urn: "urn:pulumi:test::network::policy" },
  type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  name: "policy",
  properties: {
    metadata: { name: "policy", namespace: topology.controlPlaneNamespace },
    spec: { podSelector, policyTypes: ["Ingress"], ingress: ingressRules },
  },
});

const withSpec = (resource: Resource, more: Record<string, PropertyValue>): Resource => ({
  ...resource,
  properties: {
    ...resource.properties,
    spec: { ...(resource.properties.spec as Record<string, PropertyValue>), ...more },
  },
});

describe("peers whose addresses no input states", () => {
  test.each<[string, Resource[], Resource[], string]>([
    ["a security group", [ofGroup("one", 5432)], [ofAll("all", 5432)], "TCP 5432 from 0.0.0.0/0"],
    ["a prefix list", [ofList("one", 5432)], [ofAll("all", 5432)], "TCP 5432 from 0.0.0.0/0"],
    ["every protocol from a group", [everyProtocol], [ofAll("all", 22)], "TCP 22 from 0.0.0.0/0"],
  ])("do not hide that everybody may enter where %s could", (_, old, more, line) => {
    for (const now of [more, [...old, ...more]])
      expect(linesOf(diff(old, now))).toContainEqual(["new-principal", "ingress of control-plane", line]);
  });

  test("differ in nothing from the same peers, wherever they are written", () => {
    const inline: Resource = {
      ...base.find(({ name: group }) => group === Role.ControlPlane)!,
    };
    const withInline = (ingressRules: PropertyValue[]) =>
      diffPlans(side([ofGroup("one", 5432)]), {
        topology,
        index: new ResourceIndex([
          ...base.filter((one) => one.name !== Role.ControlPlane),
          { ...inline, properties: { ...inline.properties, ingress: ingressRules } },
        ]),
      });
    const written = { protocol: "tcp", fromPort: 5432, toPort: 5432 };
    expect(withInline([{ ...written, securityGroups: ["sg-balancer"] }])).toMatchObject(NOTHING);
    expect(withInline([{ ...written, securityGroups: ["123456789012/sg-balancer"] }])).toMatchObject(NOTHING);
    expect(linesOf(withInline([{ ...written, securityGroups: ["sg-balancer", "sg-other"] }]))).toEqual([
      ["new-principal", "ingress of control-plane", "TCP 5432 from sg-other"],
    ]);
    expect(diff([ofList("one", 5432)], [ofList("two", 5432)])).toMatchObject(NOTHING);
  });

  test("are the same group of the stack, whether a plan knows its id or not", () => {
    const bastion = (id: PropertyValue, called = "bastion"): Resource => ({
      origin: { urn: `urn:pulumi:test::network::${called}` },
      type: TYPE.securityGroup,
      name: called,
      properties: id === UNKNOWN ? {} : { id },
    });
    const plan = (id: PropertyValue, port = 5432, called = "bastion"): Resource[] => {
      const group = bastion(id, called);
      const { propertyDependencies, ...from } = ingress("one", port, { referencedSecurityGroupId: id });
      const sources = { ...propertyDependencies, referencedSecurityGroupId: [group.origin.urn!] };
      return [group, { ...from, propertyDependencies: sources }];
    };
    const [known, later] = [plan("sg-bastion"), plan(UNKNOWN)];
    for (const [old, now] of [
      [known, later],
      [later, known],
      [later, later],
    ] as const)
      expect(diff(old, now)).toMatchObject(NOTHING);
    const line = (change: string, port: number, who: string) => [
      change,
      "ingress of control-plane",
      `TCP ${port} from ${who}`,
    ];
    expect(linesOf(diff(known, plan(UNKNOWN, 5433)))).toEqual([
      line("new-principal", 5433, "sg-bastion"),
      line("closed", 5432, "sg-bastion"),
    ]);
    expect(linesOf(diff(known, plan(UNKNOWN, 5432, "other")))).toEqual([
      line("new-principal", 5432, "other"),
      line("closed", 5432, "sg-bastion"),
    ]);
  });

  test("are named if they are added, removed or exchanged, and if they reach more", () => {
    const one = [ofGroup("one", 5432)];
    expect(diff([], one)).toMatchObject({
      changes: [
        {
          kind: "new-principal",
          place: "ingress of control-plane",
          peers: ["sg-balancer"],
          packets: ["TCP 5432 from sg-balancer"],
          blocks: [{ services: ["TCP 5432"], sources: ["0.0.0.0/0"] }, { sources: ["::/0"] }],
        },
      ],
      unknown: [{ path: "referencedSecurityGroupId", resource: { name: "one" } }],
    });
    expect(linesOf(diff(one, []))).toEqual([
      ["closed", "ingress of control-plane", "TCP 5432 from sg-balancer"],
    ]);
    expect(linesOf(diff(one, [ofGroup("one", 5432, "sg-other")]))).toEqual([
      ["new-principal", "ingress of control-plane", "TCP 5432 from sg-other"],
      ["closed", "ingress of control-plane", "TCP 5432 from sg-balancer"],
    ]);
    const range = rule(Role.ControlPlane, Direction.Ingress, "range", {
      ipProtocol: "tcp",
      fromPort: 5430,
      toPort: 5432,
      referencedSecurityGroupId: "sg-balancer",
    });
    expect(linesOf(diff(one, [range]))).toEqual([
      ["new-principal", "ingress of control-plane", "TCP 5430-5431 from sg-balancer"],
    ]);
    const other = { ...range, properties: { ...range.properties, referencedSecurityGroupId: "sg-other" } };
    expect(linesOf(diff(one, [range, other]))).toEqual([
      ["new-principal", "ingress of control-plane", "TCP 5430-5432 from sg-other"],
      ["widened", "ingress of control-plane", "TCP 5430-5431 from sg-balancer"],
    ]);
  });

  test("are counted once if several can reach the same", () => {
    const many = ["sg-a", "sg-b", "sg-c"].map((id) => ofGroup(id, 5432, id));
    expect(linesOf(diff([], many))).toEqual([
      ["new-principal", "ingress of control-plane", "TCP 5432 from sg-a, sg-b, sg-c"],
    ]);
  });

  test("open nothing where everybody may enter, before or after", () => {
    const open = [ofAll("all", 5432), ingress("all6", 5432, { cidrIpv6: "::/0" })];
    expect(diff(open, [...open, ofGroup("one", 5432)])).toMatchObject(NOTHING);
  });

  test("are closed although an unknown value covers the same port", () => {
    const later = ingress("later", 5432, { referencedSecurityGroupId: UNKNOWN });
    expect(linesOf(diff([ofGroup("one", 5432), later], [later]))).toEqual([
      ["closed", "ingress of control-plane", "TCP 5432 from sg-balancer"],
    ]);
    expect(linesOf(diff([ofList("one", 5432), later], [later]))).toEqual([
      ["closed", "ingress of control-plane", "TCP 5432 from pl-68a54001"],
    ]);
    expect(linesOf(diff([later], [ofGroup("one", 5432), later]))).toEqual([]);
    const perhaps = to("Allow", { cidrSelector: UNKNOWN });
    const some = to("Allow", name("example.com"));
    expect(linesOf(diff([firewall(some, perhaps, REST)], [firewall(perhaps, REST)]))).toEqual([
      ["closed", "egress of namespace web", "every protocol to example.com"],
    ]);
    expect(
      linesOf(diff([ofGroup("one", 5432), ofAll("all", 5432), later], [ofAll("all", 5432), later])),
    ).toEqual([["closed", "ingress of control-plane", "TCP 5432 from sg-balancer"]]);
  });

  test("hide what an unknown value hides", () => {
    const later = [ingress("later", 5432, { cidrIpv4: UNKNOWN })];
    expect(diff(later, [ofAll("all", 5432)])).toMatchObject({
      changes: [],
      unknown: [{ path: "cidrIpv4", resource: { name: "later" } }],
    });
  });
});

describe("rules that no plan shows", () => {
  const foreign = (more: readonly Resource[]) =>
    diffPlans(
      ...(([[], more] as const).map((added) => ({
        topology,
        index: new ResourceIndex([
          ...base.filter(({ name: group }) => group !== Role.ControlPlane),
          ...added,
        ]),
        configured: [
          { name: "tenant-a", namespace: "clusters", groups: { [Role.ControlPlane]: ["sg-control-plane"] } },
        ],
      })) as unknown as [PlanSide, PlanSide]),
    );

  test("of a group of another stack are the same in both plans", () => {
    expect(linesOf(foreign([ofAll("ssh", 22)]))).toEqual([
      ["new-principal", "ingress of control-plane", "TCP 22 from 0.0.0.0/0"],
    ]);
    expect(foreign([])).toMatchObject(NOTHING);
  });

  test("of a network ACL of another stack are the same in both plans", () => {
    const aclRule = (ruleNumber: number, ruleAction: string, port: number): Resource => ({
      origin: { urn: `urn:pulumi:test::network::acl-rule-${ruleNumber}` },
      type: TYPE.networkAclRule,
      name: `acl-rule-${ruleNumber}`,
      properties: {
        networkAclId: "acl-elsewhere",
        tags: { "hypershift-network/role": "control-plane" },
        ruleNumber,
        ruleAction,
        protocol: "tcp",
        fromPort: port,
        toPort: port,
        cidrBlock: "0.0.0.0/0",
      },
    });
    const open = [ofAll("ssh", 22)];
    expect(diff([...open, aclRule(1, "deny", 22)], [...open, aclRule(1, "deny", 22)])).toMatchObject(NOTHING);
  });
});

describe("reasons that both plans have", () => {
  const elsewhere = (name: string, properties: Record<string, PropertyValue>): Resource =>
    rule(Role.Workers, Direction.Ingress, name, {
      ipProtocol: "tcp",
      fromPort: 22,
      toPort: 22,
      cidrIpv4: "10.0.0.0/16",
      securityGroupId: "sg-elsewhere",
      tags: { "hypershift-network/role": "workers" },
      ...properties,
    });
  const listed = (...rules: Resource[]): PlanSide => ({
    topology,
    index: new ResourceIndex([...base.filter(isNotOfWorkers), ...rules]),
    configured: [
      { cluster: "tenant-a", namespace: "clusters", groups: { [Role.Workers]: ["sg-elsewhere", "sg-far"] } },
    ],
  });
  const isNotOfWorkers = ({ name: group, properties }: Resource) =>
    group !== Role.Workers && properties.securityGroupId !== "sg-workers";

  test("are the same whatever the name of the rule that shows the group of another stack", () => {
    const [one, renamed] = [elsewhere("one", {}), elsewhere("renamed", {})];
    expect(diffPlans(listed(one), listed(renamed))).toMatchObject(NOTHING);
    const more = elsewhere("more", { fromPort: 23, toPort: 23 });
    expect(linesOf(diffPlans(listed(one), listed(renamed, more)))).toEqual([
      ["new-principal", "ingress of workers", "TCP 23 from 10.0.0.0/16"],
    ]);
  });

  test("are others if it is another group of another stack", () => {
    const [one, far] = [elsewhere("one", {}), elsewhere("one", { securityGroupId: "sg-far" })];
    expect(diffPlans(listed(one), listed(far)).unknown).toMatchObject([{ path: "securityGroupId" }]);
  });
});

describe("names in rules that are read in order", () => {
  const lines = (old: Resource, now: Resource) => linesOf(diff([old], [now]));

  test("do not hide that an egress firewall opens every address", () => {
    const some = to("Allow", name("example.com"));
    const all = to("Allow", { cidrSelector: "0.0.0.0/0" });
    expect(lines(firewall(some, REST), firewall(some, all, REST))).toEqual([
      ["new-principal", "egress of namespace web", EVERYWHERE],
    ]);
    expect(lines(firewall(some, all, REST), firewall(some, REST))).toEqual([
      ["closed", "egress of namespace web", EVERYWHERE],
    ]);
    const denied = to("Deny", name("example.org"));
    expect(lines(firewall(denied, REST), firewall(denied, all, REST))).toEqual([
      ["new-principal", "egress of namespace web", EVERYWHERE],
    ]);
  });

  test("are what opens and closes if they change", () => {
    const [one, other] = [to("Allow", name("example.com")), to("Allow", name("example.org"))];
    expect(lines(firewall(one, REST), firewall(one, other, REST))).toEqual([
      ["new-principal", "egress of namespace web", "every protocol to example.org"],
    ]);
    const [deny, allowed] = [to("Deny", name("example.com")), to("Allow", { cidrSelector: "192.0.2.0/24" })];
    expect(lines(firewall(deny, allowed), firewall(allowed))).toEqual([
      ["new-principal", "egress of namespace web", "every protocol to example.com"],
    ]);
    expect(lines(firewall(allowed), firewall(deny, allowed))).toEqual([
      ["closed", "egress of namespace web", "every protocol to example.com"],
    ]);
    expect(diff([firewall(one, deny, REST)], [firewall(one, deny, REST)])).toMatchObject(NOTHING);
  });

  const block = to("Deny", { cidrSelector: "198.51.100.0/24" });
  const moved = to("Allow", name("moved.example.com"));

  test.each<[string, PropertyValue]>([
    ["another allowed name", to("Allow", name("first.example.com"))],
    ["a denied name", to("Deny", name("first.example.com"))],
    ["a node selector", to("Allow", { nodeSelector: { matchLabels: { infra: "true" } } })],
  ])("do not hide what moves behind a block, wherever %s is", (_, first) => {
    const [before, behind] = [firewall(first, moved, block, REST), firewall(first, block, moved, REST)];
    expect(lines(before, behind)).toEqual([
      ["closed", "egress of namespace web", "every protocol to 198.51.100.0/24"],
    ]);
    expect(lines(behind, before)).toEqual([
      ["new-principal", "egress of namespace web", "every protocol to 198.51.100.0/24"],
    ]);
    expect(diff([before], [firewall(first, moved, block, REST)])).toMatchObject(NOTHING);
  });

  test("differ in nothing if rules that do the same change places", () => {
    const other = to("Allow", name("other.example.com"));
    const allowed = to("Allow", { cidrSelector: "192.0.2.0/24" });
    expect(
      diff([firewall(moved, allowed, other, REST)], [firewall(other, moved, allowed, REST)]),
    ).toMatchObject(NOTHING);
  });

  test("are what closes if a removed name was allowed before another one is denied", () => {
    const denied = to("Deny", name("denied.example.com"));
    expect(lines(firewall(moved, denied), firewall(denied))).toEqual([
      ["closed", "egress of namespace web", "every protocol to moved.example.com"],
    ]);
    expect(lines(firewall(denied), firewall(moved, denied))).toEqual([
      ["new-principal", "egress of namespace web", "every protocol to moved.example.com"],
    ]);
    expect(diff([firewall(denied, moved)], [firewall(denied)])).toMatchObject(NOTHING);
  });

  test("are listed as unknown values if they have too many places", () => {
    const many = (...first: PropertyValue[]) =>
      firewall(
        ...first,
        ...Array.from({ length: 20 }, (_, at) => [
          to("Allow", name(`host-${at}.example.com`)),
          to("Deny", { cidrSelector: `198.51.100.${at}/32` }),
        ]).flat(),
      );
    expect(diff([many()], [many()])).toMatchObject(NOTHING);
    const { unknown } = diff([many()], [many(block)]);
    expect(unknown).toContainEqual(expect.objectContaining({ path: "spec.egress[39].to.dnsName" }));
  });

  test("agree with every first match of every choice of addresses", () => {
    const names = ["a.example.com", "b.example.com", "c.example.com"];
    const blocks = ["0.0.0.0/0", "192.0.2.0/24"];
    const entries = fc.record({
      type: fc.constantFrom("Allow" as const, "Deny" as const),
      at: fc.constantFrom(...names, ...blocks),
    });
    const listed = fc.array(entries, { maxLength: 5 });
    type Entries = { type: "Allow" | "Deny"; at: string }[];
    const written = (some: Entries) =>
      firewall(...some.map(({ type, at }) => to(type, names.includes(at) ? name(at) : { cidrSelector: at })));
    const isOpen = (some: Entries, address: string, own: readonly string[]) =>
      some.find(
        ({ at }) => own.includes(at) || at === blocks[0] || (at === blocks[1] && address === "192.0.2.1"),
      )?.type !== "Deny";
    const choices = Array.from({ length: 2 ** names.length }, (_, bits) =>
      names.filter((_name, at) => (bits >> at) & 1),
    );
    fc.assert(
      fc.property(listed, listed, (old, now) => {
        const changes = placeChanges(side([written(old)]), side([written(now)]));
        const change = changes.find(({ place }) => place.name === "egress of namespace web")!;
        for (const address of ["192.0.2.1", "203.0.113.1"]) {
          const packet = packets({ destinations: [readPrefix(`${address}/32`)!] });
          const pairs = choices.map((own) => [isOpen(old, address, own), isOpen(now, address, own)] as const);
          const [opens, closes] = [
            pairs.some(([was, is]) => !was && is),
            pairs.some(([was, is]) => was && !is),
          ];
          if (opens) expect(isEmpty(intersection(change.opened, packet))).toBe(false);
          if (closes) expect(isEmpty(intersection(change.closed, packet))).toBe(false);
        }
      }),
    );
  });
});

describe("selectors that may select documented pods", () => {
  const some = { from: [{ podSelector: { matchLabels: { team: "a" } } }] };
  const place = "pods kube-apiserver from addresses";
  const lines = (old: Resource, now: Resource) => linesOf(diff([old], [now]));
  const opened = (old: Resource, now: Resource) =>
    lines(old, now).filter(([kind, at]) => kind !== "closed" && at === place);

  test("do not hide that a policy admits everybody", () => {
    expect(opened(policy([some]), policy([some, {}]))).not.toEqual([]);
    expect(opened(policy([some]), policy([some]))).toEqual([]);
  });

  test("have no name to list them by", () => {
    const { changes } = diff([policy([{}])], [policy([some])]);
    const here = changes.filter(({ place: at }) => at.startsWith("pods kube-apiserver"));
    expect(here.length).toBeGreaterThan(0);
    expect(here.flatMap(({ packets }) => packets).join()).not.toMatch(/undefined/);
    expect(here.every(({ peers }) => peers === undefined)).toBe(true);
  });

  test("decide together: a policy for the same pods with other peers is another", () => {
    const perhaps = { matchLabels: { team: "a" } };
    const from = (team: string) => ({ from: [{ namespaceSelector: { matchLabels: { team } } }] });
    expect(diff([policy([from("a")], perhaps)], [policy([from("a")], perhaps)]).unknown).toEqual([]);
    expect(lines(policy([from("a")], perhaps), policy([from("b")], perhaps))).toEqual([
      ["new-principal", "pods with team=a", expect.stringContaining("of namespaces with team=b")],
      ["closed", "pods with team=a", expect.stringContaining("of namespaces with team=a")],
    ]);
    // HyperShift lets in all pods of the namespace.
    const other = { from: [{ podSelector: { matchLabels: { team: "b" } } }] };
    expect(diff([policy([some], perhaps)], [policy([other], perhaps)])).toMatchObject(NOTHING);
  });

  test("of the policy itself do not hide it either", () => {
    const perhaps = { matchLabels: { team: "a" } };
    const block = { from: [{ ipBlock: { cidr: "192.0.2.0/24" } }] };
    expect(opened(policy([block], perhaps), policy([{}], perhaps))).not.toEqual([]);
    expect(diff([policy([block], perhaps)], [policy([block], perhaps)])).toMatchObject(NOTHING);
  });
});

describe("senders and pods that no documented flow has", () => {
  const ETCD = { matchLabels: { app: "etcd" } };
  const shop = (name = "shop") => ({
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } }],
    ports: [{ protocol: "TCP", port: 2379 }],
  });
  const who = (name: string) =>
    `TCP 2379 from pods without labels that a policy names and of namespaces with kubernetes.io/metadata.name=${name}`;
  const lines = (old: Resource, now: Resource) => linesOf(diff([old], [now]));

  test.each<[string, PropertyValue]>([
    ["kube-apiserver", { matchLabels: { app: "kube-apiserver" } }],
    ["etcd", ETCD],
  ])("are compared by what policies let in, such as pods of a namespace at %s", (app, selector) => {
    const [shut, open] = [policy([], selector), policy([shop()], selector)];
    const place = `pods with app=${app}`;
    expect(lines(shut, open)).toEqual([["new-principal", place, who("shop")]]);
    expect(lines(open, shut)).toEqual([["closed", place, who("shop")]]);
    expect(lines(open, policy([shop("store")], selector))).toEqual([
      ["new-principal", place, who("store")],
      ["closed", place, who("shop")],
    ]);
    expect(diff([open], [open])).toMatchObject(NOTHING);
  });

  test("are compared if the senders are addresses", () => {
    const block = (cidr: string) => ({
      from: [{ ipBlock: { cidr } }],
      ports: [{ protocol: "TCP", port: 2379 }],
    });
    expect(lines(policy([], ETCD), policy([block("10.9.0.0/16")], ETCD))).toEqual([
      ["new-principal", "pods with app=etcd", "TCP 2379 from 10.9.0.0/16"],
    ]);
    expect(lines(policy([block("10.9.0.0/16")], ETCD), policy([block("10.9.1.0/24")], ETCD))).toEqual([
      ["closed", "pods with app=etcd", expect.stringContaining("TCP 2379 from 10.9.0.0/24")],
    ]);
  });

  test("open nothing if everything was open there before", () => {
    expect(lines(policy([{}], ETCD), policy([shop()], ETCD)).map(([kind]) => kind)).not.toContain(
      "new-principal",
    );
  });

  test("were closed by HyperShift's own policies if no other selected the pods", () => {
    const other = policy([], { matchLabels: { app: "foo" } });
    const second = policy([shop()], ETCD);
    const open: Resource = {
      ...second,
      origin: { urn: "urn:pulumi:test::network::open" },
      properties: {
        ...second.properties,
        metadata: { name: "open", namespace: topology.controlPlaneNamespace },
      },
    };
    const opened = [["new-principal", "pods with app=etcd", who("shop")]];
    expect(linesOf(diff([], [open]))).toEqual(opened);
    expect(linesOf(diff([other], [other, open]))).toEqual(opened);
    expect(linesOf(diff([other, open], [other]))).toEqual([["closed", "pods with app=etcd", who("shop")]]);
    expect(diff([policy([], ETCD)], [])).toMatchObject(NOTHING);
  });

  test("are listed once, whatever the number of rules that let them in", () => {
    expect(lines(policy([], ETCD), policy([shop(), { ...shop() }], ETCD))).toHaveLength(1);
  });

  test.each<[string, PropertyValue, string]>([
    ["a named port", { ...shop(), ports: [{ port: "client" }] }, "spec.ingress[0].ports[0].port"],
    [
      "an unknown selector",
      { from: [{ namespaceSelector: UNKNOWN }] },
      "spec.ingress[0].from[0].namespaceSelector",
    ],
    ["an unknown block", { from: [{ ipBlock: { cidr: UNKNOWN } }] }, "spec.ingress[0].from[0].ipBlock.cidr"],
    ["unknown peers", { from: UNKNOWN }, "spec.ingress[0].from"],
    ["an unknown rule", UNKNOWN, "spec.ingress[0]"],
  ])("may be let in by %s", (_, written, path) => {
    const [shut, later] = [policy([], ETCD), policy([written], ETCD)];
    expect(diff([shut], [later]).unknown).toContainEqual(expect.objectContaining({ path }));
    expect(
      diff([later], [policy([shop()], ETCD)]).changes.filter(({ kind }) => kind !== ChangeKind.Closed),
    ).toEqual(path.endsWith("port") ? expect.anything() : []);
    expect(diff([later], [later])).toMatchObject({ changes: [], flows: [] });
  });

  const named = { ...shop(), ports: [{ protocol: "TCP", port: "http" }] };
  const pathsOf = (old: Resource[], now: Resource[]) => diff(old, now).unknown.map(({ path }) => path);

  test.each<[string, Record<string, PropertyValue>, string]>([
    [
      "a label of namespaces",
      { from: [{ namespaceSelector: { matchLabels: { team: UNKNOWN } } }] },
      "from[0].namespaceSelector.matchLabels.team",
    ],
    [
      "the labels of namespaces",
      { from: [{ namespaceSelector: { matchLabels: UNKNOWN } }] },
      "from[0].namespaceSelector.matchLabels",
    ],
    [
      "a value of an expression",
      {
        from: [
          { namespaceSelector: { matchExpressions: [{ key: "team", operator: "In", values: [UNKNOWN] }] } },
        ],
      },
      "from[0].namespaceSelector.matchExpressions[0].values[0]",
    ],
    ["a protocol", { ...shop(), ports: [{ protocol: UNKNOWN, port: 2379 }] }, "ports[0].protocol"],
    ["the end of a range", { ...shop(), ports: [{ port: 2379, endPort: UNKNOWN }] }, "ports[0].endPort"],
    [
      "an exception",
      { from: [{ ipBlock: { cidr: "192.0.2.0/24", except: [UNKNOWN] } }] },
      "from[0].ipBlock.except[0]",
    ],
    [
      "exceptions",
      { from: [{ ipBlock: { cidr: "192.0.2.0/24", except: UNKNOWN } }] },
      "from[0].ipBlock.except",
    ],
    ["peers of a wrong shape", { from: "everybody" }, "from"],
  ])("may be let in by %s inside a rule", (_, written, path) => {
    const [shut, later] = [policy([], ETCD), policy([written], ETCD)];
    const paths = [`spec.ingress[0].${path}`];
    expect(pathsOf([shut], [later])).toEqual(paths);
    expect(pathsOf([later], [shut])).toEqual(paths);
    expect(diff([shut], [later]).unknown.map(({ opens }) => opens)).toEqual([true]);
    expect(diff([later], [shut]).unknown.map(({ opens }) => opens)).toEqual([undefined]);
    expect(pathsOf([later], [policy([shop("store")], ETCD)])).toEqual(paths);
    expect(diff([later], [later])).toMatchObject(NOTHING);
  });

  test("may be let in by a label of the pods, or by the types of a policy", () => {
    const labels = policy([shop()], { matchLabels: { app: UNKNOWN } });
    expect(pathsOf([], [labels])).toEqual(["spec.podSelector.matchLabels.app"]);
    expect(pathsOf([], [withSpec(policy([shop()], ETCD), { policyTypes: [UNKNOWN] })])).toContain(
      "spec.policyTypes[0]",
    );
  });

  test.each<[string, Resource, Resource]>([
    ["another rule", policy([named], ETCD), policy([named, shop("store")], ETCD)],
    ["egress", policy([named], ETCD), withSpec(policy([named], ETCD), { egress: [{}] })],
    [
      "the order of keys",
      policy([named], ETCD),
      withSpec(policy([{ ports: [{ port: "http", protocol: "TCP" }], from: named.from }], ETCD), {}),
    ],
    ["a default", policy([named], ETCD), policy([{ ...named, ports: [{ port: "http" }] }], ETCD)],
    ["a name", policy([named], ETCD), { ...policy([named], ETCD), name: "another" }],
  ])("depend on no port that both plans have, if %s changes", (_, old, now) => {
    for (const paths of [pathsOf([old], [now]), pathsOf([now], [old])])
      expect(paths.filter((path) => path.startsWith("spec.ingress"))).toEqual([]);
  });

  test("may be let in by another policy with an unknown value at the same place", () => {
    const first = policy([{ ...shop(), ports: [{ port: UNKNOWN }] }], ETCD);
    const second: Resource = {
      ...first,
      name: "second",
      origin: { urn: "urn:pulumi:test::network::second" },
      properties: {
        ...first.properties,
        metadata: { name: "second", namespace: topology.controlPlaneNamespace },
      },
    };
    const more = diff([first], [first, second]).unknown;
    expect(more).toMatchObject([{ resource: { name: "second" }, path: "spec.ingress[0].ports[0].port" }]);
    expect(diff([second, first], [second]).unknown).toMatchObject([{ resource: { name: "policy" } }]);
  });

  test.each<[string, PropertyValue]>([
    ["kube-apiserver", { matchLabels: { app: "kube-apiserver" } }],
    ["etcd", ETCD],
  ])("may be let in at %s by a policy whose namespace is not known", (_, selector) => {
    const known = policy([shop(), {}], selector);
    const later: Resource = {
      ...known,
      properties: { ...known.properties, metadata: { name: "policy", namespace: UNKNOWN } },
    };
    const doubt = [{ resource: { name: "policy" }, path: "metadata.namespace" }];
    expect(diff([], [later])).toMatchObject({ changes: [], unknown: doubt });
    expect(diff([later], [])).toMatchObject({ changes: [], unknown: doubt });
    expect(diff([later], [later])).toMatchObject(NOTHING);
    expect(diff([later], [{ ...later, name: "renamed" }])).toMatchObject(NOTHING);
    expect(diff([known], [later])).toMatchObject({ unknown: doubt });
    expect(diff([known], [later]).changes.every(({ kind }) => kind === ChangeKind.Closed)).toBe(true);
  });

  test("are not opened by a policy of an unknown namespace that only denies: it may close", () => {
    const denying = policy([], {});
    const later: Resource = {
      ...denying,
      properties: { ...denying.properties, metadata: { name: "policy", namespace: UNKNOWN } },
    };
    const { changes, unknown } = diff([], [later]);
    expect(changes.every(({ kind }) => kind === ChangeKind.Closed)).toBe(true);
    expect(unknown).toMatchObject([{ path: "metadata.namespace" }]);
    expect(unknown.some(({ opens }) => opens)).toBe(false);
  });

  test("do not change what closes in one of two namespaces of the same name, if a policy's namespace is unknown", () => {
    const inBoth = { name: "default", namespace: topology.controlPlaneNamespace };
    const open = (urn: string, more: Partial<Resource>, ...egress: PropertyValue[]): Resource => ({
      ...firewall(...egress),
      origin: { urn },
      ...more,
      properties: { metadata: inBoth, spec: { egress } },
    });
    const component: Resource = {
      origin: { urn: "urn:component" },
      type: "hypershift-network:index:EgressFirewall",
      name: "egress",
      properties: { topology: { name: topology.name, namespace: topology.namespace } },
    };
    const hosted = open("urn:hosted", { parent: "urn:component" }, REST);
    const management = (...egress: PropertyValue[]) => open("urn:management", {}, ...egress);
    const doubtful = policy([], {});
    const unnamed: Resource = {
      ...doubtful,
      properties: { ...doubtful.properties, metadata: { name: "policy", namespace: UNKNOWN } },
    };
    const closedBy = (more: readonly Resource[]) => {
      const old = [component, hosted, management(to("Allow", { cidrSelector: "0.0.0.0/0" }))];
      const { changes } = diff(old, [component, hosted, management(REST), ...more]);
      return changes.filter(({ place }) => place === `egress of namespace ${inBoth.namespace}`);
    };
    expect(closedBy([])).toMatchObject([{ kind: ChangeKind.Closed }]);
    expect(closedBy([unnamed])).toEqual(closedBy([]));
  });

  test("are unknown for policies whose types are not known, and for values of administrators' policies", () => {
    const known = policy([shop()], ETCD);
    const spec = known.properties.spec as Record<string, PropertyValue>;
    const untold: Resource = {
      ...known,
      properties: { ...known.properties, spec: { ...spec, policyTypes: UNKNOWN } },
    };
    expect(diff([untold], [known]).unknown.map(({ path }) => path)).toContain("spec.policyTypes");
    const administrators = (ports: PropertyValue): Resource => ({
      origin: { urn: "urn:pulumi:test::network::admin" },
      type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
      name: "admin",
      properties: {
        metadata: { name: "admin" },
        spec: {
          priority: 1,
          subject: { namespaces: {} },
          ingress: [{ action: "Allow", from: [{ namespaces: {} }], ports: [ports] }],
        },
      },
    });
    const number = (port: PropertyValue) => administrators({ portNumber: { protocol: "TCP", port } });
    expect(diff([], [number(UNKNOWN)]).unknown).toMatchObject([
      { path: "spec.ingress[0].ports[0].portNumber.port", opens: true },
    ]);
    expect(diff([number(UNKNOWN)], [number(UNKNOWN)])).toMatchObject(NOTHING);
    expect(diff([], [administrators({ namedPort: "client" })]).unknown).toMatchObject([
      { path: "spec.ingress[0].ports[0].namedPort" },
    ]);
  });

  describe("of whom administrators' policies speak", () => {
    const rules = (
      action: string,
      namespaces: PropertyValue,
      more: Record<string, PropertyValue> = {},
      name = "admin",
    ): Resource => ({
      origin: { urn: `urn:pulumi:test::network::${name}` },
      type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
      name,
      properties: {
        metadata: { name },
        spec: {
          priority: 5,
          subject: { pods: { namespaceSelector: {}, podSelector: ETCD } },
          ingress: [
            { action, from: [{ namespaces }], ports: [{ portNumber: { protocol: "TCP", port: 2379 } }] },
          ],
          ...more,
        },
      },
    });
    const SHOP = { matchLabels: { "kubernetes.io/metadata.name": "shop" } };
    const atEtcd = (plan: PlanDiff) => linesOf(plan).filter(([, place]) => place === "pods with app=etcd");
    const opened = ["new-principal", "pods with app=etcd", who("shop")];
    const closed = ["closed", "pods with app=etcd", who("shop")];

    test("are let in if one allows them, and no longer if it goes", () => {
      const allowing = rules("Allow", SHOP);
      expect(linesOf(diff([], [allowing]))).toEqual([opened]);
      expect(linesOf(diff([allowing], []))).toEqual([closed]);
      expect(diff([allowing], [allowing])).toMatchObject(NOTHING);
      expect(diff([allowing], [{ ...allowing, name: "renamed" }])).toMatchObject(NOTHING);
      expect(linesOf(diff([], [rules("Pass", SHOP)]))).toEqual([]);
    });

    test("are kept out if one denies them, whatever NetworkPolicies allow", () => {
      const admitting = policy([shop()], ETCD);
      const denying = rules("Deny", SHOP);
      expect(linesOf(diff([denying], [denying, admitting]))).toEqual([]);
      expect(atEtcd(diff([admitting], [denying, admitting]))).toContainEqual(closed);
      expect(atEtcd(diff([denying, admitting], [admitting]))).toContainEqual(opened);
      expect(atEtcd(diff([denying, admitting], [rules("Pass", SHOP), admitting]))).toContainEqual(opened);
    });

    test("are let in by an Allow only if no Deny comes before it", () => {
      const denying = rules("Deny", SHOP, { priority: 1 }, "first");
      expect(linesOf(diff([denying], [denying, rules("Allow", SHOP)]))).toEqual([]);
      const late = rules("Deny", SHOP, { priority: 9 }, "first");
      expect(linesOf(diff([late], [late, rules("Allow", SHOP)]))).toEqual([opened]);
      expect(atEtcd(diff([late, rules("Allow", SHOP)], [denying, rules("Allow", SHOP)]))).toEqual([closed]);
    });

    test("are not let in by what both plans have, in an administrators' policy or in a NetworkPolicy", () => {
      const [allowing, admitting] = [rules("Allow", SHOP), policy([shop()], ETCD)];
      expect(linesOf(diff([allowing], [allowing, admitting]))).toEqual([]);
      expect(linesOf(diff([admitting], [allowing]))).toEqual([]);
    });
  });

  const peers = (name: string) => shop(name).from[0]!;
  const block = { ipBlock: { cidr: "10.9.0.0/16" } };
  const among = { matchExpressions: [{ key: "team", operator: "In", values: ["a", "b"] }] };
  test.each<[string, Record<string, PropertyValue>, string | undefined]>([
    ["namespaces and a block", { from: [peers("a"), peers("b"), block] }, "from 10.9.0.0/16"],
    ["namespaces", { from: [peers("a"), peers("b")] }, "namespaces with kubernetes.io/metadata.name=a"],
    ["one of some labels", { from: [{ namespaceSelector: among }] }, "of namespaces with team=a"],
    ["every namespace", { from: [{ namespaceSelector: {} }] }, "namespaces without such labels"],
    ["everybody", {}, "from 0.0.0.0/0"],
    ["blocks", { from: [block, { ipBlock: { cidr: "192.0.2.0/24" } }] }, undefined],
    ["one namespace", { from: [peers("a")] }, undefined],
  ])("are an example if the rule names %s", (_, senders, text) => {
    const ports = [{ protocol: "TCP", port: 2379 }];
    const { changes } = diff([policy([], ETCD)], [policy([{ ...senders, ports }], ETCD)]);
    const [change] = changes.filter(({ place }) => place === "pods with app=etcd");
    expect(change!.example).toBe(text === undefined ? undefined : true);
    for (const line of change!.packets)
      if (text === undefined) expect(line).toMatch(/^TCP 2379 from /);
      else expect(line).toMatch(/^TCP 2379, for example from /);
    expect(change!.packets.join("\n")).toContain(text ?? "");
  });

  test("are not listed again where documented flows are compared", () => {
    const everyone = policy([{}]);
    const opened = lines(policy([]), everyone).filter(([kind]) => kind === "new-principal");
    expect(opened.map(([, place]) => place)).toContain("pods kube-apiserver from addresses");
    const again = opened.filter(([, place]) => place === "pods with app=kube-apiserver");
    expect(again.every(([, , text]) => !text!.includes("0.0.0.0/0"))).toBe(true);
  });

  test("are not known if policies tell too many kinds of pods apart", () => {
    const kinds = Array.from({ length: 16 }, (_, n) => ({
      from: [{ namespaceSelector: {}, podSelector: { matchLabels: { [`key-${n}`]: "a" } } }],
    }));
    expect(diff([policy([], ETCD)], [policy(kinds, ETCD)]).unknown).toMatchObject([
      {
        resource: { name: "policy" },
        path: "spec.podSelector",
        reason: "the policies distinguish too many kinds of pods to check each of them",
      },
    ]);
  });
});

test("what opens and closes with names is never less than what certainly does, and nothing for equal plans", () => {
  const peer = fc.constantFrom<Record<string, PropertyValue>>(
    { cidrIpv4: "0.0.0.0/0" },
    { cidrIpv4: "10.9.0.0/16" },
    { cidrIpv4: UNKNOWN },
    { referencedSecurityGroupId: "sg-balancer" },
    { referencedSecurityGroupId: "sg-other" },
    { prefixListId: "pl-68a54001" },
  );
  const port = fc.constantFrom(22, 23, 5432);
  const written = fc
    .record({ port, peer })
    .map(({ port: at, peer: whose }) => ingress(`${at} ${JSON.stringify(whose)}`, at, whose));
  const wall = fc.constantFrom(
    [],
    [acl(Role.ControlPlane, [entry(1, "allow")], [entry(1, "allow")])],
    [
      acl(
        Role.ControlPlane,
        [entry(1, "deny", { protocol: "tcp", fromPort: 22, toPort: 22 }), entry(2, "allow")],
        [],
      ),
    ],
  );
  const plan = fc
    .tuple(fc.array(written, { maxLength: 4 }), wall)
    .map(([rules, acls]) => [...rules, ...acls]);
  fc.assert(
    fc.property(plan, plan, (old, now) => {
      for (const { before, after, opened, closed } of placeChanges(side(old), side(now))) {
        expect(contains(opened, difference(after.whole.possible, before.whole.possible))).toBe(true);
        expect(contains(closed, difference(before.whole.sure, after.whole.sure))).toBe(true);
        // Groups of other owners open more than the plan.
        expect(contains(union(after.whole.possible, after.cases[2].possible), opened)).toBe(true);
        expect(contains(union(before.whole.possible, before.cases[2].possible), closed)).toBe(true);
        // What certainly passed opens to nobody.
        expect(isEmpty(intersection(before.whole.sure, opened))).toBe(true);
      }
      const known = old.filter(({ properties }) => properties.cidrIpv4 !== UNKNOWN);
      expect(diff(known, known)).toMatchObject(NOTHING);
    }),
    { numRuns: 60 },
  );
});
