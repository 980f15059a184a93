import { parseAddress, parsePrefix, type Address, type Prefix } from "../address";
import type { Fault } from "../fault";
import { UNKNOWN } from "../resources/resource";
import { subnetEndProblem } from "../objects/nodeAddresses";
import { isGiven, shownText, type Place } from "../objects/places";

/** The address of an interface with the subnet around it: `192.168.12.99/24`. */
export interface InterfaceAddress {
  address: Address;
  subnet: Prefix;
  /** Canonical text. */
  text: string;
}

/** Reads an address with its prefix length; host bits are what it is about. */
export function parseInterfaceAddress(
  text: unknown,
): (InterfaceAddress & { problem?: undefined }) | { problem: string; remedy: string } {
  const remedy = "write it with the prefix length of its subnet, as in 192.168.12.99/24";
  if (typeof text !== "string") return { problem: `${shownText(text as never)} is no address`, remedy };
  const [host = "", ...length] = text.split("/");
  if (length.length === 0 && parseAddress(text).address) return { problem: `${text} has no mask`, remedy };
  const { prefix, problem } = parsePrefix(text, { hostBits: "clear" });
  const { address } = parseAddress(host);
  if (!prefix || !address) return { problem: problem ?? `${shownText(text)} is no address`, remedy };
  return { address, subnet: prefix, text: `${address.text}/${prefix.length}` };
}

/** The faults of the router's own address, as far as its subnet says them. */
export function interfaceAddressFaults({ path, value }: Place): Fault[] {
  if (value === UNKNOWN) return [];
  const remedy = "write the reserved source address with its prefix length, such as 192.168.12.99/24";
  if (!isGiven(value)) return [{ path, problem: "missing", remedy }];
  const read = parseInterfaceAddress(value);
  if (read.problem !== undefined) return [{ path, problem: read.problem, remedy: read.remedy }];
  const unfit = subnetEndProblem(read.address, read.subnet);
  return unfit ? [{ path, ...unfit }] : [];
}

/** The faults of the gateway, which is in the subnet of the router's address. */
export function gatewayFaults({ path, value }: Place, address: Place): Fault[] {
  if (value === UNKNOWN) return [];
  const remedy = "write the address of the next hop in the subnet of the router's address";
  if (!isGiven(value)) return [{ path, problem: "missing", remedy }];
  const { address: gateway, problem, remedy: wayOut } = parseAddress(value);
  if (!gateway) return [{ path, problem: problem ?? "", remedy: wayOut ?? remedy }];
  const own = parseInterfaceAddress(address.value);
  if (own.problem !== undefined) return [];
  const { subnet } = own;
  if (gateway.family !== subnet.family || gateway.value < subnet.start || gateway.value > subnet.end)
    return [{ path, problem: `${gateway.text} lies outside ${subnet.text}`, remedy }];
  if (gateway.text === own.address.text)
    return [{ path, problem: `${gateway.text} is the router's own address`, remedy }];
  const unfit = subnetEndProblem(gateway, subnet);
  return unfit ? [{ path, problem: unfit.problem, remedy }] : [];
}
