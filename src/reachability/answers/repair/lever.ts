import { Direction, Zone } from "../../../requirements/vocabulary";
import { read } from "../../../resources/read";
import type { Resource } from "../../../resources/resource";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { OUR_COMPONENTS } from "../../../resources/resourceTypes";
import { nodeFlows } from "../../../topology/flows/nodeNetwork";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { flowKey, Role, type RequiredFlow } from "../../../topology/requiredFlow";
import type { HostHop } from "../../../flows";
import type { JudgedGuard } from "../../path";
import { describeWritten, writtenAt } from "../written";

/** Components whose groups and ACLs a plan's author changes by arguments, not by rules. */
const WITH_KEYS: ReadonlySet<string> = new Set(
  ["HostedControlPlaneSecurityGroups", "HostedControlPlaneNetworkAcls"].map(
    (name) => `${OUR_COMPONENTS}${name}`,
  ),
);

/**
 * The argument that lets packets pass at some hosts, where a component made the filter before them. Undefined where none
 * did, or where no argument of it does.
 *
 * @param flows every flow of hosts, those among them that are made only on request
 */
export function leverOf(
  { hop, guard: { standing } }: Pick<JudgedGuard, "hop" | "guard">,
  topology: NormalizedTopology,
  index: ResourceIndex,
  flows: readonly RequiredFlow[],
): string | undefined {
  if (hop.kind !== "hosts") return undefined;
  const holders =
    standing?.kind === "securityGroups"
      ? standing.groups.map(({ resource }) => resource)
      : standing?.kind === "networkAcl"
        ? [standing.acl.resource]
        : [];
  const makers = holders.flatMap((holder) => index.at(holder?.parent) ?? []);
  const maker = makers.find(({ type }) => WITH_KEYS.has(type));
  return maker && argumentOf(maker, keysAt(hop, flows), isAmongWorkers(hop, topology));
}

/** Flows of hosts with the same packets as a place on a way. */
function keysAt(hop: HostHop, flows: readonly RequiredFlow[]): RequiredFlow[] {
  const peers = hop.direction === Direction.Ingress ? hop.sources : hop.destinations;
  const zones = new Set(peers.map(({ zone }) => zone));
  const fitting = flows.filter(
    ({ role, direction, protocol, ports }) =>
      role === hop.role &&
      direction === hop.direction &&
      protocol === hop.protocol &&
      (ports?.from ?? 0) <= (hop.ports?.from ?? 0) &&
      (hop.ports?.to ?? 0) <= (ports?.to ?? 0),
  );
  // A published endpoint is among HTTPS services outside, where no flow names it by itself.
  const exact = fitting.filter((flow) => flow.peers.some(({ zone }) => zones.has(zone)));
  return exact.length > 0 ? exact : fitting;
}

const AMONG_WORKERS: ReadonlySet<Zone> = new Set([Zone.Workers, Zone.SameSecurityGroup, Zone.MachineNetwork]);

const isAmongWorkers = (hop: HostHop, topology: NormalizedTopology): boolean =>
  hop.role === Role.Workers &&
  !topology.defaultWorkerRules &&
  hop.sources.concat(hop.destinations).every(({ zone }) => AMONG_WORKERS.has(zone)) &&
  keysAt(hop, nodeFlows(topology, Role.Workers)).length > 0;

function argumentOf(
  maker: Resource,
  flows: readonly RequiredFlow[],
  isAmongThem: boolean,
): string | undefined {
  const who = describeWritten(writtenAt(maker));
  const left = new Set(read(maker.properties, "disabledRules[]").map(({ value }) => value));
  const disabled = flows.map(flowKey).filter((key) => left.has(key));
  if (disabled.length > 0) return `take ${disabled.join(", ")} out of disabledRules of ${who}`;
  if (isAmongThem) return `set defaultWorkerRules: true of ${who}`;
  const [asked] = flows.filter(({ optIn }) => optIn).map(flowKey);
  return asked === undefined || flows.some(({ optIn }) => !optIn)
    ? undefined
    : `set enabledRules: ["${asked}"] of ${who}`;
}
