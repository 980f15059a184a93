import { PROBE } from "../requirements/probes";

/** How an address is asked. */
export enum RequestKind {
  /** A GET, which one of the names that are expected satisfies, with status 200. */
  Http = "http",
  /** A connection, which is closed again. */
  Tcp = "tcp",
  /** A question to a name server. Without an address those of the pod's own /etc/resolv.conf are asked. */
  Dns = "dns",
  /** A message to a group of multicast, which is waited for. */
  Multicast = "multicast",
}

/** A request that a probe makes. */
export interface ProbeRequest {
  /** Stable, and unique among the requests of a probe: `pod-to-pod/IPv4`. */
  id: string;
  kind: RequestKind;
  /** IP address or host name; of a message the group. */
  address?: string;
  port: number;
  /** Names of the pods that may answer a GET, or send a message, each of which does so with its own. */
  answers?: readonly string[];
  /** Of a connection: where else it may end. Any one suffices. */
  others?: readonly { address: string; port: number }[];
  /** Of a question to a name server. */
  protocol?: "TCP" | "UDP";
  /** The name that a name server is asked for. */
  name?: string;
  /** What is found where there is no address. */
  absent?: string;
}

/** Where a connection ends, as people write it: `[fd00::1]:53`. */
export const socketText = ({ address, port }: { address: string; port: number }): string =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;

/** How long and how often a probe tries. */
export interface Patience {
  /** Seconds in which an answer has to be there. */
  timeout: number;
  /** How often each request is made until it is answered: rules for a new Service take a moment to reach every node. */
  attempts: number;
  /** Seconds between two attempts. */
  pause: number;
}

export const PATIENCE: Patience = { timeout: PROBE.connectTimeoutSeconds, attempts: 5, pause: 2 };

/** Requests as the client reads them from its environment. */
export const requestsText = (requests: readonly ProbeRequest[], patience: Patience): string =>
  JSON.stringify(requests.map((request) => ({ ...request, ...patience })));

/** What a request found. */
export interface ProbeResult {
  id: string;
  answered: boolean;
  /** In words: `no answer within 5 seconds`. */
  found: string;
}

/** What the client wrote into its termination message; undefined where that is something else. */
export function readResults(message: string): ProbeResult[] | undefined {
  try {
    const results = JSON.parse(message) as [string, boolean, string][];
    return results.map(([id, answered, found]) => ({ id, answered, found }));
  } catch {
    return undefined;
  }
}

/** An address family, as Kubernetes writes it. */
export const IpFamily = {
  /** Internet Protocol version 4. */
  IPv4: "IPv4",
  /** Internet Protocol version 6. */
  IPv6: "IPv6",
} as const;
export type IpFamily = (typeof IpFamily)[keyof typeof IpFamily];

/** What has addresses: a pod or a Service. */
export interface ProbeTarget {
  /** What it is called in the id of its requests: `pod-to-pod/one`. */
  id: string;
  addresses: readonly string[];
  port: number;
  /** Names of the pods that answer there. */
  answers: readonly string[];
}

const familyOf = (address: string): IpFamily => (address.includes(":") ? IpFamily.IPv6 : IpFamily.IPv4);

/**
 * A request to each target by each family.
 *
 * @param families those that every target has to have. Absent: each is asked by those that it has, and it has to have one
 */
export function trafficRequests(
  targets: readonly ProbeTarget[],
  families?: readonly IpFamily[],
): ProbeRequest[] {
  return targets.flatMap(({ id, addresses, port, answers }) => {
    const own = [...new Set(addresses.map(familyOf))];
    const asked = families ?? (own.length > 0 ? own : [IpFamily.IPv4]);
    return asked.map((family): ProbeRequest => {
      const address = addresses.find((one) => familyOf(one) === family);
      return {
        id: `${id}/${family}`,
        kind: RequestKind.Http,
        port,
        answers,
        ...(address === undefined ? { absent: `no ${family} address` } : { address }),
      };
    });
  });
}
