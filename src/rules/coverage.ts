import { merge, subtract, type Prefix } from "../address";
import { type Protocol, Zone } from "../requirements/vocabulary";
import type { PortRange } from "../requirements/requirement";
import { UNKNOWN } from "../resources/resource";
import type { SecurityGroupRule } from "../resources/securityGroups";
import { EVERY_PORT, letsPass } from "../resources/trafficSpec";
import { Role } from "../topology/requiredFlow";
import type { FlowPeer, RequiredFlow } from "../topology/requiredFlow";

/** What one rule allows of one flow: some addresses for sure, and perhaps others. */
export interface Allowance {
  rule: SecurityGroupRule;
  ports: PortRange;
  prefixes: readonly Prefix[];
  /** True where the rule lets any address pass that the flow has. */
  everyPeer: boolean;
  /** Places of values that nobody knows, and that may allow more. */
  perhaps: readonly { path: string; reason?: string }[];
}

/** What is left of a required flow: the same addresses are missing at each of these ports. */
export interface Gap {
  ports: PortRange;
  prefixes: Prefix[];
}

/** The role of a group that a rule refers to; `undefined` where nobody knows it. */
export type RoleOf = (
  source: SecurityGroupRule["sources"][number],
  rule: SecurityGroupRule,
) => Role | "self" | undefined;

/** Which zones the hosts of a role are in. */
const zonesOf: Readonly<Record<Role | "self", readonly Zone[]>> = {
  [Role.Workers]: [Zone.Workers, Zone.MachineNetwork],
  [Role.ControlPlane]: [Zone.ControlPlane, Zone.ManagementApi, Zone.ManagementKubelet, Zone.Routes],
  [Role.PrivateEndpoint]: [Zone.ControlPlane, Zone.Routes],
  self: [Zone.SameSecurityGroup],
};

/** What rules allow of a flow with one of its peers. */
export function allowances(
  rules: readonly SecurityGroupRule[],
  flow: RequiredFlow,
  peer: FlowPeer,
  roleOf: RoleOf,
): Allowance[] {
  return rules.flatMap((rule) => {
    if (rule.direction !== flow.direction || !passes(rule, flow.protocol)) return [];
    const sure = rule.protocol !== UNKNOWN && rule.ports !== UNKNOWN;
    const ports = rule.ports === UNKNOWN || !rule.ports ? EVERY_PORT : rule.ports;
    if (!sure)
      return [{ rule, ports, prefixes: [], everyPeer: false, perhaps: [{ path: unsurePath(rule) }] }];
    const roles = rule.sources.map((source) => (source.kind === "prefix" ? undefined : roleOf(source, rule)));
    return [
      {
        rule,
        ports,
        prefixes: rule.sources.flatMap((source) => (source.kind === "prefix" ? [source.prefix] : [])),
        everyPeer: roles.some((role) => role !== undefined && zonesOf[role].includes(peer.zone)),
        perhaps: rule.sources.flatMap((source, position) => perhapsOf(source, roles[position])),
      },
    ];
  });
}

/** Where the value stands without which nobody knows what a rule allows: the whole rule, its protocol or its ports. */
function unsurePath({ path, protocol, sources }: SecurityGroupRule): string {
  if (sources.some((source) => source.path === path)) return path;
  const property = protocol === UNKNOWN ? "protocol" : "fromPort";
  return path === "" ? property : `${path}.${property}`;
}

function perhapsOf(source: SecurityGroupRule["sources"][number], role: Role | "self" | undefined) {
  const { kind, path } = source;
  if (kind === "unknown") return [{ path, ...(source.reason !== undefined && { reason: source.reason }) }];
  if (kind === "prefix" || role !== undefined) return [];
  const group = kind === "foreignGroup" ? shownId(source.id) : source.group.name;
  return [{ path, reason: `the addresses behind security group ${group} are not known` }];
}

/** An id as AWS writes it; anything else may be a value that stands in the wrong place. */
const shownId = (id: string) => (/^sg-[0-9a-z]+$/.test(id) ? id : "that is not in this stack");

function passes({ protocol }: SecurityGroupRule, wanted: Protocol): boolean {
  return protocol === UNKNOWN || letsPass(protocol, wanted);
}

/** What of a flow with one peer no rule allows: exact, address by address and port by port. */
export function gaps(required: readonly Prefix[], ports: PortRange, allowed: readonly Allowance[]): Gap[] {
  const found: Gap[] = [];
  for (const part of portParts(ports, allowed)) {
    const here = allowed.filter((one) => one.ports.from <= part.from && part.to <= one.ports.to);
    if (here.some(({ everyPeer }) => everyPeer)) continue;
    const missing = subtract(
      required,
      here.flatMap(({ prefixes }) => prefixes),
    );
    if (missing.length === 0) continue;
    const last = found.at(-1);
    if (last?.ports.to === part.from - 1 && sameText(last.prefixes, missing))
      last.ports = { from: last.ports.from, to: part.to };
    else found.push({ ports: part, prefixes: missing });
  }
  return found;
}

const sameText = (a: readonly Prefix[], b: readonly Prefix[]) => a.join() === b.join();

/** The range cut where a rule begins or ends, so that each part is allowed by a rule as a whole or not at all. */
function portParts({ from, to }: PortRange, allowed: readonly Allowance[]): PortRange[] {
  const starts = new Set([from]);
  for (const { ports } of allowed) {
    if (ports.from > from && ports.from <= to) starts.add(ports.from);
    if (ports.to >= from && ports.to < to) starts.add(ports.to + 1);
  }
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted.map((start, position) => ({ from: start, to: (sorted[position + 1] ?? to + 1) - 1 }));
}

/** The parts of a range at which no rule lets any address pass, and those at which some rule lets some or may. */
export function closedParts(
  ports: PortRange,
  allowed: readonly Allowance[],
): { closed: PortRange[]; others: PortRange[] } {
  const letting = allowed.filter(
    ({ prefixes, everyPeer, perhaps }) => everyPeer || prefixes.length > 0 || perhaps.length > 0,
  );
  const isClosed = ({ from, to }: PortRange) =>
    !letting.some((one) => one.ports.from <= from && to <= one.ports.to);
  const parts = portParts(ports, letting);
  return { closed: parts.filter(isClosed), others: parts.filter((part) => !isClosed(part)) };
}

/** Whether a gap would be closed if every unknown value allowed all that it can. */
export function mayBeClosed({ ports }: Gap, allowed: readonly Allowance[]): boolean {
  return portParts(ports, allowed).every((part) =>
    allowed.some((one) => one.perhaps.length > 0 && one.ports.from <= part.from && part.to <= one.ports.to),
  );
}

/** The addresses that rules allow at every one of these ports. */
export function allowedAt(ports: PortRange, allowed: readonly Allowance[]): Prefix[] {
  const covering = allowed.filter((one) => one.ports.from <= ports.from && ports.to <= one.ports.to);
  return merge(covering.flatMap(({ prefixes }) => prefixes));
}
