import { contains, containsAddress } from "../../address";
import { parseAddress, parsePrefix } from "../../address/parse";

/** What a client asks for. */
export interface Destination {
  /** Host name, or address without brackets. */
  host: string;
  port: number;
}

/** Everything bypasses the proxy. */
export const EVERYTHING = "*";

/**
 * The first entry by which a client reaches a destination without the proxy; undefined where none does. Programs in Go
 * decide so, HyperShift and OpenShift's operators among them (golang.org/x/net/http/httpproxy).
 */
export function bypassingEntry(entries: readonly string[], destination: Destination): string | undefined {
  return entries.find((entry) => matches(entry.trim().toLowerCase(), destination));
}

/** Whether a client reaches a destination without the proxy. What is on its own machine it never asks a proxy for. */
export function bypassesProxy(noProxy: string, destination: Destination): boolean {
  return isOwnMachine(destination.host) || bypassingEntry(noProxy.split(","), destination) !== undefined;
}

/** Whether one entry lets everything past the proxy that another one does. */
export function coversEntry(entry: string, other: string): boolean {
  if (entry === EVERYTHING || entry === other) return true;
  const [outer, inner] = [entry, other].map((text) => parsePrefix(text, { hostBits: "clear" }).prefix);
  return outer !== undefined && inner !== undefined && contains(outer, inner);
}

function isOwnMachine(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  const { address } = parseAddress(host);
  return address !== undefined && containsAddress(parsePrefix("127.0.0.0/8").prefix!, address);
}

function matches(entry: string, { host, port }: Destination): boolean {
  if (entry === EVERYTHING) return true;
  const { address } = parseAddress(host);
  // A block takes no port; host bits in it do not count.
  const { prefix } = parsePrefix(entry, { hostBits: "clear" });
  if (prefix) return address !== undefined && containsAddress(prefix, address);
  const stated = withPort(entry);
  if (stated.host === "" || (stated.port !== "" && stated.port !== `${port}`)) return false;
  const named = parseAddress(stated.host).address;
  if (named || address) return named !== undefined && address !== undefined && same(named, address);
  return domainMatches(stated.host, host.toLowerCase());
}

/** `example.com` covers itself and what is below it, `.example.com` and `*.example.com` only what is below it. */
function domainMatches(domain: string, host: string): boolean {
  const stated = domain.startsWith("*.") ? domain.slice(1) : domain;
  return stated.startsWith(".") ? host.endsWith(stated) : host === stated || host.endsWith(`.${stated}`);
}

/** `host:port` and `[address]:port`; without a port the whole is the host. */
function withPort(entry: string): { host: string; port: string } {
  const [, bracketed, plain, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(entry) ?? [];
  return port === undefined ? { host: entry, port: "" } : { host: bracketed ?? plain ?? "", port };
}

const same = (one: { family: number; value: bigint }, other: { family: number; value: bigint }): boolean =>
  one.family === other.family && one.value === other.value;
