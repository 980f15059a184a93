import fc from "fast-check";
import type { HostHop, Journey, NamespaceHop, FlowPeer } from "../../../src/flows/model";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import { Direction, Phase, Protocol, Zone, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { prefix } from "../smallUniverse";
import { pinned, said } from "./clusters";

/** Sixteen addresses, eight ports, two protocols; workers have the first eight addresses, the control plane the last eight. */
const BITS = 4;
const PORTS = 8;
const WORKERS = { block: "10.0.0.0/29", first: 0 };
const CONTROL_PLANE = { block: "10.0.0.8/29", first: 8 };
const topology = said({
  platform: "None",
  services: pinned,
  machineNetwork: [{ cidr: WORKERS.block }],
  managementClusterCidrs: [CONTROL_PLANE.block],
});

interface Block {
  /** Prefix length beyond /28, and the first of its addresses. */
  length: number;
  first: number;
}
const block = fc
  .record({ length: fc.integer({ min: 0, max: BITS }), bits: fc.integer({ min: 0, max: 15 }) })
  .map(({ length, bits }): Block => ({ length, first: (bits >> (BITS - length)) << (BITS - length) }));
const text = ({ length, first }: Block): string => `10.0.0.${first}/${28 + length}`;
const has = ({ length, first }: Block, address: number): boolean =>
  address >= first && address < first + (1 << (BITS - length));

/** One rule of any filter. Its `hidden` part is unknown. */
interface Rule {
  protocol: "tcp" | "udp";
  from: number;
  to: number;
  peer: Block;
  allow: boolean;
  hidden?: "peer" | "ports" | "action";
}
const rule = fc
  .record({
    protocol: fc.constantFrom("tcp" as const, "udp" as const),
    ports: fc.tuple(fc.nat(PORTS - 1), fc.nat(PORTS - 1)),
    peer: block,
    allow: fc.boolean(),
    hidden: fc.option(fc.constantFrom("peer" as const, "ports" as const, "action" as const), { freq: 6 }),
  })
  .map(({ ports, hidden, ...rest }): Rule => {
    const [from, to] = [Math.min(...ports), Math.max(...ports)];
    return { ...rest, from, to, ...(hidden && { hidden }) };
  });
const rules = fc.array(rule, { maxLength: 4 });
/** A rule that allows most packets, used often enough that flows are proved too. */
const open = (allow: boolean): Rule => ({
  protocol: "tcp",
  from: 0,
  to: 7,
  peer: { length: 0, first: 0 },
  allow,
});
const mostly = rules.chain((list) => fc.boolean().map((isOpen) => (isOpen ? [...list, open(true)] : list)));

interface Plan {
  groups: Readonly<Record<string, Rule[]>>;
  acl?: { role: Role; isKnown: boolean; ingress: Rule[]; egress: Rule[] };
  firewall: Rule[];
}
const plan: fc.Arbitrary<Plan> = fc.record({
  groups: fc.record({ "workers egress": mostly, "control-plane ingress": mostly }),
  acl: fc.option(
    fc.record({
      role: fc.constantFrom(Role.Workers, Role.ControlPlane),
      isKnown: fc.boolean(),
      ingress: mostly,
      egress: mostly,
    }),
    { nil: undefined },
  ),
  // The API server refuses an egress firewall with port 0.
  firewall: rules.map((list) =>
    list.map(({ from, to, ...rest }) => ({ ...rest, from: Math.max(from, 1), to: Math.max(to, 1) })),
  ),
});

const hiddenOr = (rule: Rule, part: Rule["hidden"], value: PropertyValue): PropertyValue =>
  rule.hidden === part ? UNKNOWN : value;

function resourcesOf({ groups, acl, firewall }: Plan): Resource[] {
  const urn = (name: string) => ({ urn: `urn:pulumi:test::network::${name}` });
  const tags = (role: Role) => ({ "hypershift-network/role": role });
  const tagsOf = ({ isKnown, role }: NonNullable<Plan["acl"]>): PropertyValue =>
    isKnown ? tags(role) : UNKNOWN;
  const entry = (one: Rule, position: number): PropertyValue => ({
    ruleNo: position + 1,
    protocol: one.protocol,
    action: hiddenOr(one, "action", one.allow ? "allow" : "deny"),
    cidrBlock: hiddenOr(one, "peer", text(one.peer)),
    fromPort: hiddenOr(one, "ports", one.from),
    toPort: one.to,
  });
  return [
    ...[Role.Workers, Role.ControlPlane].map((role): Resource => ({
      origin: urn(role),
      type: "aws:ec2/securityGroup:SecurityGroup",
      name: role,
      properties: {
        tags: tags(role),
        ...Object.fromEntries(
          Object.values(Direction).map((direction) => [
            direction,
            (groups[`${role} ${direction}`] ?? []).map((one) => ({
              protocol: one.protocol,
              cidrBlocks: [hiddenOr(one, "peer", text(one.peer))],
              fromPort: hiddenOr(one, "ports", one.from),
              toPort: one.to,
            })),
          ]),
        ),
      },
    })),
    ...(acl
      ? ([
          {
            origin: urn("acl"),
            type: "aws:ec2/networkAcl:NetworkAcl",
            name: "acl",
            properties: {
              tags: tagsOf(acl),
              ingress: acl.ingress.map(entry),
              egress: acl.egress.map(entry),
            },
          },
        ] satisfies Resource[])
      : []),
    {
      origin: urn("firewall"),
      type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
      name: "firewall",
      properties: {
        metadata: { name: "default", namespace: "shop" },
        spec: {
          egress: firewall.flatMap((one) =>
            // Each port is a separate entry.
            [
              {
                type: hiddenOr(one, "action", one.allow ? "Allow" : "Deny"),
                to: { cidrSelector: hiddenOr(one, "peer", text(one.peer)) },
                ports: hiddenOr(
                  one,
                  "ports",
                  Array.from({ length: one.to - one.from + 1 }, (_, i) => ({
                    port: one.from + i,
                    protocol: one.protocol.toUpperCase(),
                  })),
                ),
              },
            ],
          ),
        },
      },
    },
  ];
}

/** The possible outcomes for a packet. */
type Outcomes = ReadonlySet<"allow" | "deny">;
interface Packet {
  source: number;
  destination: number;
  protocol: "tcp" | "udp";
  port: number;
}

type Matching = (one: Rule, packet: Packet, peer: number) => "yes" | "no" | "maybe";

/** Whether a rule matches, checked number by number; an unknown part may match or not. */
const matches: Matching = (one, { protocol, port }, peer) => {
  const parts = [
    protocol === one.protocol,
    one.hidden === "ports" ? undefined : port >= one.from && port <= one.to,
    one.hidden === "peer" ? undefined : has(one.peer, peer),
  ];
  if (parts.includes(false)) return "no";
  return parts.includes(undefined) ? "maybe" : "yes";
};

/** The ports of a firewall rule include their protocols: if the ports are unknown, so are the protocols. */
const matchesFirewall: Matching = (one, packet, peer) =>
  matches(one.hidden === "ports" ? { ...one, protocol: packet.protocol } : one, packet, peer);

/** The possible outcomes of a list in which the first matching rule decides. */
function firstMatch(
  list: readonly Rule[],
  packet: Packet,
  peer: number,
  otherwise: "allow" | "deny",
  matching = matches,
): Outcomes {
  const outcomes = new Set<"allow" | "deny">();
  for (const one of list) {
    const match = matching(one, packet, peer);
    if (match === "no") continue;
    if (one.hidden === "action") outcomes.add("allow").add("deny");
    else outcomes.add(one.allow ? "allow" : "deny");
    if (match === "yes") return outcomes;
  }
  return outcomes.add(otherwise);
}

/** The possible outcomes of a group, whose rules only allow. */
function inGroup(list: readonly Rule[], packet: Packet, peer: number): Outcomes {
  const found = list.map((one) => matches(one, packet, peer));
  if (found.includes("yes")) return new Set(["allow"]);
  return new Set(found.includes("maybe") ? (["allow", "deny"] as const) : (["deny"] as const));
}

const peerOf = (direction: Direction, { source, destination }: Packet): number =>
  direction === Direction.Ingress ? source : destination;
const answered = ({ source, destination, ...rest }: Packet): Packet => ({
  ...rest,
  source: destination,
  destination: source,
});
const opposite = (direction: Direction): Direction =>
  direction === Direction.Ingress ? Direction.Egress : Direction.Ingress;

/** The possible outcomes for a packet at each filter on its path. */
function outcomesOf({ groups, acl, firewall }: Plan, packet: Packet): Outcomes[] {
  const hosts = [
    [Role.Workers, Direction.Egress],
    [Role.ControlPlane, Direction.Ingress],
  ] as const;
  const atHosts = hosts.flatMap(([role, direction]) => {
    const group = inGroup(groups[`${role} ${direction}`] ?? [], packet, peerOf(direction, packet));
    if (!acl || (acl.isKnown && acl.role !== role)) return [group];
    const back = answered(packet);
    const calls = firstMatch(acl[direction], packet, peerOf(direction, packet), "deny");
    const other = opposite(direction);
    const answers = firstMatch(acl[other], back, peerOf(other, back), "deny");
    const perhaps = (outcomes: Outcomes): Outcomes =>
      acl.isKnown ? outcomes : new Set([...outcomes, "allow" as const]);
    return [group, perhaps(calls), perhaps(answers)];
  });
  return [...atHosts, firstMatch(firewall, packet, packet.destination, "allow", matchesFirewall)];
}

const peer = (zone: Zone, { block: cidr }: { block: string }): FlowPeer => ({
  zone,
  input: zone === Zone.Workers ? "workerCidrs" : "managementClusterCidrs",
  prefixes: [prefix(cidr)],
});

function journeyTo(from: number, to: number): Journey {
  const seen = {
    protocol: Protocol.Tcp,
    ports: { from, to },
    // Answers go to these ports only, because this universe has no others.
    samePortBothWays: true as const,
    sources: [peer(Zone.Workers, WORKERS)],
    destinations: [peer(Zone.ControlPlane, CONTROL_PLANE)],
  };
  const namespace: NamespaceHop = { kind: "namespace", cluster: "hosted", namespace: "shop", ...seen };
  const leaves: HostHop = { kind: "hosts", role: Role.Workers, direction: Direction.Egress, ...seen };
  const arrives: HostHop = { ...leaves, role: Role.ControlPlane, direction: Direction.Ingress };
  return {
    key: "small",
    title: "small",
    from: Zone.Workers,
    phase: Phase.Always,
    hops: [namespace, leaves, arrives],
    missing: [],
    outside: [],
  };
}

function modelled(one: Plan, from: number, to: number): Proof {
  const outcomes: Outcomes[] = [];
  for (let port = from; port <= to; port++)
    for (let source = WORKERS.first; source < WORKERS.first + 8; source++)
      for (let destination = CONTROL_PLANE.first; destination < CONTROL_PLANE.first + 8; destination++)
        outcomes.push(...outcomesOf(one, { source, destination, protocol: "tcp", port }));
  if (outcomes.some((set) => !set.has("allow"))) return Proof.Refuted;
  return outcomes.every((set) => !set.has("deny")) ? Proof.Proved : Proof.Unknown;
}

test("the verdict on a path over firewall, groups and ACLs agrees with a model that checks packet by packet", () => {
  const seen = new Map<Proof, number>();
  fc.assert(
    fc.property(plan, fc.nat(PORTS - 1), fc.nat(PORTS - 1), (one, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const guards = planGuards(new ResourceIndex(resourcesOf(one)), topology);
      const { proof } = judgeJourney(journeyTo(from, to), guards);
      seen.set(proof, (seen.get(proof) ?? 0) + 1);
      expect(proof).toBe(modelled(one, from, to));
    }),
    // Enough runs that each outcome occurs often.
    { numRuns: 1_500 },
  );
  // The plan must open every place, so nothing is assumed.
  for (const proof of [Proof.Proved, Proof.Refuted, Proof.Unknown])
    expect(seen.get(proof) ?? 0).toBeGreaterThan(10);
  expect(seen.get(Proof.Assumed)).toBeUndefined();
});
