import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import { isPortName } from "../../requirements/names";
import { Protocol } from "../../requirements/vocabulary";
import type { Relation } from "../shape";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { entriesOf, isGiven, isMap, propertyOf, type PropertyMap, type Place } from "../../resources/read";
import { shownText, UNKNOWN_PROPERTY } from "../places";
import { contains, type Prefix, readPrefix } from "../../address";
import { parsePrefix } from "../../address/parse";

/** The consequence of a fault for its policy. Without a code, the API server refuses the policy. */
export const POLICY_CODE = {
  unapplied: "policy-unapplied",
  unmatched: "policy-unmatched",
  undocumented: "policy-undocumented",
  unread: "policy-unread",
  /** The API server refuses the policy, and another rule reports the fault. */
  elsewhere: "policy-elsewhere",
} as const;

const REFUSED = "the API server refuses the policy";

/** The consequences of faults that the API server accepts. The problem of an unread port states its own. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  [POLICY_CODE.unapplied]: "a policy with such a selector is not applied",
  [POLICY_CODE.unmatched]:
    "the API server accepts it, but OVN-Kubernetes cannot match it: the rule has no effect",
  [POLICY_CODE.undocumented]:
    "the API server accepts it contrary to its own documentation, and the effect of the policy is not documented",
};

/** The consequence of a fault with this code for its policy, as part of a sentence. */
export const consequenceOf = (code = ""): string => CONSEQUENCES[code] ?? REFUSED;

const OUT_OF_FORCE: ReadonlySet<string | undefined> = new Set([
  undefined,
  UNKNOWN_PROPERTY,
  POLICY_CODE.elsewhere,
  POLICY_CODE.unapplied,
]);

/** Whether no rule of a policy with this fault applies: the API server refuses the policy, or OVN-Kubernetes does not apply it. */
export const keepsOutOfForce = ({ code }: Fault): boolean => OUT_OF_FORCE.has(code);

const isKnown = (value: PropertyValue | undefined): value is PropertyValue =>
  isGiven(value) && value !== UNKNOWN;

/** Faults of a peer with both addresses and selectors: addresses need an entry of their own. */
export function blockAlone(path: string, { ipBlock, podSelector, namespaceSelector }: PropertyMap): Fault[] {
  if (!isKnown(ipBlock) || (!isKnown(podSelector) && !isKnown(namespaceSelector))) return [];
  return [{ path, problem: "selects both pods and addresses", remedy: "write ipBlock in a separate entry" }];
}

/** Requires that `start` is at most `end`: this is documented, and not validated. */
export const startUpToEnd: Relation = (path, value) =>
  orderFaults(path, value, (start, end) => start <= end).map((fault) => ({
    ...fault,
    code: POLICY_CODE.undocumented,
  }));

/** Requires that `start` is less than `end`. */
export const startBeforeEnd: Relation = (path, value) =>
  orderFaults(path, value, (start, end) => start < end);

/** Faults of the last port of a range, compared with its first port. */
export function endPortFaults(path: string, { port, endPort }: PropertyMap): Fault[] {
  if (!isKnown(endPort)) return [];
  const at = `${path}.endPort`;
  if (!isGiven(port)) return [{ path: at, problem: "is set without port", remedy: "add port" }];
  if (typeof port === "string") {
    const problem = `is set together with ${shownText(port)}, which is not a number`;
    return [{ path: at, problem, remedy: "write the number of the first port, or leave endPort out" }];
  }
  if (typeof port !== "number" || typeof endPort !== "number") return [];
  // A value that is not a port at all is reported separately.
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
 * Warnings about ports by name. OVN-Kubernetes reads only the numbers of a rule's ports, per protocol, and a protocol without numbers
 * means every port. In cluster-wide policies it does read names.
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
      ? "only the numeric ports of the rule are allowed"
      : `without a numeric port, ${every} is allowed`;
    const problem = `${shownText(name)} is a name, and OVN-Kubernetes reads only numbers: ${passing}`;
    const remedy = "write the number of the port";
    return [{ path: `${path}.ports[${at}].port`, problem, remedy, code: POLICY_CODE.unread }];
  });
}

/** The keys of peers that are addresses, on which ports have no names. */
const ADDRESSES = ["networks", "nodes", "domainNames"];

/** The keys of a rule's services, and the key of a named port in each. */
const NAMED: readonly (readonly [services: string, name: string])[] = [
  ["ports", "namedPort"],
  ["protocols", "destinationNamedPort"],
];

/** Faults of named ports together with peers that are addresses: only pods have named ports. */
export function namedPorts(path: string, value: PropertyMap): Fault[] {
  const peers = entriesOf(value.to);
  const position = peers.findIndex((peer) => ADDRESSES.some((key) => isKnown(propertyOf(peer, key))));
  if (position < 0) return [];
  const which = ADDRESSES.find((key) => isKnown(propertyOf(peers[position], key)))!;
  return NAMED.flatMap(([services, name]) =>
    entriesOf(value[services]).flatMap((service, at) => {
      if (!isKnown(propertyOf(service, name))) return [];
      const problem = `is set together with ${path}.to[${position}].${which}, which have no named ports`;
      const remedy = "write the number of the port, or a separate rule";
      return [{ path: `${path}.${services}[${at}].${name}`, problem, remedy }];
    }),
  );
}

/** Faults of domain names in a rule that denies or passes: no rule can know all addresses of a name. */
export function domainNames(path: string, { action, to }: PropertyMap): Fault[] {
  if (action !== "Deny" && action !== "Pass") return [];
  return entriesOf(to).flatMap((peer, position) =>
    isMap(peer) && isKnown(peer.domainNames)
      ? [
          {
            path: `${path}.to[${position}].domainNames`,
            problem: `is in a rule with action ${action}, but domain names can be used only to allow traffic`,
            remedy: "deny networks, after a rule that allows these names",
            code: POLICY_CODE.undocumented,
          },
        ]
      : [],
  );
}

/**
 * Faults of exceptions that are not a proper part of their block, which the API server refuses. Host bits, which another rule reports,
 * count as cleared; ignores what is not a block.
 */
export function exceptionFaults({ path, value }: Place, cidr: PropertyValue | undefined): Fault[] {
  const block = withoutHostBits(cidr);
  if (!block) return [];
  return entriesOf(value).flatMap((entry, position) => {
    const inner = withoutHostBits(entry);
    if (!inner || (contains(block, inner) && inner.length > block.length)) return [];
    const problem =
      inner.text === block.text
        ? `${inner.text} is the whole block`
        : `${inner.text} is not part of ${block.text}`;
    const remedy = `write a smaller block inside ${block.text}, or leave it out`;
    return [{ path: `${path}[${position}]`, problem, remedy }];
  });
}

const withoutHostBits = (value: PropertyValue | undefined): Prefix | undefined =>
  typeof value === "string"
    ? (readPrefix(value) ?? parsePrefix(value, { hostBits: "clear" }).prefix)
    : undefined;
