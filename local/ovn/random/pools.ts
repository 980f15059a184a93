import fc from "fast-check";

import type { LabelSelector, Manifest } from "../manifests";

/** Few values, so that objects and packets match often. */
const LABELS = { app: ["web", "db"], tier: ["front", "back"] } as const;

/** Labels of an object; each key is optional. */
export const labels: fc.Arbitrary<Record<string, string>> = fc.record(
  { app: fc.constantFrom(...LABELS.app), tier: fc.constantFrom(...LABELS.tier) },
  { requiredKeys: [] },
);

const keys = fc.constantFrom("app", "tier");
/** Includes a value that no object has. */
const values = fc.uniqueArray(fc.constantFrom(...LABELS.app, ...LABELS.tier, "none"), {
  minLength: 1,
  maxLength: 2,
});
const expression = fc.oneof(
  fc.record({ key: keys, operator: fc.constantFrom("In", "NotIn"), values }),
  fc.record({ key: keys, operator: fc.constantFrom("Exists", "DoesNotExist") }),
);

/** Selectors of every form; empty and broad ones are more frequent than ones that match almost nothing. */
export const selector: fc.Arbitrary<LabelSelector> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ matchLabels: labels.filter((some) => Object.keys(some).length < 2) }) },
  {
    weight: 3,
    arbitrary: fc.record({ matchExpressions: fc.array(expression, { minLength: 1, maxLength: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) }),
  },
);

/** Nested blocks, the cluster network, the pods of a node, the nodes, everything; for each family, wider ones first. */
export const BLOCKS = {
  4: [
    "0.0.0.0/0",
    "10.0.0.0/8",
    "10.128.0.0/14",
    "10.128.64.0/18",
    "192.168.130.0/24",
    "198.51.0.0/16",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "203.0.113.128/25",
    "203.0.113.128/28",
    "203.0.113.143/32",
  ],
  6: [
    "::/0",
    "fd01::/48",
    "fd01:0:0:1::/64",
    "fd00:130::/64",
    "2001:db8::/32",
    "2001:db8:1::/48",
    "2001:db8:1:8000::/49",
    "2001:db8:1:ffff::/64",
    "2001:db8:1:ffff::1/128",
  ],
} as const;

/** One of these blocks, or one with host bits set, which have no meaning. */
export const block = fc.constantFrom<string[]>(
  ...BLOCKS[4],
  ...BLOCKS[6],
  "203.0.113.200/25",
  "2001:db8:1:8000::7/49",
);

/** Addresses at and next to the boundaries of these blocks, none of them a pod's. */
export const ADDRESSES = {
  4: [
    "203.0.113.0",
    "203.0.113.127",
    "203.0.113.128",
    "203.0.113.143",
    "203.0.113.144",
    "203.0.113.255",
    "203.0.112.255",
    "198.51.100.7",
    "198.51.99.255",
    "10.200.0.1",
    "9.255.255.255",
    "192.168.130.10",
    "192.168.130.11",
    "8.8.8.8",
  ],
  6: [
    "2001:db8::1",
    "2001:db7:ffff::1",
    "2001:db8:1::1",
    "2001:db8:1:7fff::1",
    "2001:db8:1:8000::",
    "2001:db8:1:ffff::1",
    "2001:db8:1:ffff::2",
    "2001:db8:2::",
    "fd00:130::10",
    "fd00:130::11",
    "2600::1",
  ],
} as const;

/** DNS names in egress firewalls, with their addresses. */
export const NAMES = {
  "registry.example.com": { 4: "203.0.113.143", 6: "2001:db8:1:ffff::1" },
  "mirror.example.com": { 4: "198.51.100.7", 6: "2600::1" },
} as const;

/** Ports in objects. */
export const PORTS = [1, 53, 80, 443, 8080, 30_000, 65_535] as const;
/** Port names, which pods assign to different numbers. */
export const PORT_NAMES = ["web", "dns"] as const;
/** Protocols as objects name them. */
export const protocol = fc.constantFrom("TCP", "UDP", "SCTP");

/** A first and a last port. */
export const portRange: fc.Arbitrary<[number, number]> = fc
  .tuple(fc.constantFrom(...PORTS), fc.constantFrom(...PORTS))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);

/** A list that is sometimes empty. */
export const list = <T>(item: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.array(item, { minLength: 1, maxLength }) },
    { weight: 1, arbitrary: fc.constant<T[]>([]) },
  );

/** Generates the objects of a scene with namespaces of these names. */
export type Objects = (namespaces: readonly string[]) => fc.Arbitrary<Manifest[]>;
