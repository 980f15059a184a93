import { type Findings, missing, readObject, refuse } from "../normalize/values";
import { implicitRangeOf } from "../../requirements/implicitRanges";
import { PORT } from "../../requirements/ports";
import { LIMIT } from "../../requirements/limits";
import { port, type PortRange } from "../../requirements/requirement";
import { EndpointAccess, Platform, PublishingType, Service } from "../../requirements/vocabulary";
import { isUnknown, type NormalizedTopology, type PlainProxy } from "../normalizedTopology";
import { nodeApiServerPort, outsideApi, type OutsideApi } from "../publishing";
import { containsAddress, overlap, type Prefix, prefixOf, readBlock, subtract } from "../../address";
import { parseAddress, parsePrefix } from "../../address/parse";

/** The settings with the URL of a proxy. */
export const PROXY_URLS = ["httpProxy", "httpsProxy"] as const;

/** The schemes that each URL may have. */
const schemes = { httpProxy: ["http:"], httpsProxy: ["http:", "https:"] } as const;

/** Reads the proxy settings. Their URLs may hold credentials: no fault ever shows a value. */
export function readProxy(findings: Findings, value: unknown): PlainProxy | undefined {
  if (typeof value === "string")
    return refuse(
      findings,
      "proxy",
      "a string is not an object",
      "write an object with httpProxy, httpsProxy or noProxy",
    );
  const raw = readObject(findings, "proxy", value, ["httpProxy", "httpsProxy", "noProxy"]);
  if (!raw) return undefined;
  const httpProxy = readUrl(findings, "httpProxy", raw.httpProxy);
  const httpsProxy = readUrl(findings, "httpsProxy", raw.httpsProxy);
  const noProxy = readSecretText(findings, "proxy.noProxy", raw.noProxy);
  return {
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(noProxy !== undefined && { noProxy }),
  };
}

function readUrl(findings: Findings, key: keyof typeof schemes, value: unknown): string | undefined {
  const text = readSecretText(findings, `proxy.${key}`, value);
  if (text === undefined || text === "") return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed: readonly string[] = schemes[key];
  if (url && allowed.includes(url.protocol) && url.hostname !== "") return text;
  const written = allowed.map((scheme) => `${scheme}//`).join(" or ");
  return refuse(
    findings,
    `proxy.${key}`,
    `is not a URL that begins with ${written}`,
    `write ${allowed[0]}//proxy.example.com:3128`,
  );
}

function readSecretText(findings: Findings, property: string, value: unknown): string | undefined {
  if (missing(findings, property, value)) return undefined;
  if (typeof value === "string") return value;
  return refuse(findings, property, "is not a string", "write a string");
}

/** The ports of schemes, for URLs without a port. */
const DEFAULT_PORT: Readonly<Record<string, number>> = { "http:": PORT.http, "https:": PORT.https };

/** A proxy that a topology names. */
export interface ProxyHost {
  setting: (typeof PROXY_URLS)[number];
  /** Host name or address, without brackets. */
  host: string;
  port: number;
}

/** The proxies of a hosted cluster. URLs may hold credentials: only host and port are read from them. */
export function proxyHosts({ proxy = {} }: Pick<NormalizedTopology, "proxy">): ProxyHost[] {
  return PROXY_URLS.flatMap((setting) => {
    const text = proxy[setting] ?? "";
    if (!URL.canParse(text)) return [];
    const url = new URL(text);
    const port = url.port === "" ? DEFAULT_PORT[url.protocol] : Number(url.port);
    return port === undefined ? [] : [{ setting, host: url.hostname.replace(/^\[|\]$/g, ""), port }];
  });
}

/** What listens on each node at the address of the API server. */
export const NodeApiProxy = {
  /** Forwards connections to the API server as they are. */
  Haproxy: "haproxy",
  /** Reaches the API server through the cluster's proxy, by CONNECT. */
  ControlPlaneOperator: "control-plane-operator",
} as const;
export type NodeApiProxy = (typeof NodeApiProxy)[keyof typeof NodeApiProxy];

/** The inputs of the choice of `NodeApiProxy`. */
export interface ApiProxyInputs {
  /** Whether a proxy for HTTPS is set. */
  httpsProxy: boolean;
  /** The user's noProxy entries. */
  noProxy: Iterable<string>;
  /** The host at which nodes reach the API server from outside, if known. */
  apiServerHost?: string | undefined;
}

/** What will listen on the nodes, and why. */
export interface ApiProxyChoice {
  proxy: NodeApiProxy;
  /** The deciding condition, as a sentence. */
  reason: string;
  /** The noProxy entries that each let nodes reach the API server without the proxy; absent if there are none. */
  bypass?: readonly string[];
  /** The properties that decide whether an entry of noProxy covers the API server, if it is not known; `proxy` is then what follows if none does. */
  undecided?: readonly string[];
}

/**
 * HyperShift's choice: the API server is reached through the proxy when there is one for HTTPS, when the control plane is
 * reached over the Internet, and when no entry of noProxy covers the API server.
 */
export function apiProxyChoice(topology: NormalizedTopology, inputs: ApiProxyInputs): ApiProxyChoice {
  const haproxy = (reason: string): ApiProxyChoice => ({ proxy: NodeApiProxy.Haproxy, reason });
  if (!inputs.httpsProxy) return haproxy("no httpsProxy is set, and a proxy for HTTP only does not count");
  const { platform, endpointAccess } = topology;
  if (!reachedOverInternet(topology))
    return haproxy(
      `with endpointAccess ${endpointAccess} nodes on ${platform} reach the control plane without the Internet`,
    );
  const outside = outsideApi(topology, inputs.apiServerHost);
  const entries = [...new Set(inputs.noProxy)].filter((entry) => entry !== "");
  const covered = coversOfApi(topology, entries, outside);
  if (covered.length > 0)
    return {
      ...haproxy(covered.map(({ entry, how }) => `the noProxy entry ${entry} ${how}`).join(", ")),
      bypass: covered.map(({ entry }) => entry),
    };
  const unstated = outside.host === undefined ? "; the external address of the API server is not stated" : "";
  const undecided = undecidedBy(topology, entries, outside);
  const covers =
    undecided.length > 0
      ? `whether a noProxy entry covers the API server depends on ${undecided.join(", ")}`
      : "no noProxy entry covers the API server";
  return {
    proxy: NodeApiProxy.ControlPlaneOperator,
    reason: `httpsProxy is set, the control plane is reached over the Internet, and ${covers}${unstated}`,
    ...(undecided.length > 0 && { undecided }),
  };
}

/** The properties with which an entry may be compared, and that are not known yet or not stated; none of `entries` certainly covers the API server. */
function undecidedBy(
  topology: NormalizedTopology,
  entries: readonly string[],
  { host, ports, hostInput, portInput }: OutsideApi,
): string[] {
  if (entries.length === 0) return [];
  const compared = entries.some(namesAddresses) ? INNER : [];
  const pending = [...(hostInput === undefined ? [] : [hostInput]), ...compared].filter((property) =>
    isUnknown(topology, property),
  );
  const mayBe = host === undefined ? mayBeUnstated : (entry: string) => coversOnePort(entry, host, ports);
  const input = host === undefined ? hostInput : portInput;
  const isOpen = input !== undefined && entries.some((entry) => mayBe(entry, topology));
  return [...new Set([...pending, ...(isOpen ? [input] : [])])];
}

/** What decides the address at which nodes serve the API themselves, and the blocks that an entry may repeat. */
const INNER: readonly string[] = ["apiServerPort", "advertiseAddress", "serviceNetwork", "clusterNetwork"];

/** Whether an entry is a block or an address, perhaps with a port: the name of a host or a domain covers no address. */
const namesAddresses = (entry: string): boolean =>
  blockOf(entry) !== undefined || parseAddress(withPort(entry).host).address !== undefined;

/** Whether an entry names one port of a range, and the host. */
function coversOnePort(entry: string, host: string, { from, to }: PortRange): boolean {
  const stated = Number(withPort(entry).port);
  return stated >= from && stated <= to && bypassingEntry([entry], { host, port: stated }) !== undefined;
}

/**
 * Whether an entry may cover an address of the API server that the topology does not state. A load balancer without a host name gets
 * an address or a name from its cloud, on AWS always a name. Such names are assumed to be in no entry.
 */
function mayBeUnstated(entry: string, topology: NormalizedTopology): boolean {
  const { services, platform, controlPlaneEndpointCidrs: endpoints } = topology;
  if (services[Service.APIServer].type !== PublishingType.LoadBalancer) return true;
  const block = blockOf(entry);
  if (!block || platform === Platform.AWS) return false;
  return endpoints.length === 0 || endpoints.some((one) => overlap(one, block));
}

/** The address and port at which pods and kubelets of a node reach the API server. */
export function nodeApiAddress(topology: NormalizedTopology): string {
  const address = nodeApiHost(topology);
  return `${address.includes(":") ? `[${address}]` : address}:${nodeApiServerPort(topology)}`;
}

/** On AWS and Azure private access means that nodes reach the control plane without the Internet. */
function reachedOverInternet({ platform, endpointAccess }: NormalizedTopology): boolean {
  const hasChoice = platform === Platform.AWS || platform === Platform.Azure;
  return !hasChoice || endpointAccess === EndpointAccess.Public;
}

/** The noProxy entries that HyperShift treats as covering the API server, each once, and how each does. */
function coversOfApi(
  topology: NormalizedTopology,
  entries: readonly string[],
  { host: outside, ports }: OutsideApi,
): { entry: string; how: string }[] {
  const [service] = topology.serviceNetwork;
  const [cluster] = topology.clusterNetwork;
  const inside = unsaidNodeApiHost(topology) === undefined ? nodeApiHost(topology) : undefined;
  const insidePorts = isUnknown(topology, "apiServerPort") ? ANY_PORT : port(nodeApiServerPort(topology));
  const ways: [how: string, covers: (entry: string) => boolean][] = [
    // HyperShift looks for the word anywhere in an entry: kubernetes.default.svc has it, and so has my-kubernetes.example.com.
    ["contains the word kubernetes", (entry) => entry.includes("kubernetes")],
    ["is the service network", (entry) => entry === service?.text],
    ["is the cluster network", (entry) => entry === cluster?.prefix.text],
    [`covers ${inside}`, (entry) => coversEveryPort(entry, inside, insidePorts)],
    [`covers ${outside}`, (entry) => coversEveryPort(entry, outside, ports)],
    ["covers everything", (entry) => entry.trim() === EVERYTHING],
  ];
  return entries.flatMap((entry) => {
    const [how] = ways.find(([, covers]) => covers(entry)) ?? [];
    return how === undefined ? [] : [{ entry, how }];
  });
}

const ANY_PORT: PortRange = { from: LIMIT.port.min, to: LIMIT.port.max };

/** Whether an entry covers a host with each port of a range: one with a port covers at most one of them. */
const coversEveryPort = (entry: string, host: string | undefined, { from, to }: PortRange): boolean =>
  host !== undefined && [from, to].every((port) => bypassingEntry([entry], { host, port }) !== undefined);

/** The unknown property that the address of the API on nodes depends on; the default has the service network's family. */
export function unsaidNodeApiHost(topology: NormalizedTopology): string | undefined {
  if (isUnknown(topology, "advertiseAddress")) return "advertiseAddress";
  return topology.advertiseAddress === undefined && isUnknown(topology, "serviceNetwork")
    ? "serviceNetwork"
    : undefined;
}

/** The address at which nodes themselves serve the API: by default of the first service network's family. */
export function nodeApiHost({ advertiseAddress, serviceNetwork }: NormalizedTopology): string {
  if (advertiseAddress) return advertiseAddress.text;
  const id = serviceNetwork[0]?.family === 6 ? "advertise-address-v6" : "advertise-address";
  return implicitRangeOf(id).cidr.split("/")[0]!;
}

/** What a client connects to. */
export interface Destination {
  /** Host name, or address without brackets. */
  host: string;
  port: number;
}

/** The noProxy entry with which everything bypasses the proxy. */
export const EVERYTHING = "*";

/**
 * The first entry that lets a client reach a destination without the proxy; undefined if there is none. Programs
 * in Go use these rules, including HyperShift and OpenShift's operators (golang.org/x/net/http/httpproxy).
 */
export function bypassingEntry(entries: readonly string[], destination: Destination): string | undefined {
  return entries.find((entry) => matches(entry.trim().toLowerCase(), destination));
}

/** Whether a client reaches a destination without the proxy. Clients never use a proxy for destinations on their own machine. */
export function bypassesProxy(noProxy: string, destination: Destination): boolean {
  return isOwnMachine(destination.host) || bypassingEntry(noProxy.split(","), destination) !== undefined;
}

/** Whether `entries`, one or several together, let everything bypass the proxy that the entry `other` does. */
export function coverEntry(entries: readonly string[], other: string): boolean {
  if (entries.includes(EVERYTHING) || entries.includes(other)) return true;
  const block = blockOf(other);
  return block !== undefined && throughProxy(entries, block).length === 0;
}

/** The addresses of a block that no entry lets bypass the proxy, regardless of the port. */
export const throughProxy = (entries: readonly string[], block: Prefix): Prefix[] =>
  entries.includes(EVERYTHING)
    ? []
    : subtract(
        [block],
        entries.flatMap((entry) => blockOf(entry) ?? []),
      );

/** The addresses of an entry that is a block or an address; host bits in a block are ignored. */
function blockOf(entry: string): Prefix | undefined {
  const { address } = parseAddress(entry);
  return address ? prefixOf(address) : readBlock(entry);
}

function isOwnMachine(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  const { address } = parseAddress(host);
  return address !== undefined && containsAddress(parsePrefix("127.0.0.0/8").prefix!, address);
}

function matches(entry: string, { host, port }: Destination): boolean {
  if (entry === EVERYTHING) return true;
  const { address } = parseAddress(host);
  // A block has no port; its host bits are ignored.
  const { prefix } = parsePrefix(entry, { hostBits: "clear" });
  if (prefix) return address !== undefined && containsAddress(prefix, address);
  const stated = withPort(entry);
  if (stated.host === "" || (stated.port !== "" && stated.port !== `${port}`)) return false;
  const named = parseAddress(stated.host).address;
  if (named || address) return named !== undefined && address !== undefined && same(named, address);
  return domainMatches(stated.host, host.toLowerCase());
}

/** `example.com` covers itself and its subdomains, `.example.com` and `*.example.com` only the subdomains. */
function domainMatches(domain: string, host: string): boolean {
  const stated = domain.startsWith("*.") ? domain.slice(1) : domain;
  return stated.startsWith(".") ? host.endsWith(stated) : host === stated || host.endsWith(`.${stated}`);
}

/** Splits `host:port` and `[address]:port`; without a port the whole entry is the host. */
function withPort(entry: string): { host: string; port: string } {
  const [, bracketed, plain, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(entry) ?? [];
  return port === undefined ? { host: entry, port: "" } : { host: bracketed ?? plain ?? "", port };
}

const same = (one: { family: number; value: bigint }, other: { family: number; value: bigint }): boolean =>
  one.family === other.family && one.value === other.value;
