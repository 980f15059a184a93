import { Direction } from "../../requirements/vocabulary";
import { nodeFlows } from "../../topology/flows/nodeNetwork";
import { append } from "../../resources/append";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role, type FlowPeer } from "../../topology/requiredFlow";
import { requiredFlows } from "../../topology/requiredFlows";
import { unionAll, type PacketSet } from "../packets";
import { excessOf, type Excess } from "../proof";
import type { SeenPackets } from "./journey";
import { journeys } from "./journeys";
import { packetsOf, type Guards } from "./judge";

/** What hosts of a role let pass and need not. */
export interface HostExcess extends Excess {
  role: Role;
  direction: Direction;
  /** What lets it pass: `security groups of workers`. */
  guard: string;
}

/**
 * What a plan opens at the hosts of a cluster beyond all that any documented flow needs, rule by rule. Flows that are opened on
 * request alone are none of it: who opens them has a document for it. `declared` is what the user wants open besides.
 */
export function hostExcess(
  topology: NormalizedTopology,
  guards: Guards,
  declared: (role: Role, direction: Direction) => PacketSet | undefined = () => undefined,
): HostExcess[] {
  const wanted = wantedPackets(topology);
  return Object.values(Role).flatMap((role) =>
    Object.values(Direction).flatMap((direction) => {
      const more = declared(role, direction);
      const open = unionAll([...(wanted.get(`${role} ${direction}`) ?? []), ...(more ? [more] : [])]);
      return guards
        .hosts(role, direction)
        .filter(({ doubtful = [] }) => doubtful.length === 0)
        .flatMap(({ name, filters }) =>
          excessOf(open, filters).map((excess) => ({ role, direction, guard: name, ...excess })),
        );
    }),
  );
}

/** All that documented flows need at each role and direction. The hosts' own side is open: filters do not look at it. */
function wantedPackets(topology: NormalizedTopology): Map<string, PacketSet[]> {
  const wanted = new Map<string, PacketSet[]>();
  const add = (
    role: Role,
    direction: Direction,
    seen: Omit<SeenPackets, "sources" | "destinations">,
    peers: readonly FlowPeer[],
  ) => {
    const ends = direction === Direction.Ingress ? { sources: peers } : { destinations: peers };
    const packets = packetsOf({ sources: [], destinations: [], ...seen, ...ends });
    const key = `${role} ${direction}`;
    append(wanted, key, [packets]);
  };
  const among = [Role.ControlPlane, Role.Workers] as const;
  for (const flow of [...requiredFlows(topology), ...among.flatMap((role) => nodeFlows(topology, role))])
    add(flow.role, flow.direction, flow, flow.peers);
  for (const { hops } of journeys(topology))
    for (const hop of hops)
      if (hop.kind === "hosts")
        add(
          hop.role,
          hop.direction,
          hop,
          hop.direction === Direction.Ingress ? hop.sources : hop.destinations,
        );
  return wanted;
}
