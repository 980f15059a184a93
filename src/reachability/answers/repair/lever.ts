import { Direction, Zone, Role } from "../../../requirements/vocabulary";
import { isMap, read, readValue } from "../../../resources/read";
import type { Resource } from "../../../resources/resource";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { OUR_COMPONENTS } from "../../../resources/resourceTypes";
import { nodeFlows } from "../../../flows/required/nodes";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { flowKey, type FlowPeer, type HostHop } from "../../../flows/model";
import { hostFlows } from "../../../flows";
import type { JudgedGuard } from "../../path";
import { describeWritten, writtenAt } from "../places";

/** Components whose groups and ACLs a plan's author changes by arguments, not by rules. */
const WITH_KEYS: ReadonlySet<string> = new Set(
  ["HostedControlPlaneSecurityGroups", "HostedControlPlaneNetworkAcls"].map(
    (name) => `${OUR_COMPONENTS}${name}`,
  ),
);

/**
 * The argument that lets packets pass at some hosts, where a component made the filter before them. Undefined where none
 * did, or where no argument of it does.
 */
export function leverOf(
  { hop, guard: { standing } }: Pick<JudgedGuard, "hop" | "guard">,
  topology: NormalizedTopology,
  index: ResourceIndex,
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
  return maker && argumentOf({ maker, stating: statingOf(maker, index) }, hop, topology);
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

const AMONG_WORKERS: ReadonlySet<Zone> = new Set([Zone.Workers, Zone.SameSecurityGroup, Zone.MachineNetwork]);

const isAmongWorkers = (hop: HostHop, topology: NormalizedTopology): boolean =>
  hop.role === Role.Workers &&
  !topology.defaultWorkerRules &&
  hop.sources.concat(hop.destinations).every(({ zone }) => AMONG_WORKERS.has(zone)) &&
  nodeFlows(topology, Role.Workers).some((flow) => flowKey(flow) === hop.flow?.key);

function argumentOf(
  { maker, stating }: Components,
  hop: HostHop,
  topology: NormalizedTopology,
): string | undefined {
  const [who, whose] = [maker, stating].map((one) => describeWritten(writtenAt(one)));
  const key = hop.flow?.key ?? "";
  if (read(maker.properties, "disabledRules[]").some(({ value }) => value === key))
    return `take ${key} out of disabledRules of ${who}`;
  if (isAmongWorkers(hop, topology)) return `set defaultWorkerRules: true of ${whose}`;
  if (hostFlows(topology).get(key)?.optIn) return `set enabledRules: ["${key}"] of ${who}`;
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
