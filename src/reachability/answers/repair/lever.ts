import { Direction, Zone } from "../../../requirements/vocabulary";
import { isMap } from "../../../resources/places";
import { read, readValue } from "../../../resources/read";
import type { Resource } from "../../../resources/resource";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { OUR_COMPONENTS } from "../../../resources/resourceTypes";
import { nodeFlows } from "../../../topology/flows/nodeNetwork";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { type FlowPeer, flowKey, Role, type RequiredFlow } from "../../../topology/requiredFlow";
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
  return maker && argumentOf({ maker, stating: statingOf(maker, index) }, hop, keysAt(hop, flows), topology);
}

/** Who makes the filter, and the component whose topology the user writes: the outermost of those around it. */
interface Components {
  maker: Resource;
  stating: Resource;
}

function statingOf(component: Resource, index: ResourceIndex): Resource {
  const parent = index.at(component.parent);
  return parent?.type.startsWith(OUR_COMPONENTS) && isMap(parent.properties.topology)
    ? statingOf(parent, index)
    : component;
}

/** Flows of hosts with the same packets as a place on a way. */
function keysAt(hop: HostHop, flows: readonly RequiredFlow[]): RequiredFlow[] {
  const zones = new Set(peersOf(hop).map(({ zone }) => zone));
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
  { maker, stating }: Components,
  hop: HostHop,
  flows: readonly RequiredFlow[],
  topology: NormalizedTopology,
): string | undefined {
  const [who, whose] = [maker, stating].map((one) => describeWritten(writtenAt(one)));
  const left = new Set(read(maker.properties, "disabledRules[]").map(({ value }) => value));
  const disabled = flows.map(flowKey).filter((key) => left.has(key));
  if (disabled.length > 0) return `take ${disabled.join(", ")} out of disabledRules of ${who}`;
  if (isAmongWorkers(hop, topology)) return `set defaultWorkerRules: true of ${whose}`;
  const [asked] = flows.filter(({ optIn }) => optIn).map(flowKey);
  if (asked !== undefined && flows.every(({ optIn }) => optIn))
    return `set enabledRules: ["${asked}"] of ${who}`;
  const unsaid = unsaidBy(stating, hop);
  return unsaid && `write ${unsaid} in the topology of ${whose}`;
}

/** A property that says the addresses of an end, where another source has it and the topology of the component does not. */
function unsaidBy({ properties }: Resource, hop: HostHop): string | undefined {
  const topology = readValue(properties, "topology");
  if (!isMap(topology)) return undefined;
  const inputs = peersOf(hop).map(({ input }) => input);
  return inputs.find((input) => input !== "" && readValue(topology, input) === undefined);
}

/** The ends that rules at these hosts name. */
const peersOf = ({ direction, sources, destinations }: HostHop): readonly FlowPeer[] =>
  direction === Direction.Ingress ? sources : destinations;
