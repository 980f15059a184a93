import { Protocol } from "../../requirements/vocabulary";
import { read, readNumber, readText, readValue, type Found } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { EVERY_SERVICE, TRANSPORT_NUMBER, service, type ServiceRange } from "../packets";
import { portsNamed, type PolicyEnd } from "./policyEnds";

/** The services that some ports of a policy mean. */
export interface KnownServices {
  sure: readonly ServiceRange[];
  possible: readonly ServiceRange[];
  /** Places of values that decide. */
  unknown: readonly { path: string; reason?: string }[];
}

/** Every service, for sure: what no port restricts. */
export const UNRESTRICTED: KnownServices = { sure: [EVERY_SERVICE], possible: [EVERY_SERVICE], unknown: [] };

/** The services of all the ports together. */
export function together(parts: readonly KnownServices[]): KnownServices {
  return {
    sure: parts.flatMap(({ sure }) => sure),
    possible: parts.flatMap(({ possible }) => possible),
    unknown: parts.flatMap(({ unknown }) => unknown),
  };
}

/** What ports of a NetworkPolicy mean at an end: none means every service, one without a number every port. */
export function networkPolicyServices(rule: PropertyValue, path: string, listener: PolicyEnd): KnownServices {
  const ports = read(rule, "ports[]", path);
  if (ports.length === 0) return UNRESTRICTED;
  return together(ports.map((port) => ofPort(port, listener)));
}

function ofPort({ path, value }: Found, listener: PolicyEnd): KnownServices {
  const protocol = readText(value, "protocol") ?? Protocol.Tcp;
  const number = value === UNKNOWN ? UNKNOWN : readValue(value, "port");
  if (protocol === UNKNOWN || number === UNKNOWN) return nothingSure(path);
  if (number === undefined) return exactly(protocol, path);
  if (typeof number === "string" && !/^\d+$/.test(number)) return named(number, protocol, path, listener);
  if (typeof number !== "string" && typeof number !== "number")
    return nothingSure(`${path}.port`, "is neither a number nor a name");
  const end = readNumber(value, "endPort");
  if (end === UNKNOWN) return nothingSure(`${path}.endPort`);
  return exactly(protocol, path, Number(number), end ?? Number(number));
}

const LAST_PORT = 65_535;

/** Ports of a protocol, from the first to the last. Absent: all of them. */
export function exactly(protocol: string, path: string, from = 0, to = LAST_PORT): KnownServices {
  const known = TRANSPORT_NUMBER[protocol];
  if (known === undefined) return nothingSure(path, `unknown protocol ${protocol}`);
  if (![from, to].every(isPort)) return nothingSure(path, "no such port");
  const services = [service(known, { from, to })];
  return { sure: services, possible: services, unknown: [] };
}

const isPort = (number: number): boolean => Number.isInteger(number) && number >= 0 && number <= LAST_PORT;

/** A port by its name: it may be another number in each pod, and none where no container has it. */
export function named(name: string, protocol: string, path: string, listener: PolicyEnd): KnownServices {
  const numbers = portsNamed(listener, name, protocol);
  if (!numbers) return nothingSure(path, `which port the pods call ${name} is not known`);
  return together(numbers.map((number) => exactly(protocol, path, number, number)));
}

export function nothingSure(path: string, reason?: string): KnownServices {
  return {
    sure: [],
    possible: [EVERY_SERVICE],
    unknown: [{ path, ...(reason !== undefined && { reason }) }],
  };
}
