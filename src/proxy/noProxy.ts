import { parseAddress, parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import { AzureCloud, Platform } from "../requirements/vocabulary";
import { UNKNOWN } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { networkRangesOf } from "../topology/reservedRanges";
import { isGiven, isList, type Place } from "../resources/read";
import { shownText } from "../objects/places";
import { listedIn } from "../text";
import { EVERYTHING } from "../topology/proxy/apiProxy";
import type { NetworkKind } from "../requirements/implicitRanges";

const domain = /^\.?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The entries of a list or of a comma-separated text, each with its path. */
function noProxyPlaces({ path, value }: Place): Place[] {
  if (isList(value)) return value.map((entry, position) => ({ path: `${path}[${position}]`, value: entry }));
  if (typeof value !== "string") return [];
  const entries = [...listedIn(value)];
  return entries.filter((entry) => entry !== "").map((entry) => ({ path, value: entry }));
}

/** The entries of noProxy that are known. */
export function noProxyEntries(place: Place): string[] {
  return noProxyPlaces(place).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
}

/** Faults of the entries that bypass the proxy: domains, addresses and CIDR blocks, or only `*`. */
export function noProxyFaults(place: Place): Fault[] {
  const { path, value } = place;
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value) && typeof value !== "string")
    return [{ path, problem: "is not a list", remedy: "write a list of domains, addresses and CIDR blocks" }];
  const places = noProxyPlaces(place);
  const isEverything = places.length === 1 && places[0]!.value === EVERYTHING;
  if (isEverything) return [];
  return [...emptyEntryFaults(place), ...places.flatMap((entry) => entryFaults(entry))];
}

/** Faults of empty entries: the network operator rejects one between two commas or after the last comma. */
function emptyEntryFaults({ path, value }: Place): Fault[] {
  if (typeof value !== "string" || value === "") return [];
  if (![...listedIn(value)].includes("")) return [];
  return [{ path, problem: "has a comma without an entry", remedy: "remove the comma" }];
}

function entryFaults({ path, value }: Place): Fault[] {
  if (value === UNKNOWN) return [];
  const fault = (problem: string, remedy: string): Fault[] => [{ path, problem, remedy }];
  if (typeof value !== "string")
    return fault(`${shownText(value)} is not a string`, "write a domain, address or CIDR block");
  // Credentials can only be here by mistake: such a text is not shown.
  if (value.includes("@")) return fault("is a URL with credentials", "write only the host name");
  if (value === EVERYTHING) return fault("* is not the only entry", "write only *, or leave it out");
  if (value.includes(",")) return fault(`${shownText(value)} has a comma`, "write each entry separately");
  if (value.includes("://")) return fault(`${shownText(value)} is a URL`, "write only the host name");
  if (value.startsWith("*."))
    return fault(`${shownText(value)} has an asterisk, which matches nothing`, `write ${value.slice(1)}`);
  if (/\s/.test(value.trim()))
    return fault(`${shownText(value)} has a space`, "separate entries by commas, or write each separately");
  if (value.includes("/")) {
    const { problem, remedy } = parsePrefix(value);
    return problem === undefined ? [] : fault(problem, remedy ?? "");
  }
  const { length } = value.replace(/^\./, "");
  if (length > LIMIT.subdomainLength)
    return fault(
      `${shownText(value)} has ${length} characters`,
      `write a domain of at most ${LIMIT.subdomainLength} characters`,
    );
  if (domain.test(value) || parseAddress(value).address) return [];
  if (/:\d+$/.test(value))
    return fault(`${shownText(value)} has a port, which entries cannot have`, "write only the host name");
  if (domain.test(value.toLowerCase()))
    return fault(`${shownText(value)} has capital letters`, `write ${value.toLowerCase()}`);
  return fault(
    `${shownText(value)} is not a domain, address or CIDR block`,
    "write .example.com or 10.0.0.0/16",
  );
}

/** Destinations that bypass the proxy of a cluster. */
export interface EffectiveNoProxy {
  /** The entries for nodes, in the ignition stub and in the Proxy object of the hosted cluster. */
  nodes: string[];
  /** The entries for the sidecars through which control-plane workloads reach the proxy. */
  sidecars: string[];
}

/** The location of a cluster in its cloud, which affects what bypasses the proxy. */
export interface CloudPlace {
  /** AWS region. Without it, the domain of the instances is left out. */
  region?: string | undefined;
  /** Azure cloud. Default: the public cloud. */
  azureCloud?: AzureCloud | undefined;
}

/** Returns the entries that HyperShift computes from the user's entries and the networks of the cluster, in HyperShift's order. */
export function effectiveNoProxy(
  topology: NormalizedTopology,
  entries: readonly string[],
  { region, azureCloud = AzureCloud.AzurePublicCloud }: CloudPlace = {},
): EffectiveNoProxy {
  const { platform } = topology;
  const blocks = (kind: NetworkKind) => networkRangesOf(topology, kind).map(({ prefix }) => prefix.text);
  const machines = blocks("machineNetwork");
  const common = [
    "127.0.0.1",
    "localhost",
    ".svc",
    ".cluster.local",
    ...blocks("clusterNetwork"),
    ...blocks("serviceNetwork"),
    ...(platform === Platform.AWS || platform === Platform.Azure ? [METADATA] : []),
    ...(platform === Platform.AWS && region !== undefined ? [instanceDomain(region)] : []),
    ...entries,
  ];
  const machinesWithoutAll = machines.filter((cidr) => cidr !== "0.0.0.0/0");
  const isOwnAzure = platform === Platform.Azure && azureCloud !== AzureCloud.AzurePublicCloud;
  return {
    nodes: sorted([...common, ...machines, ".local"]),
    sidecars: sorted([
      ...common,
      ...machinesWithoutAll,
      ".hypershift.local",
      ...(isOwnAzure ? [AZURE_WIRE_SERVER] : []),
    ]),
  };
}

/** The metadata service of the cloud. */
const METADATA = "169.254.169.254";
/** Azure's channel to its machines, which HyperShift adds in clouds other than the public one. */
const AZURE_WIRE_SERVER = "168.63.129.16";

const instanceDomain = (region: string): string =>
  region === "us-east-1" ? ".ec2.internal" : `.${region}.compute.internal`;

/** Removes duplicates and sorts by bytes, as Go sorts strings. */
function sorted(entries: readonly string[]): string[] {
  return [...new Set(entries)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Joins entries into the text of noProxy. */
export const joined = (entries: readonly string[]): string => entries.join(",");
