import type { Fault } from "../../fault";
import { CLIENT_EPHEMERAL, HOST_EPHEMERAL } from "../../requirements/ports";
import type { PortRange } from "../../requirements/requirement";
import { countFaults, isGiven, isRecord, shown } from "../../components/hostRules/inputShape";
import type { EphemeralPorts } from "./answers";

/** A range of ports as users write it. Mirrors the component's `NetworkAclPortRange`. */
export interface GivenRange {
  fromPort: number;
  toPort: number;
}

/** The ranges that users wrote, and the usual ones in place of those that they did not. */
export function ephemeralPorts(hosts?: GivenRange | null, clients?: GivenRange | null): EphemeralPorts {
  return { hosts: rangeOf(hosts) ?? HOST_EPHEMERAL, clients: rangeOf(clients) ?? CLIENT_EPHEMERAL };
}

const rangeOf = (given: GivenRange | null | undefined): PortRange | undefined =>
  given ? { from: given.fromPort, to: given.toPort } : undefined;

/** What is wrong with a range of ports. */
export function rangeFaults(path: string, range: unknown): Fault[] {
  if (!isGiven(range)) return [];
  if (!isRecord(range))
    return [{ path, problem: "is not an object", remedy: "write { fromPort: ..., toPort: ... }" }];
  const { fromPort, toPort } = range;
  const wrong = Object.entries({ fromPort, toPort }).flatMap(([name, port]) =>
    countFaults(`${path}.${name}`, port, 0, 65535),
  );
  if (wrong.length > 0 || Number(fromPort) <= Number(toPort)) return wrong;
  return [
    {
      path: `${path}.toPort`,
      problem: `${shown(toPort)} is less than fromPort ${shown(fromPort)}`,
      remedy: "write the last port of the range",
    },
  ];
}
