import fc from "fast-check";

import type { AdminPeer, AdminPort, AdminSpec } from "../acls/adminNetworkPolicy";
import type { EgressFirewallSpec } from "../acls/egressFirewall";
import type { LabelSelector, Manifest, NetworkPolicySpec, PolicyPeer, PolicyPort } from "../manifests";
import { BLOCKS, NAMES, PORTS, PORT_NAMES, list, portRange, protocol, selector } from "./pools";

/** Host bits mean nothing: some blocks have them. */
const block = fc.constantFrom<string[]>(
  ...BLOCKS[4],
  ...BLOCKS[6],
  "203.0.113.200/25",
  "2001:db8:1:8000::7/49",
);

/** What may be cut out of a block: narrower blocks that the table has inside it. */
const HOLES: Readonly<Record<string, readonly string[]>> = {
  "0.0.0.0/0": BLOCKS[4].slice(1),
  "10.0.0.0/8": ["10.128.0.0/14", "10.128.64.0/18"],
  "10.128.0.0/14": ["10.128.64.0/18"],
  "198.51.0.0/16": ["198.51.100.0/24"],
  "203.0.113.0/24": ["203.0.113.128/25", "203.0.113.128/28", "203.0.113.143/32"],
  "203.0.113.128/25": ["203.0.113.128/28", "203.0.113.143/32"],
  "203.0.113.128/28": ["203.0.113.143/32"],
  "::/0": BLOCKS[6].slice(1),
  "fd01::/48": ["fd01:0:0:1::/64"],
  "2001:db8::/32": ["2001:db8:1::/48", "2001:db8:1:8000::/49", "2001:db8:1:ffff::/64"],
  "2001:db8:1::/48": ["2001:db8:1:8000::/49", "2001:db8:1:ffff::/64", "2001:db8:1:ffff::1/128"],
  "2001:db8:1:8000::/49": ["2001:db8:1:ffff::/64", "2001:db8:1:ffff::1/128"],
  "2001:db8:1:ffff::/64": ["2001:db8:1:ffff::1/128"],
};

const ipBlock = block.chain((cidr) => {
  const holes = HOLES[cidr] ?? [];
  if (holes.length === 0) return fc.constant({ cidr });
  return fc.record(
    { cidr: fc.constant(cidr), except: fc.subarray([...holes], { maxLength: Math.min(3, holes.length) }) },
    { requiredKeys: ["cidr"] },
  );
});

const peer: fc.Arbitrary<PolicyPeer> = fc.oneof(
  fc.record({ ipBlock }),
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector: selector }),
  fc.record({ namespaceSelector: selector, podSelector: selector }),
);

const port: fc.Arbitrary<PolicyPort> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ protocol, port: fc.constantFrom(...PORTS) }, { requiredKeys: ["port"] }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(protocol, portRange)
      .map(([of, [first, last]]) => ({ protocol: of, port: first, endPort: last })),
  },
  { weight: 1, arbitrary: fc.record({ protocol }) },
  {
    weight: 2,
    arbitrary: fc.record({ protocol, port: fc.constantFrom(...PORT_NAMES) }, { requiredKeys: ["port"] }),
  },
);

const types = fc.constantFrom<string[][]>(["Ingress"], ["Egress"], ["Ingress", "Egress"], []);

const services = { ports: list(port) };
/** Rules with peers under that name; without either list or with an empty one they let everything pass, hence not too often. */
const rule = <Peers extends object>(peers: { [Key in keyof Peers]: fc.Arbitrary<Peers[Key]> }) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ ...peers, ...services }) },
    { weight: 2, arbitrary: fc.record(peers) },
    { weight: 2, arbitrary: fc.record(services) },
    { weight: 1, arbitrary: fc.constant({}) },
  );

const networkPolicySpec: fc.Arbitrary<NetworkPolicySpec> = fc.record(
  {
    podSelector: fc.oneof(fc.constant({}), selector),
    policyTypes: types,
    ingress: list(rule<{ from: PolicyPeer[] }>({ from: list(peer) }), 2),
    egress: list(rule<{ to: PolicyPeer[] }>({ to: list(peer) }), 2),
  },
  { requiredKeys: ["podSelector"] },
);

const firewallPort = fc.record({ protocol, port: fc.constantFrom(...PORTS) });
const destination: fc.Arbitrary<EgressFirewallSpec["egress"][number]["to"]> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ cidrSelector: block }) },
  { weight: 1, arbitrary: fc.record({ dnsName: fc.constantFrom(...Object.keys(NAMES)) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      nodeSelector: fc.constantFrom<LabelSelector[]>(
        {},
        { matchLabels: { zone: "a" } },
        { matchExpressions: [{ key: "role", operator: "DoesNotExist" }] },
      ),
    }),
  },
);
const egressFirewallSpec: fc.Arbitrary<EgressFirewallSpec> = fc.record({
  egress: fc.array(
    fc.record(
      { type: fc.constantFrom("Allow", "Deny"), to: destination, ports: list(firewallPort) },
      { requiredKeys: ["type", "to"] },
    ),
    { minLength: 3, maxLength: 8 },
  ),
});

const podsSelected = fc.record({ namespaceSelector: selector, podSelector: selector });
const adminPeer: fc.Arbitrary<AdminPeer> = fc.oneof(
  fc.record({ namespaces: selector }),
  fc.record({ pods: podsSelected }),
);
const adminEgressPeer: fc.Arbitrary<AdminPeer> = fc.oneof(
  adminPeer,
  fc.record({ networks: fc.uniqueArray(block, { minLength: 1, maxLength: 3 }) }),
);
const adminPort: fc.Arbitrary<AdminPort> = fc.oneof(
  fc.record({ portNumber: fc.record({ protocol, port: fc.constantFrom(...PORTS) }) }),
  fc.tuple(protocol, portRange).map(([of, [start, end]]) => ({ portRange: { protocol: of, start, end } })),
  fc.record({ namedPort: fc.constantFrom(...PORT_NAMES) }),
);
const ports = fc.array(adminPort, { minLength: 1, maxLength: 3 });

function adminSpec(actions: readonly string[]): fc.Arbitrary<Omit<AdminSpec, "priority">> {
  const action = fc.constantFrom(...actions);
  const peers = <Peer>(arbitrary: fc.Arbitrary<Peer>) => fc.array(arbitrary, { minLength: 1, maxLength: 2 });
  const required = { requiredKeys: ["action", "from"] as ("action" | "from")[] };
  return fc.record(
    {
      subject: fc.oneof(fc.record({ namespaces: selector }), fc.record({ pods: podsSelected })),
      ingress: list(fc.record({ action, from: peers(adminPeer), ports }, required), 4),
      egress: list(
        fc.record({ action, to: peers(adminEgressPeer), ports }, { requiredKeys: ["action", "to"] }),
        4,
      ),
    },
    { requiredKeys: ["subject"] },
  );
}

/** Objects of one scene, whose namespaces have these names. */
export type Objects = (namespaces: readonly string[]) => fc.Arbitrary<Manifest[]>;

/** Policies of namespaces, several on the same pods. */
export const networkPolicies: Objects = (namespaces) =>
  fc.array(
    fc.record({
      kind: fc.constant("NetworkPolicy" as const),
      metadata: fc.record({
        name: fc.constant("policy"),
        namespace: fc.constantFrom(...namespaces.slice(0, 2)),
      }),
      spec: networkPolicySpec,
    }),
    { minLength: 2, maxLength: 4 },
  );

/** An egress firewall in the first namespace. */
export const egressFirewalls: Objects = ([first]) =>
  egressFirewallSpec.map((spec) => [
    { kind: "EgressFirewall", metadata: { name: "default", namespace: first! }, spec },
  ]);

/** Policies of administrators, with different priorities, and perhaps a baseline. */
export const adminPolicies: Objects = () =>
  fc
    .tuple(
      fc.array(adminSpec(["Allow", "Deny", "Pass"]), { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(fc.nat({ max: 99 }), { minLength: 3, maxLength: 3 }),
      fc.array(adminSpec(["Allow", "Deny"]), { maxLength: 1 }),
    )
    .map(([specs, priorities, baseline]): Manifest[] => [
      ...specs.map((spec, position) => ({
        kind: "AdminNetworkPolicy" as const,
        metadata: { name: `admin-${position}` },
        spec: { ...spec, priority: priorities[position]! },
      })),
      ...baseline.map((spec) => ({
        kind: "BaselineAdminNetworkPolicy" as const,
        metadata: { name: "default" },
        spec,
      })),
    ]);
