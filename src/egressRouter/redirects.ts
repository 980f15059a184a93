import { parseAddress } from "../address/parse";
import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  type Place,
  type PropertyMap,
} from "../resources/read";
import { portFaults, portNameFaults, shownText, unknownKeyFaults, wordFaults } from "../objects/places";
import { EgressRouterProtocol } from "./egressRouter";
import { parseInterfaceAddress } from "./surroundings";

/** What is known of where a router sends connections, and of the ports at which clients reach it. */
export interface RedirectInputs {
  address?: PropertyValue | undefined;
  redirectRules?: PropertyValue | undefined;
  fallbackIp?: PropertyValue | undefined;
  servicePorts?: PropertyValue | undefined;
}

/** What is wrong with the redirections of a router. */
export function redirectFaults({ address, redirectRules, fallbackIp }: RedirectInputs): Fault[] {
  const entries = entriesOf(redirectRules);
  return [
    ...rulesFaults({ path: "redirectRules", value: redirectRules }, fallbackIp),
    ...entries.flatMap((entry, position) => ruleFaults(`redirectRules[${position}]`, entry, address)),
    ...repeatedFaults("redirectRules", entries, "redirects"),
    ...(isGiven(fallbackIp) ? destinationFaults({ path: "fallbackIp", value: fallbackIp }, address) : []),
  ];
}

function rulesFaults({ path, value }: Place, fallbackIp: PropertyValue | undefined): Fault[] {
  if (value === UNKNOWN) return [];
  if (isGiven(value) && !isList(value))
    return [{ path, problem: `${shownText(value)} is no list`, remedy: "write a list of rules" }];
  if (isGiven(fallbackIp) || entriesOf(value).length > 0) return [];
  const problem = "missing, and so is fallbackIp: nothing is redirected";
  return [{ path, problem, remedy: "write where connections go" }];
}

function ruleFaults(path: string, entry: PropertyValue, address: PropertyValue | undefined): Fault[] {
  if (entry === UNKNOWN) return [];
  if (!isMap(entry))
    return [{ path, problem: "is no rule", remedy: "write port, protocol and destinationIp" }];
  return [
    ...unknownKeyFaults(path, entry, ["port", "protocol", "destinationIp", "targetPort"]),
    ...portFaults({ path: `${path}.port`, value: entry.port }, "write the port that clients connect to"),
    ...wordFaults(
      { path: `${path}.protocol`, value: entry.protocol },
      Object.values(EgressRouterProtocol),
      "a port needs ",
    ),
    ...destinationFaults({ path: `${path}.destinationIp`, value: entry.destinationIp }, address),
    ...portFaults({ path: `${path}.targetPort`, value: entry.targetPort }),
    ...ipv6TargetFaults(path, entry),
  ];
}

/** The plug-in puts a colon and the port behind the address, which makes another IPv6 address of the two. */
function ipv6TargetFaults(path: string, { destinationIp, targetPort }: PropertyMap): Fault[] {
  const { address } = parseAddress(destinationIp);
  if (!isGiven(targetPort) || targetPort === UNKNOWN || address?.family !== 6) return [];
  const problem = `stands beside the IPv6 address ${address.text}, and the plug-in would send to another address`;
  return [
    { path: `${path}.targetPort`, problem, remedy: "take it out, and let clients connect to that port" },
  ];
}

/** A destination has the family of the router's address, the only one that the plug-in translates. */
function destinationFaults({ path, value }: Place, address: PropertyValue | undefined): Fault[] {
  if (value === UNKNOWN) return [];
  if (!isGiven(value)) return [{ path, problem: "missing", remedy: "write the address of the destination" }];
  const { address: destination, problem, remedy } = parseAddress(value);
  if (!destination) return [{ path, problem: problem ?? "", remedy: remedy ?? "" }];
  const own = address === UNKNOWN ? undefined : parseInterfaceAddress(address);
  if (!own || own.problem !== undefined) return [];
  if (own.address.family !== destination.family)
    return [
      {
        path,
        problem: `${destination.text} is IPv${destination.family}, and the router's address ${own.address.text} is IPv${own.address.family}`,
        remedy: `write an IPv${own.address.family} address, or make another router`,
      },
    ];
  if (own.address.text !== destination.text) return [];
  return [{ path, problem: `${destination.text} is the router's own address`, remedy: "write another one" }];
}

/** One fault for each port that stands twice with its transport. */
function repeatedFaults(path: string, entries: readonly PropertyValue[], verb: string): Fault[] {
  const first = new Map<string, number>();
  return entries.flatMap((entry, position) => {
    const key = portKey(entry);
    const before = key === undefined ? undefined : first.get(key);
    if (key !== undefined && before === undefined) first.set(key, position);
    if (before === undefined) return [];
    const problem = `${verb} ${key} again, after ${path}[${before}]`;
    return [{ path: `${path}[${position}]`, problem, remedy: "take one of the two out" }];
  });
}

/** `443/TCP` */
function portKey(entry: PropertyValue): string | undefined {
  if (!isMap(entry) || holdsUnknown(entry.port) || holdsUnknown(entry.protocol)) return undefined;
  const known = typeof entry.port === "number" && typeof entry.protocol === "string";
  return known ? `${entry.port as number}/${entry.protocol as string}` : undefined;
}

/** What is wrong with the ports of the Service in front of a router. */
export function servicePortFaults({ servicePorts, redirectRules, fallbackIp }: RedirectInputs): Fault[] {
  const path = "servicePorts";
  if (servicePorts === UNKNOWN || redirectRules === UNKNOWN) return [];
  const rules = entriesOf(redirectRules);
  if (!isGiven(servicePorts)) {
    if (rules.length > 0 || !isGiven(fallbackIp)) return [];
    const remedy = "write the ports that clients connect to";
    return [{ path, problem: "missing: with only fallbackIp nothing says which ports there are", remedy }];
  }
  if (!isList(servicePorts))
    return [{ path, problem: `${shownText(servicePorts)} is no list`, remedy: "write a list of ports" }];
  if (servicePorts.length === 0)
    return [{ path, problem: "is empty", remedy: "write ports, or leave it out for those of the rules" }];
  const redirected = isGiven(fallbackIp) || rules.some(holdsUnknown) ? undefined : rules.map(portKey);
  return [
    ...servicePorts.flatMap((entry, position) => servicePortFault(`${path}[${position}]`, entry, redirected)),
    ...repeatedFaults(path, servicePorts, "offers"),
  ];
}

function servicePortFault(
  path: string,
  entry: PropertyValue,
  redirected: readonly (string | undefined)[] | undefined,
): Fault[] {
  if (entry === UNKNOWN) return [];
  if (!isMap(entry)) return [{ path, problem: "is no port", remedy: "write port and protocol" }];
  const key = portKey(entry);
  const faults = [
    ...unknownKeyFaults(path, entry, ["name", "port", "protocol"]),
    ...portFaults({ path: `${path}.port`, value: entry.port }, "a protocol needs a port beside it"),
    ...wordFaults(
      { path: `${path}.protocol`, value: entry.protocol },
      Object.values(EgressRouterProtocol),
      "a port needs ",
    ),
    ...portNameFaults({ path: `${path}.name`, value: entry.name }),
  ];
  if (faults.length > 0 || !redirected || key === undefined || redirected.includes(key)) return faults;
  const problem = `${key} is redirected by no rule, and there is no fallbackIp: the router rejects it`;
  return [{ path, problem, remedy: "write a rule for it, or take it out" }];
}
