import {
  type Certificate,
  certificateOf,
  plannedResources,
} from "../../../src/reachability/certificate/certificate";
import { checkCertificate } from "../../../src/reachability/certificate/check";
import { journeys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import { judgeJourney, type JudgedJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { isList, isMap } from "../../../src/resources/read";
import { pinned, said } from "../path/clusters";

type Properties = Record<string, PropertyValue>;
const topology = said({ platform: "None", services: pinned, workerNatCidrs: [] });
const urnOf = (name: string) => `urn:pulumi:dev::network::x:${name}`;
const made = (type: string, name: string, properties: Properties): Resource => ({
  origin: { urn: urnOf(name) },
  type,
  name,
  properties,
});
const tags = (role: string) => ({
  "hypershift-network/role": role,
  "hypershift-network/cluster": "clusters/tenant-a",
});
const every = { protocol: "-1", fromPort: 0, toPort: 0 };
const everywhere = { cidrBlocks: ["0.0.0.0/0"], ipv6CidrBlocks: ["::/0"] };
const aclRule = (name: string, egress: boolean, ruleNumber: number, more: Properties) =>
  made(TYPE.networkAclRule, name, {
    ...{ networkAclId: "acl-1", egress, ruleNumber, ruleAction: "allow", protocol: "-1" },
    ...{ fromPort: 0, toPort: 0, icmpType: 0, icmpCode: 0, ...more },
  });
const inAcl = (ruleNo: number, more: Properties = {}) => ({
  ...{ ruleNo, action: "allow", protocol: "-1", fromPort: 0, toPort: 0, cidrBlock: "0.0.0.0/0", ...more },
});
const denied = { action: "deny", protocol: "gre", cidrBlock: "192.0.2.0/24" };

const FIREWALL = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
const denyAll = { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } };
const inNamespace = (namespace: string) => ({ name: "default", namespace });
const ofPolicy = { name: "open", namespace: topology.controlPlaneNamespace };
const policyPatch = (spec: PropertyValue | undefined, namespace = ofPolicy.namespace) =>
  made("kubernetes:networking.k8s.io/v1:NetworkPolicyPatch", "new", {
    metadata: { ...ofPolicy, namespace },
    ...(spec !== undefined && { spec }),
  });

/** Filters in every form: inline rules, classic and split rules, groups, the group itself, prefix lists, ACLs, policies, firewalls. */
const plan: Resource[] = [
  made(TYPE.securityGroup, "workers", {
    id: "sg-workers",
    tags: tags("workers"),
    ingress: [
      { ...every, self: true, securityGroups: [], prefixListIds: [] },
      { ...every, self: false, securityGroups: ["sg-cp"], cidrBlocks: [], prefixListIds: [] },
    ],
    egress: [{ ...every, self: false, ...everywhere }],
  }),
  made(TYPE.securityGroup, "cp", { id: "sg-cp", tags: tags("control-plane") }),
  made(TYPE.securityGroup, "other", { id: "sg-other" }),
  made(TYPE.prefixList, "list", { id: "pl-1", addressFamily: "IPv4", entries: [{ cidr: "0.0.0.0/0" }] }),
  made(TYPE.securityGroupRule, "cp-out", {
    ...{ type: "egress", securityGroupId: "sg-cp", ...every, prefixListIds: ["pl-1"] },
  }),
  made(TYPE.securityGroupRule, "cp-workers", {
    ...{ type: "ingress", securityGroupId: "sg-cp", protocol: "tcp", fromPort: 1, toPort: 31_090 },
    sourceSecurityGroupId: "sg-workers",
  }),
  made(TYPE.ingressRule, "cp-in", {
    ...{ securityGroupId: "sg-cp", ipProtocol: "tcp", fromPort: 1, toPort: 65_535, cidrIpv4: "0.0.0.0/0" },
  }),
  made(TYPE.ingressRule, "cp-group", {
    ...{ securityGroupId: "sg-cp", ipProtocol: "tcp", fromPort: 31_091, toPort: 65_535 },
    referencedSecurityGroupId: "sg-workers",
  }),
  made(TYPE.networkAcl, "cp-acl", { id: "acl-1", tags: tags("control-plane") }),
  aclRule("acl-in", false, 100, { cidrBlock: "0.0.0.0/0" }),
  aclRule("acl-out", true, 100, { cidrBlock: "0.0.0.0/0" }),
  aclRule("acl-deny", true, 50, { ruleAction: "deny", protocol: "47", cidrBlock: "10.0.0.0/8" }),
  made(TYPE.networkAcl, "workers-acl", {
    id: "acl-2",
    tags: tags("workers"),
    ingress: [inAcl(90, denied), inAcl(100)],
    egress: [inAcl(200), inAcl(210, { ...denied, cidrBlock: "0.0.0.0/0" })],
  }),
  made("kubernetes:networking.k8s.io/v1:NetworkPolicy", "open", {
    metadata: ofPolicy,
    spec: {
      podSelector: {},
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [{ ipBlock: { cidr: "0.0.0.0/0" } }, { ipBlock: { cidr: "::/0" } }],
          ports: [
            { protocol: "TCP", port: 1, endPort: 65_535 },
            { protocol: "UDP", port: 1, endPort: 65_535 },
          ],
        },
      ],
    },
  }),
  made(FIREWALL, "default", {
    metadata: inNamespace("web"),
    spec: {
      egress: [
        { type: "Deny", to: { cidrSelector: "192.0.2.0/24" } },
        { type: "Allow", to: { cidrSelector: "10.1.0.2/32" }, ports: [{ protocol: "UDP", port: 53 }] },
        { type: "Allow", to: { cidrSelector: "10.1.0.2/32" }, ports: [{ protocol: "TCP", port: 53 }] },
        denyAll,
      ],
    },
  }),
  made(FIREWALL, "open-firewall", {
    metadata: inNamespace("shop"),
    spec: {
      egress: [
        { type: "Deny", to: { cidrSelector: "192.0.2.0/24" }, ports: [{ protocol: "TCP", port: 443 }] },
        { type: "Deny", to: { cidrSelector: "198.51.100.0/24" } },
      ],
    },
  }),
];

const judged = (resources: readonly Resource[], keys?: ReadonlySet<string>): JudgedJourney[] => {
  const index = new ResourceIndex(resources);
  const guards = planGuards(index, topology);
  return journeys(topology, surroundingsOf(index, topology))
    .filter(({ key }) => !keys || keys.has(key))
    .map((one) => judgeJourney(one, guards));
};

/** The first flows of the plan that together name every rule that any flow names. */
function certificateOfPlan(): Certificate {
  const { flows, ...rest } = certificateOf("clusters/tenant-a", judged(plan));
  const seen = new Set<string>();
  const first = flows.filter((flow) => {
    const before = seen.size;
    for (const name of rulesIn([flow])) seen.add(name);
    return seen.size > before;
  });
  return { ...rest, flows: first };
}

const rulesIn = (flows: Certificate["flows"]): string[] =>
  flows.flatMap(({ places }) =>
    places.flatMap(({ rules }) => rules.map(({ rule }) => `${rule?.urn} ${rule?.path}`)),
  );

const certificate = certificateOfPlan();
const keys = new Set(certificate.flows.map(({ journey }) => journey));
const faultsOf = (resources: readonly Resource[]): string[] => {
  const { plan: planned, doubtful } = plannedResources(resources, {
    index: new ResourceIndex(resources),
    topology,
  });
  return [...checkCertificate(certificate, planned), ...doubtful];
};
const holds = (resources: readonly Resource[]): boolean => faultsOf(resources).length === 0;

/** The flows of the certificate that a plan no longer proves at the same places. */
function lost(resources: readonly Resource[]): string[] {
  const now = new Map(judged(resources, keys).map((one) => [one.journey.key, one]));
  return certificate.flows
    .filter(({ journey, places }) => {
      const one = now.get(journey);
      if (!one) return true;
      const old = new Set(places.map(({ guard, packets }) => `${guard} ${packets}`));
      const isMore = one.guards.some(({ guard, asked }) => !old.has(`${guard.name} ${asked}`));
      return one.proof !== Proof.Proved && !isMore;
    })
    .map(({ journey }) => journey);
}

/** What decides about more than rules: ids, which places a flow has, and what selectors select. */
const OUTSIDE = new Set(["id", "tags", "podSelector", "addressFamily", "entries"]);
const OTHERS: PropertyValue[] = [
  ...["", "DENY", "Deny", "Egress", "egress", "ingress", "sg-other", "sg-cp", "acl-2", "10.0.0.0/30"],
  ...["0.0.0.0/0", "10.0.0.1/8", "0.0.0.0/33", "udp", "47", "true"],
];

/** Other values for one value: of the same type, of another one, and a value that is not known yet. */
function others(value: PropertyValue): PropertyValue[] {
  const plain: PropertyValue[] = [UNKNOWN, null, "x", [], {}];
  if (typeof value === "boolean") return [...plain, !value, String(!value)];
  if (typeof value === "number") return [...plain, value + 1, -1, 0, 70_000, 100];
  if (typeof value === "string") return [...plain, ...OTHERS];
  if (isList(value))
    return [...plain, value.slice(1), [null, ...value], [UNKNOWN, ...value], value.toReversed()];
  return plain;
}

/** One change of this many is tried: all of them, which 1 tries, take minutes. */
const EVERY = 5;

/** A value with one part changed or removed, in every way. */
function* mutants(value: PropertyValue, path = ""): Generator<[string, PropertyValue]> {
  const inside: [string | number, PropertyValue][] = isList(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [key, part] of inside) {
    if (OUTSIDE.has(String(key))) continue;
    const at = `${path}/${key}`;
    const withPart = (one: PropertyValue): PropertyValue => {
      if (isList(value)) return value.with(Number(key), one);
      const changed: Properties = { ...(value as Properties) };
      changed[key] = one;
      return changed;
    };
    if (isMap(value)) yield [`${at} removed`, Object.fromEntries(inside.filter(([name]) => name !== key))];
    for (const other of others(part))
      if (other !== part)
        yield [`${at}: ${other === UNKNOWN ? "unknown" : JSON.stringify(other)}`, withPart(other)];
    for (const [name, inner] of mutants(part, at)) yield [name, withPart(inner)];
  }
}

test("the certificate of the plan holds, for flows through every kind of filter", () => {
  expect(holds(plan)).toBe(true);
  expect(lost(plan)).toEqual([]);
  const named = new Set(rulesIn(certificate.flows).map((name) => name.split(" ")[0]));
  const wanted = ["workers", "cp-out", "cp-workers", "cp-in", "cp-group", "acl-in", "acl-out", "workers-acl"];
  expect([...wanted, "open", "default", "open-firewall"].map(urnOf).filter((urn) => !named.has(urn))).toEqual(
    [],
  );
});

describe.each(plan.filter(({ name }) => !["other", "list"].includes(name)))(
  "changes of $name",
  (resource) => {
    test("that lose a flow of the certificate are found", () => {
      const unfound: string[] = [];
      const some = [...mutants(resource.properties)].filter((_, place) => place % EVERY === 0);
      for (const [name, properties] of some) {
        const changed = plan.map((one) =>
          one === resource ? { ...one, properties: properties as Properties } : one,
        );
        if (!holds(changed)) continue;
        const flows = lost(changed);
        if (flows.length > 0) unfound.push(`${name}: ${flows.length} flows, such as ${flows[0]}`);
      }
      expect(unfound).toEqual([]);
    });
  },
);

test.each<[string, Resource]>([
  ["a deny rule before another", aclRule("new", false, 10, { ruleAction: "deny", cidrBlock: "10.0.0.0/8" })],
  [
    "a deny rule with the same number",
    aclRule("new", true, 100, { ruleAction: "deny", cidrBlock: "10.0.0.0/8" }),
  ],
  [
    "an allow rule with the same number",
    aclRule("new", true, 100, { protocol: "tcp", cidrBlock: "10.0.0.0/8" }),
  ],
  [
    "a deny rule with a number that EC2 refuses",
    aclRule("new", false, 0, { ruleAction: "deny", cidrBlock: "10.0.0.0/8" }),
  ],
  [
    "a deny rule of an unknown ACL",
    aclRule("new", true, 10, { ruleAction: "deny", networkAclId: UNKNOWN, cidrBlock: "10.0.0.0/8" }),
  ],
  ["a rule that is not known", aclRule("new", true, 10, { ruleAction: UNKNOWN, cidrBlock: "10.0.0.0/8" })],
  [
    "a list of all rules without the rules of the plan",
    made(TYPE.rulesExclusive, "new", { securityGroupId: "sg-cp", ingressRuleIds: [], egressRuleIds: [] }),
  ],
  [
    "a patch that replaces the rules of an egress firewall",
    made(`${FIREWALL}Patch`, "new", { metadata: inNamespace("web"), spec: { egress: [denyAll] } }),
  ],
  [
    "a patch that adds rules to an egress firewall whose rules match no packet of a flow",
    made(`${FIREWALL}Patch`, "new", { metadata: inNamespace("shop"), spec: { egress: [denyAll] } }),
  ],
  [
    "another egress firewall of the namespace",
    made(FIREWALL, "new", { metadata: inNamespace("web"), spec: { egress: [denyAll] } }),
  ],
  ["a patch that removes the rules of a policy", policyPatch({ ingress: [] })],
  ["a patch that sets the rules of a policy to an unknown value", policyPatch({ ingress: UNKNOWN })],
  ["a patch of which nothing is known", policyPatch(UNKNOWN)],
  ["a patch that selects other pods", policyPatch({ podSelector: { matchLabels: { app: "other" } } })],
  ["a patch that makes a policy one of egress", policyPatch({ policyTypes: ["Egress"] })],
  [
    "a policy of the same name in a later version of the API",
    made("kubernetes:networking.k8s.io/v2:NetworkPolicy", "new", {
      metadata: ofPolicy,
      spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [] },
    }),
  ],
])("%s that is added and loses a flow is found", (_, added) => {
  expect(lost([...plan, added])).not.toEqual([]);
  expect(holds([...plan, added])).toBe(false);
});

/** Policies and firewalls in the plan, by name. */
const existing = (name: string): Resource => plan.find((one) => one.name === name)!;
/** A component for another hosted cluster, and its egress firewall. */
const ofAnother: Resource[] = [
  made("hypershift-network:index:EgressFirewall", "of-another", { topology: { name: "tenant-b" } }),
  {
    ...made(FIREWALL, "new", { metadata: inNamespace("web"), spec: { egress: [denyAll] } }),
    parent: urnOf("of-another"),
  },
];
/** The HostedCluster and a policy of another management cluster. */
const elsewhere: Resource[] = [
  {
    ...made("kubernetes:hypershift.openshift.io/v1beta1:HostedCluster", "cluster", {
      metadata: { name: topology.name, namespace: topology.namespace },
    }),
    provider: urnOf("one"),
  },
  {
    ...made(existing("open").type, "new", {
      metadata: ofPolicy,
      spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [] },
    }),
    provider: urnOf("two"),
  },
];

test.each<[string, Resource[]]>([
  ["a copy of a policy", [{ ...existing("open"), origin: { urn: urnOf("new") } }]],
  ["a copy of an egress firewall", [{ ...existing("default"), origin: { urn: urnOf("new") } }]],
  ["a patch of the metadata of a policy", [policyPatch(undefined)]],
  ["a patch that states what the policy states", [policyPatch({ podSelector: {} })]],
  ["a patch of a policy of another namespace", [policyPatch({ ingress: [] }, "other")]],
  [
    "a patch of the labels of an egress firewall",
    [made(`${FIREWALL}Patch`, "new", { metadata: { ...inNamespace("web"), labels: { a: "b" } } })],
  ],
  ["an egress firewall of another hosted cluster", ofAnother],
  ["a policy of another management cluster", elsewhere],
])("%s that is added loses no flow, and the certificate holds", (_, added) => {
  const changed = [
    ...plan.map((one) =>
      added === elsewhere && one.name === "open" ? { ...one, provider: urnOf("one") } : one,
    ),
    ...added,
  ];
  expect(lost(changed)).toEqual([]);
  expect(faultsOf(changed)).toEqual([]);
});
