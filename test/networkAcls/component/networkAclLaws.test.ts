import fc from "fast-check";
import { readPrefix } from "../../../src/address";
import {
  networkAclRules,
  type NetworkAclOptions,
  type NetworkAclPlan,
} from "../../../src/networkAcls/component/networkAclRules";
import type { GivenSubnets } from "../../../src/networkAcls/component/subnets";
import { numberKey } from "../../../src/networkAcls/component/aclRule";
import {
  Direction,
  EndpointAccess,
  LoadBalancerTargets,
  Platform,
  Protocol,
  Role,
} from "../../../src/requirements/vocabulary";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";
import { nodeFlows } from "../../../src/flows/required/nodes";
import type { RequiredFlow } from "../../../src/flows/model";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import { inside, networkAcl, type Packet } from "./stateless";
import { aclEntry } from "../../../src/networkAcls/component/aclResources";

/** Intended traffic across the border of a subnet, independent of the planned rules: a flow and one of its peers. */
interface Declared {
  egress: boolean;
  protocol: Protocol;
  block: string;
  ports?: { from: number; to: number };
  /** Whether answers go to ephemeral ports. */
  answered: boolean;
}

const HOSTS = { from: 32768, to: 65535 };
const CLIENTS = { from: 1024, to: 65535 };

function declaredOf(topology: HostedClusterTopology, options: NetworkAclOptions, role: Role): Declared[] {
  const normal = normalizeTopology(topology).topology!;
  const enabled = new Set(options.enabledRules);
  const belongs = (flow: RequiredFlow) => (flow.role === Role.ControlPlane) === (role === Role.ControlPlane);
  const flows = [
    ...requiredFlows(normal).filter((flow) => belongs(flow) && !(flow.role === Role.Workers && flow.optIn)),
    ...nodeFlows(normal, role === Role.ControlPlane ? role : Role.Workers),
  ].filter((flow) => !flow.optIn || enabled.has(`${flow.role}/${flow.direction}/${flow.key}`));
  const required = flows.flatMap(({ direction, protocol, ports, peers, samePortBothWays }) =>
    peers
      .flatMap(({ prefixes = [] }) => prefixes)
      .map(({ text }) => ({
        egress: direction === Direction.Egress,
        protocol,
        block: text,
        ...(ports && { ports }),
        answered: samePortBothWays !== true,
      })),
  );
  const added = Object.values(options.additionalRules ?? {})
    .filter((rule) => rule.role === role)
    .map(({ direction, protocol, cidr, fromPort, toPort, answers }) => ({
      egress: direction === Direction.Egress,
      protocol,
      block: cidr as string,
      ...(fromPort !== undefined && { ports: { from: fromPort, to: toPort ?? fromPort } }),
      answered: answers !== false,
    }));
  return [...required, ...added];
}

const NUMBERS: Readonly<Record<Protocol, readonly number[]>> = {
  [Protocol.Tcp]: [6],
  [Protocol.Udp]: [17],
  [Protocol.Sctp]: [132],
  [Protocol.Icmp]: [1, 58],
  [Protocol.Esp]: [50],
  [Protocol.Any]: [1, 6, 17, 50, 58, 132],
};
const isTransport = (protocol: Protocol) => protocol === Protocol.Tcp || protocol === Protocol.Udp;
const isIPv6 = (address: string) => address.includes(":");

/** Whether declared traffic, an answer to it or path MTU discovery requires that a packet passes. */
function expectedBy(declared: readonly Declared[]): (packet: Packet) => boolean {
  const judges = declared.map((one) => ({ ...one, isThere: inside(one.block) }));
  const within = (port: number, { from, to }: { from: number; to: number }) => from <= port && port <= to;
  const families = new Set(declared.map(({ block }) => isIPv6(block)));
  return (packet) => {
    const { egress, protocol, remote, port = 0, message: [type, code] = [0, 0] } = packet;
    const tooBig = protocol === 1 ? type === 3 && code === 4 : protocol === 58 && type === 2;
    if (tooBig && families.has(isIPv6(remote)) && isIPv6(remote) === (protocol === 58)) return true;
    return judges.some((one) => {
      if (!NUMBERS[one.protocol].includes(protocol) || !one.isThere(remote)) return false;
      if (one.protocol === Protocol.Icmp && isIPv6(remote) !== (protocol === 58)) return false;
      if (one.egress === egress) return one.ports === undefined || within(port, one.ports);
      if (!one.answered) return false;
      return !isTransport(one.protocol) || within(port, one.egress ? HOSTS : CLIENTS);
    });
  };
}

/** Packets at all limits: addresses at and next to the ends of all blocks, ports at and next to the ends of all ranges. */
function cornersOf(declared: readonly Declared[]): Packet[] {
  const blocks = [...new Set(declared.map(({ block }) => block))].map((text) => readPrefix(text)!);
  const beside = blocks.flatMap(({ family, start, end }) =>
    [start - 1n, start, end, end + 1n].flatMap((value) => addressOf(family, value)),
  );
  const remotes = [...new Set([...beside, "192.0.2.200", "2001:db8:ffff::1"])];
  const ranges = [...declared.flatMap(({ ports }) => ports ?? []), HOSTS, CLIENTS];
  const ports = [...new Set(ranges.flatMap(({ from, to }) => [from - 1, from, to, to + 1]))].filter(
    (port) => port >= 0 && port <= 65535,
  );
  const messages = [
    [3, 4],
    [3, 0],
    [8, 0],
    [2, 0],
    [2, 1],
    [128, 0],
  ] as const;
  return [false, true].flatMap((egress) =>
    remotes.flatMap((remote) => [
      ...ports.flatMap((port) => [6, 17].map((protocol) => ({ egress, remote, protocol, port }))),
      ...messages.flatMap((message) =>
        [isIPv6(remote) ? 58 : 1].map((protocol) => ({ egress, remote, protocol, message })),
      ),
      ...[50, 132].map((protocol) => ({ egress, remote, protocol })),
    ]),
  ) as Packet[];
}

function addressOf(family: 4 | 6, value: bigint): string[] {
  const bits = family === 4 ? 32n : 128n;
  if (value < 0n || value >> bits !== 0n) return [];
  if (family === 4) return [[24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".")];
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 65535n);
  return [groups.map((group) => group.toString(16)).join(":")];
}

const blocks = {
  machineNetwork: ["10.0.0.0/16"],
  managementClusterCidrs: ["10.1.0.0/16", "10.2.0.0/17", "fd00:20::/48"],
  loadBalancerSubnetCidrs: ["10.1.0.0/24", "10.3.0.0/24"],
  workerNatCidrs: ["192.0.2.7/32", "192.0.2.6/32"],
  externalClientCidrs: ["203.0.113.0/24", "0.0.0.0/0", "2001:db8:1::/48"],
  dnsServerCidrs: ["10.1.0.2/32", "172.16.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.128/28"],
};
const some = (cidrs: readonly string[]) =>
  fc.option(fc.subarray([...cidrs], { minLength: 1 }), { nil: undefined });

const topologies: fc.Arbitrary<HostedClusterTopology> = fc
  .record({
    platform: fc.constantFrom(Platform.AWS, Platform.Agent, Platform.None),
    access: fc.constantFrom(...Object.values(EndpointAccess)),
    loadBalancerTargets: fc.constantFrom(undefined, ...Object.values(LoadBalancerTargets)),
    bootstrap: fc.boolean(),
    managementClusterCidrs: some(blocks.managementClusterCidrs),
    loadBalancerSubnetCidrs: some(blocks.loadBalancerSubnetCidrs),
    workerNatCidrs: some(blocks.workerNatCidrs),
    externalClientCidrs: some(blocks.externalClientCidrs),
    dnsServerCidrs: some(blocks.dnsServerCidrs),
    registryCidrs: some(blocks.registryCidrs),
    controlPlaneEndpointCidrs: some(blocks.controlPlaneEndpointCidrs),
  })
  .map(({ platform, access, bootstrap, ...lists }) => ({
    name: "tenant-a",
    platform,
    machineNetwork: [{ cidr: blocks.machineNetwork[0]! }],
    ...(platform === Platform.AWS ? { endpointAccess: access } : { bootstrap }),
    ...lists,
  }))
  .filter((topology) => normalizeTopology(topology).topology !== undefined);

const additional = fc.dictionary(
  fc.constantFrom("a", "b", "c"),
  fc.record({
    role: fc.constantFrom(Role.ControlPlane, Role.Workers),
    direction: fc.constantFrom(...Object.values(Direction)),
    protocol: fc.constantFrom(Protocol.Tcp, Protocol.Udp, Protocol.Icmp, Protocol.Esp),
    cidr: fc.constantFrom("10.99.0.0/16", "10.98.0.0/16", "fd00:99::/48"),
    answers: fc.constantFrom(undefined, true, false),
    description: fc.constant("why"),
  }),
);
const NODES: GivenSubnets = { nodes: { subnetId: "subnet-1", role: Role.Workers } };
const someOptions: fc.Arbitrary<NetworkAclOptions> = fc.record({
  ruleQuota: fc.constant(40),
  dedicatedSubnets: fc.constantFrom<GivenSubnets[]>({}, NODES),
  additionalRules: additional,
  enabledRules: fc.constantFrom<string[][]>(
    [],
    ["control-plane/ingress/nodes-ipsec-esp", "control-plane/egress/nodes-ipsec-esp"],
  ),
});

const entriesOf = ({ rules }: NetworkAclPlan, role: Role) =>
  rules.filter((rule) => rule.role === role).map(aclEntry);

describe("M12 the ACL of any cluster, evaluated in order and statelessly", () => {
  it("allows every required flow with its answers, in both directions, and nothing else", () => {
    let planned = 0;
    fc.assert(
      fc.property(topologies, someOptions, (topology, options) => {
        const plan = networkAclRules(topology, options);
        if (plan.faults.length > 0) return;
        planned++;
        for (const role of plan.roles) {
          const additionalRules = Object.fromEntries(
            Object.entries(options.additionalRules ?? {}).filter(([, rule]) => rule.role === role),
          );
          const declared = declaredOf(topology, { ...options, additionalRules }, role);
          const [passes, expected] = [networkAcl(entriesOf(plan, role)), expectedBy(declared)];
          for (const packet of cornersOf(declared))
            if (passes(packet) !== expected(packet))
              throw new Error(
                `${role}: ${JSON.stringify(packet)} ${passes(packet) ? "passes" : "is denied"}`,
              );
        }
      }),
      { numRuns: 60 },
    );
    expect(planned).toBeGreaterThan(20);
  });

  it("gives every rule of a list a unique number from 1000 to 31999", () => {
    fc.assert(
      fc.property(topologies, someOptions, (topology, options) => {
        const { rules } = networkAclRules(topology, options);
        const places = rules.map(({ role, direction, number }) => `${role} ${direction} ${number}`);
        expect(new Set(places).size).toBe(places.length);
        for (const { number } of rules) {
          expect(number).toBeGreaterThanOrEqual(1000);
          expect(number).toBeLessThanOrEqual(31999);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("renumbers no rule if other rules are added or removed", () => {
    const numbersOf = ({ rules }: NetworkAclPlan) =>
      new Map(rules.map((rule) => [numberKey(rule), rule.number]));
    fc.assert(
      fc.property(topologies, topologies, someOptions, (one, other, options) => {
        const before = numbersOf(networkAclRules(one, options));
        const after = numbersOf(networkAclRules({ ...one, ...other }, options));
        for (const [key, number] of before) if (after.has(key)) expect(after.get(key)).toBe(number);
      }),
      { numRuns: 100 },
    );
  });

  it("denies everything without rules", () => {
    expect(networkAcl([])({ egress: false, protocol: 6, remote: "10.0.0.1", port: 443 })).toBe(false);
  });
});
