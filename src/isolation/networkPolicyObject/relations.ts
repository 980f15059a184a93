import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import { isPortName } from "../../requirements/names";
import { Protocol } from "../../requirements/vocabulary";
import type { Relation } from "../../objects/shape";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { entriesOf, isGiven, isMap, propertyOf, type PropertyMap, type Place } from "../../resources/read";
import { shownText } from "../../objects/places";
import { contains, readPrefix } from "../../address";

/** What becomes of a policy with a fault; the API server refuses it where nothing is said of that. */
export const POLICY_CODE = {
  unapplied: "policy-unapplied",
  undocumented: "policy-undocumented",
  unread: "policy-unread",
} as const;

const isKnown = (value: PropertyValue | undefined): value is PropertyValue =>
  isGiven(value) && value !== UNKNOWN;

/** Addresses stand by themselves: pods are selected in an entry of their own. */
export function blockAlone(path: string, { ipBlock, podSelector, namespaceSelector }: PropertyMap): Fault[] {
  if (!isKnown(ipBlock) || (!isKnown(podSelector) && !isKnown(namespaceSelector))) return [];
  return [{ path, problem: "is pods and addresses at once", remedy: "write ipBlock in an entry of its own" }];
}

/** `start` comes before `end`, or is the same port: this is documented, and not validated. */
export const startUpToEnd: Relation = (path, value) =>
  orderFaults(path, value, (start, end) => start <= end).map((fault) => ({
    ...fault,
    code: POLICY_CODE.undocumented,
  }));

/** `start` comes before `end`. */
export const startBeforeEnd: Relation = (path, value) =>
  orderFaults(path, value, (start, end) => start < end);

/** The faults of the last port of a range beside its first. */
export function endPortFaults(path: string, { port, endPort }: PropertyMap): Fault[] {
  if (!isKnown(endPort)) return [];
  const at = `${path}.endPort`;
  if (!isGiven(port)) return [{ path: at, problem: "is set without port", remedy: "add port" }];
  if (typeof port === "string")
    return [
      {
        path: at,
        problem: `is set together with ${shownText(port)}, which is not a number`,
        remedy: "write the number of the first port, or leave endPort out",
      },
    ];
  if (typeof port !== "number" || typeof endPort !== "number") return [];
  // What is not a port at all is reported by itself.
  if (endPort >= port || endPort < LIMIT.port.min) return [];
  return [{ path: at, problem: `${endPort} is before port ${port}`, remedy: "swap the two" }];
}

function orderFaults(
  path: string,
  { start, end }: PropertyMap,
  isRight: (start: number, end: number) => boolean,
): Fault[] {
  if (typeof start !== "number" || typeof end !== "number" || isRight(start, end)) return [];
  const problem = `ends with ${end} and begins with ${start}`;
  const remedy = start === end ? "write one port as a number" : "swap the two";
  return [{ path, problem, remedy }];
}

/**
 * OVN-Kubernetes takes the numbers of a rule's ports, by protocol: a name is no number, and what has none is every port. Names in the
 * cluster's policies it reads.
 */
export function portNames(path: string, { ports }: PropertyMap): Fault[] {
  const entries = entriesOf(ports);
  const protocolOf = (entry: PropertyValue) => propertyOf(entry, "protocol") ?? Protocol.Tcp;
  const numbered = new Set(
    entries.flatMap((entry) => (typeof propertyOf(entry, "port") === "number" ? [protocolOf(entry)] : [])),
  );
  return entries.flatMap((entry, at) => {
    const name = propertyOf(entry, "port");
    if (typeof name !== "string" || !isPortName(name) || isGiven(propertyOf(entry, "endPort"))) return [];
    const protocol = protocolOf(entry);
    const every = typeof protocol === "string" ? `every ${protocol} port` : "every port of its protocol";
    const passing = numbered.has(protocol)
      ? "only the numbers beside it pass"
      : `without a number beside it ${every} passes`;
    const problem = `${shownText(name)} is a name, and OVN-Kubernetes reads numbers: ${passing}`;
    const remedy = "write the number of the port";
    return [{ path: `${path}.ports[${at}].port`, problem, remedy, code: POLICY_CODE.unread }];
  });
}

/** Peers that are addresses: what listens there has no ports with names. */
const ADDRESSES = ["networks", "nodes", "domainNames"];

/** Where the services of a rule stand, and what a port by name is called there. */
const NAMED: readonly (readonly [services: string, name: string])[] = [
  ["ports", "namedPort"],
  ["protocols", "destinationNamedPort"],
];

/** Ports by name are those of pods. */
export function namedPorts(path: string, value: PropertyMap): Fault[] {
  const peers = entriesOf(value.to);
  const position = peers.findIndex((peer) => ADDRESSES.some((key) => isKnown(propertyOf(peer, key))));
  if (position < 0) return [];
  const which = ADDRESSES.find((key) => isKnown(propertyOf(peers[position], key)))!;
  return NAMED.flatMap(([services, name]) =>
    entriesOf(value[services]).flatMap((service, at) => {
      if (!isKnown(propertyOf(service, name))) return [];
      return [
        {
          path: `${path}.${services}[${at}].${name}`,
          problem: `is set together with ${path}.to[${position}].${which}, which have no ports with names`,
          remedy: "write the number of the port, or a rule of its own",
        },
      ];
    }),
  );
}

/** Who denies by name cannot know all addresses that are called so. */
export function domainNames(path: string, { action, to }: PropertyMap): Fault[] {
  if (action !== "Deny" && action !== "Pass") return [];
  return entriesOf(to).flatMap((peer, position) =>
    isMap(peer) && isKnown(peer.domainNames)
      ? [
          {
            path: `${path}.to[${position}].domainNames`,
            problem: `stands in a rule that says ${action}, and domain names only let packets pass`,
            remedy: "deny by networks, after a rule that lets these names pass",
            code: POLICY_CODE.undocumented,
          },
        ]
      : [],
  );
}

/** The API server takes an exception only where it is a part of its block, and not all of it. What is no block is nothing to this. */
export function exceptionFaults({ path, value }: Place, cidr: PropertyValue | undefined): Fault[] {
  const block = typeof cidr === "string" ? readPrefix(cidr) : undefined;
  if (!block) return [];
  return entriesOf(value).flatMap((entry, position) => {
    const inner = typeof entry === "string" ? readPrefix(entry) : undefined;
    if (!inner || (contains(block, inner) && inner.length > block.length)) return [];
    const problem = `${inner.text} is not part of ${block.text}`;
    const remedy = `write a smaller block inside ${block.text}, or leave it out`;
    return [{ path: `${path}[${position}]`, problem, remedy }];
  });
}
