import type { PolicyPort } from "../manifests";
import type { Pod } from "../scene";
import { familyOf } from "./acl";

/** Alternative matches of ports. An empty match is always true. */
export type PortMatches = (ports: readonly PolicyPort[], listeners: readonly Pod[]) => string[];

const protocolOf = ({ protocol }: PolicyPort): string => (protocol ?? "TCP").toLowerCase();

function byProtocol(ports: readonly PolicyPort[]): [string, PolicyPort[]][] {
  const protocols = [...new Set(ports.map(protocolOf))];
  return protocols.map((name) => [name, ports.filter((port) => protocolOf(port) === name)]);
}

const numbered = (ports: readonly PolicyPort[], protocol: string): string[] =>
  ports.flatMap(({ port, endPort }) => {
    if (typeof port !== "number") return [];
    return endPort === undefined || endPort === port
      ? [`${protocol}.dst == ${port}`]
      : [`${port} <= ${protocol}.dst <= ${endPort}`];
  });

const either = (protocol: string, matches: readonly string[]): string =>
  matches.length === 0 ? protocol : `${protocol} && (${matches.join(" || ")})`;

/**
 * Ports as ovn-kubernetes writes them for a NetworkPolicy: an entry without a number adds nothing if another entry of its protocol
 * has one, else it means every port. A name does not count as a number (ovn-kubernetes issue 2117).
 */
export const portsAsWritten: PortMatches = (ports) =>
  ports.length === 0
    ? [""]
    : byProtocol(ports).map(([protocol, entries]) => either(protocol, numbered(entries, protocol)));

/**
 * Ports as the Kubernetes API defines them: entries are additive, an entry without a port means every port, and a name means the port
 * that the pod at that address gives this name. Names are written as ovn-kubernetes writes them for an AdminNetworkPolicy.
 */
export const portsAsSpecified: PortMatches = (ports, listeners) =>
  ports.length === 0
    ? [""]
    : byProtocol(ports).flatMap(([protocol, entries]) => {
        if (entries.some(({ port }) => port === undefined)) return [protocol];
        const matches = [
          ...numbered(entries, protocol),
          ...entries.flatMap(({ port }) => named(port, protocol, listeners)),
        ];
        return matches.length === 0 ? [] : [either(protocol, matches)];
      });

/** `ip4.dst == 10.128.0.5 && tcp.dst == 8080` for each pod that has a port of that name. */
export function named(
  name: number | string | undefined,
  protocol: string,
  listeners: readonly Pod[],
): string[] {
  return listeners.flatMap(({ ports, addresses }) =>
    ports
      .filter((port) => port.name === name && port.protocol.toLowerCase() === protocol)
      .flatMap(({ port }) =>
        Object.values(addresses).map(
          (address) => `(${familyOf(address)}.dst == ${address} && ${protocol}.dst == ${port})`,
        ),
      ),
  );
}
