import fc from "fast-check";

import type { NetworkPolicySpec, PolicyPeer, PolicyPort } from "../manifests";
import { BLOCKS, PORTS, PORT_NAMES, block, list, portRange, protocol, selector, type Objects } from "./pools";

/** Possible `except` entries of a block: the narrower blocks inside it. */
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
/** Rules with peers in the given field. A rule in which both lists are missing or empty allows everything, so these are rare. */
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

/** NetworkPolicies, some of which select the same pods. */
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
