import { addressFaults, parseAddress } from "../address/parse";
import type { Fault } from "../fault";
import { portNameFaults } from "../objects/places";
import {
  leaf,
  list,
  type NameOf,
  needed,
  object,
  ONE_AT_LEAST,
  port,
  shapeFaults,
  word,
} from "../objects/shape";
import {
  entriesOf,
  type Found,
  holdsUnknown,
  isGiven,
  isList,
  type Place,
  propertyOf,
} from "../resources/read";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { EgressRouterProtocol } from "./egressRouter";
import { parseInterfaceAddress } from "./surroundings";

/** The destinations of a router, and the ports at which clients reach it, to the extent known. */
export interface RedirectInputs {
  address?: PropertyValue | undefined;
  redirectRules?: PropertyValue | undefined;
  fallbackIp?: PropertyValue | undefined;
  servicePorts?: PropertyValue | undefined;
}

const protocols: readonly PropertyValue[] = Object.values(EgressRouterProtocol);
const protocol = needed(word(Object.values(EgressRouterProtocol), "a port needs "));

/** Faults of the redirections of a router. */
export function redirectFaults(
  { address, redirectRules, fallbackIp }: RedirectInputs,
  nameOf: NameOf,
): Fault[] {
  const destination = leaf((place) => destinationFaults(place, address));
  const key = nameOf("destinationIp");
  const rule = object(
    {
      port: needed(port, "write the port that clients connect to"),
      protocol,
      [key]: needed(destination, "write the address of the destination"),
      targetPort: port,
    },
    { relations: [(path, { [key]: to, targetPort }) => ipv6TargetFaults(path, to, targetPort)] },
  );
  const rules: Place = { path: nameOf("redirectRules"), value: redirectRules };
  const isNothing =
    !isGiven(fallbackIp) &&
    (isGiven(redirectRules) ? isList(redirectRules) && redirectRules.length === 0 : true);
  return [
    ...(isNothing
      ? [
          {
            path: rules.path,
            problem: `missing, and so is ${nameOf("fallbackIp")}: nothing is redirected`,
            remedy: "write where connections go",
          },
        ]
      : []),
    ...shapeFaults(list(rule, { remedy: "write a list of rules", once: portKey }), rules),
    ...shapeFaults(destination, { path: nameOf("fallbackIp"), value: fallbackIp }),
  ];
}

/** The plug-in appends a colon and the port to the address, which turns an IPv6 address into another one. */
function ipv6TargetFaults(
  path: string,
  destination: PropertyValue | undefined,
  targetPort: PropertyValue | undefined,
): Fault[] {
  const { address } = parseAddress(destination);
  if (!isGiven(targetPort) || targetPort === UNKNOWN || address?.family !== 6) return [];
  const problem = `is set together with the IPv6 address ${address.text}, and the plug-in would send to another address`;
  return [{ path: `${path}.targetPort`, problem, remedy: "remove it, and let clients connect to that port" }];
}

/** A destination must have the family of the router's address, the only one that the plug-in translates. */
function destinationFaults({ path, value }: Found, address: PropertyValue | undefined): Fault[] {
  const { address: destination } = parseAddress(value);
  if (!destination) return addressFaults(path, value);
  const own = parseInterfaceAddress(address);
  if (own.problem !== undefined) return [];
  if (own.address.family !== destination.family)
    return [
      {
        path,
        problem: `${destination.text} is IPv${destination.family}, and the router's address ${own.address.text} is IPv${own.address.family}`,
        remedy: `write an IPv${own.address.family} address, or create another router`,
      },
    ];
  if (own.address.text !== destination.text) return [];
  return [{ path, problem: `${destination.text} is the router's own address`, remedy: "write another one" }];
}

/** Returns a key such as `443/TCP`; undefined for an invalid port, which is reported separately. */
function portKey(entry: PropertyValue): string | undefined {
  const [number, transport] = [propertyOf(entry, "port"), propertyOf(entry, "protocol")];
  if (typeof number !== "number" || !protocols.some((one) => one === transport)) return undefined;
  return `${number}/${transport as string}`;
}

/** Faults of the ports of the Service in front of a router. */
export function servicePortFaults({ servicePorts, redirectRules, fallbackIp }: RedirectInputs): Fault[] {
  const path = "servicePorts";
  const rules = entriesOf(redirectRules);
  if (!isGiven(servicePorts)) {
    if (redirectRules === UNKNOWN || rules.length > 0 || !isGiven(fallbackIp)) return [];
    const remedy = "write the ports that clients connect to";
    return [{ path, problem: "missing: with only fallbackIp, no input states the ports", remedy }];
  }
  const isOpen = isGiven(fallbackIp) || holdsUnknown(redirectRules);
  const redirected = rules.map(portKey);
  const offered = object(
    {
      name: leaf(portNameFaults),
      port: needed(port, "a protocol needs a port"),
      protocol,
    },
    { relations: isOpen ? [] : [(at, entry) => rejectedFaults(at, portKey(entry), redirected)] },
  );
  const remedy = "write a list of ports, or leave it out to use those of the rules";
  return shapeFaults(list(offered, { size: ONE_AT_LEAST, remedy, once: portKey }), {
    path,
    value: servicePorts,
  });
}

function rejectedFaults(
  path: string,
  key: string | undefined,
  redirected: readonly (string | undefined)[],
): Fault[] {
  if (key === undefined || redirected.includes(key)) return [];
  const problem = `${key} matches no redirect rule, and there is no fallbackIp: the router rejects it`;
  return [{ path, problem, remedy: "write a rule for it, or remove it" }];
}
