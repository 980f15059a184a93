import type { Prefix } from "../../address";
import { BITS, readPrefix } from "../../address";
import { implicitRangeOf } from "../../requirements/implicitRanges";
import { LIMIT, WIDE_SERVICE_NETWORKS_SINCE } from "../../requirements/limits";
import { compareReleases, formatRelease, parseRelease, type Release } from "../../requirements/release";
import { NetworkType } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import { plural } from "../../text";
import {
  entryPaths,
  isWhole,
  type NamedNetwork,
  type NodeSplitNetwork,
  type NormalizedTopology,
} from "../normalizedTopology";
import {
  demanded,
  type Findings,
  missing,
  readCidr,
  readList,
  readObject,
  readText,
  refuse,
  shortValue,
} from "./values";

/** The networks of a hosted cluster. */
export interface Networks {
  machineNetwork: Prefix[];
  clusterNetwork: NodeSplitNetwork[];
  serviceNetwork: Prefix[];
}

/** The rule that reports faults of networks in plans. */
export const NETWORK_RULE = "cidr-invalid";

/** The networks that apply if none are stated. */
const defaultNetworks = {
  clusterNetwork: readPrefix(implicitRangeOf("cluster-network").cidr)!,
  serviceNetwork: readPrefix(implicitRangeOf("service-network").cidr)!,
};

/** Reads the three lists of `spec.networking`, with their defaults and the rules on families. */
export function readNetworks(findings: Findings, raw: Record<string, unknown>): Networks {
  const machineNetwork = readPrefixes(findings, "machineNetwork", raw.machineNetwork) ?? [];
  const isOvn = (raw.networkType ?? NetworkType.OVNKubernetes) === NetworkType.OVNKubernetes;
  const clusterNetwork =
    readEntries(
      findings,
      "clusterNetwork",
      raw.clusterNetwork,
      ["cidr", "hostPrefix"],
      splitNetwork(findings, isOvn),
    ) ??
    byDefault(findings, "clusterNetwork", raw.clusterNetwork, {
      prefix: defaultNetworks.clusterNetwork,
      hostPrefix: LIMIT.defaultHostPrefix[4],
    });
  const serviceNetwork =
    readPrefixes(findings, "serviceNetwork", raw.serviceNetwork) ??
    byDefault(findings, "serviceNetwork", raw.serviceNetwork, defaultNetworks.serviceNetwork);
  const networks = { machineNetwork, clusterNetwork, serviceNetwork };
  refuseTwice(findings, serviceNetwork);
  refuseWidths(findings, serviceNetwork, parseRelease(raw.release));
  refuseMixedFamilies(findings, networks);
  return networks;
}

function byDefault<Entry>(findings: Findings, property: string, value: unknown, entry: Entry): Entry[] {
  if (value === UNKNOWN) return [];
  if (value === undefined || value === null) findings.defaulted.push(property);
  return value === undefined || value === null ? [entry] : [];
}

type ReadEntry<Entry> = (property: string, prefix: Prefix, raw: Record<string, unknown>) => Entry | undefined;

const readPrefixes = (findings: Findings, property: string, value: unknown) =>
  readEntries(findings, property, value, ["cidr"], (_, prefix) => prefix);

/** Reads a list of objects with a CIDR block: one or two entries. */
function readEntries<Entry>(
  findings: Findings,
  property: string,
  value: unknown,
  keys: readonly string[],
  readEntry: ReadEntry<Entry>,
): Entry[] | undefined {
  const entries = readList(findings, property, value, (path, entry) => {
    const raw = demanded(findings, path, entry) ? readObject(findings, path, entry, keys) : undefined;
    if (!raw || !demanded(findings, `${path}.cidr`, raw.cidr)) return undefined;
    const prefix = readCidr(findings, `${path}.cidr`, raw.cidr);
    return prefix && readEntry(path, prefix, raw);
  });
  if (Array.isArray(value) && (value.length === 0 || value.length > LIMIT.networkEntries))
    refuse(
      findings,
      property,
      `has ${plural(value.length, "entry", "entries")}`,
      `write one entry, or ${LIMIT.networkEntries}`,
      NETWORK_RULE,
    );
  return entries;
}

/**
 * The network operator refuses parts that are larger than the whole, or that have fewer than four addresses.
 * OVN-Kubernetes also refuses parts as large as the whole, and for IPv6 all lengths but one. It does not
 * route between nodes whose parts differ in size: openshift-install refuses that, HyperShift does not.
 */
function splitNetwork(findings: Findings, isOvn: boolean): ReadEntry<NodeSplitNetwork> {
  let first: number | undefined;
  return (property, prefix, raw) => {
    const path = `${property}.hostPrefix`;
    const hostPrefix = missing(findings, path, raw.hostPrefix)
      ? LIMIT.defaultHostPrefix[prefix.family]
      : readHostPrefix(findings, path, raw.hostPrefix, prefix, isOvn);
    // Wrong parts do not make the addresses of the whole wrong, which then counts as one part.
    const whole = { prefix, hostPrefix: prefix.length };
    if (hostPrefix === undefined) return whole;
    const least = isOvn ? prefix.length + 1 : prefix.length;
    if (raw.hostPrefix !== UNKNOWN && hostPrefix < least) {
      refuse(
        findings,
        path,
        `/${hostPrefix} is not part of ${prefix.text}`,
        `write a length from ${least} to ${longestHostPrefix(prefix)}, or a larger cluster network`,
        NETWORK_RULE,
      );
      return whole;
    }
    if (isOvn && prefix.family === 4 && raw.hostPrefix !== UNKNOWN) {
      first ??= hostPrefix;
      if (hostPrefix !== first)
        refuse(
          findings,
          path,
          `/${hostPrefix} differs from /${first}: OVN-Kubernetes does not route between nodes whose subnets differ in size`,
          `write ${first} here too, before the cluster is created`,
          NETWORK_RULE,
        );
    }
    return { prefix, hostPrefix };
  };
}

const longestHostPrefix = ({ family }: Prefix): number => BITS[family] - LIMIT.hostPrefixBits;

function readHostPrefix(
  findings: Findings,
  property: string,
  value: unknown,
  prefix: Prefix,
  isOvn: boolean,
): number | undefined {
  const only = isOvn && prefix.family === 6 ? LIMIT.defaultHostPrefix[6] : undefined;
  if (
    typeof value === "number" &&
    Number.isInteger(value) &&
    value > 0 &&
    value <= longestHostPrefix(prefix) &&
    value === (only ?? value)
  )
    return value;
  const remedy = only
    ? `OVN-Kubernetes accepts only ${only} for IPv6: write ${only}, or leave it out`
    : "write a whole number, for example 23";
  return refuse(
    findings,
    property,
    `${shortValue(value)} is not a prefix length for the subnet of a node`,
    remedy,
    NETWORK_RULE,
  );
}

/** The API server of the cluster does not start with a service network that is too small, or wider than its release allows. */
function refuseWidths(findings: Findings, serviceNetwork: readonly Prefix[], release?: Release): void {
  const { longest, shortest, laterShortest } = LIMIT.serviceNetworkMask;
  // If the release is unknown, refuse only what no release accepts.
  const isLater = !release || compareReleases(release, WIDE_SERVICE_NETWORKS_SINCE) >= 0;
  const widest = isLater ? laterShortest : shortest;
  const paths = entryPaths(findings, "serviceNetwork", serviceNetwork.length);
  for (const [position, { family, length, text }] of serviceNetwork.entries()) {
    const path = `${paths[position]}.cidr`;
    const by = `the API server${release ? ` of ${formatRelease(release)}` : ""} does not start with it`;
    const [least, most] = [widest[family], longest[family]];
    if (length >= least && length <= most) continue;
    const [limit, is, other] = length > most ? [most, "narrower", "wider"] : [least, "wider", "narrower"];
    const problem = `${text} is ${is} than /${limit}, and ${by}`;
    refuse(findings, path, problem, `write /${limit} or ${other}`, NETWORK_RULE);
  }
}

/** Paths of service networks with which only the API server of later releases starts; none if the release is known. */
export const dependOnRelease = ({
  release,
  serviceNetwork,
  left,
}: Pick<NormalizedTopology, "release" | "serviceNetwork" | "left">): string[] => {
  const paths = entryPaths({ left }, "serviceNetwork", serviceNetwork.length);
  return serviceNetwork.flatMap(({ family, length }, position) => {
    const { shortest, laterShortest } = LIMIT.serviceNetworkMask;
    const isLater = length < shortest[family] && length >= laterShortest[family];
    return release === undefined && isLater ? [`${paths[position]}.cidr`] : [];
  });
};

/** Machines and pods may have two ranges of one family; the API server allocates Service addresses from one range of each family. */
function refuseTwice(findings: Findings, [first, second]: readonly Prefix[]): void {
  if (first === undefined || first.family !== second?.family) return;
  const remedy = "write at most one entry of each family";
  refuse(findings, "serviceNetwork", `both entries are IPv${first.family}`, remedy, NETWORK_RULE);
}

function refuseMixedFamilies(
  findings: Findings,
  { machineNetwork, clusterNetwork, serviceNetwork }: Networks,
): void {
  const pods = clusterNetwork.map(({ prefix }) => prefix);
  const isFirst = (list: string) => !findings.left[list]?.includes(0);
  const [first] = isFirst("clusterNetwork") ? pods : [];
  const [services] = isFirst("serviceNetwork") ? serviceNetwork : [];
  const [machines] = isFirst("machineNetwork") ? machineNetwork : [];
  const isKnown = isWhole(findings, "clusterNetwork") && isWhole(findings, "serviceNetwork");
  const differs = (other: Prefix | undefined) => first && other && other.family !== first.family;
  const refuseOrder = (list: string, { text, family }: Prefix) =>
    refuse(
      findings,
      list,
      `${text} is IPv${family}, the cluster network ${first!.text} is IPv${first!.family}`,
      "HyperShift compares the first entries: put the same family first in every list",
      NETWORK_RULE,
    );
  if (differs(services)) refuseOrder("serviceNetwork", services!);
  else if (
    isKnown &&
    pods.length > 0 &&
    serviceNetwork.length > 0 &&
    familiesOf(pods) !== familiesOf(serviceNetwork)
  )
    refuse(
      findings,
      "serviceNetwork",
      "the cluster network and the service network have different address families",
      "write both families in both lists, or one in both",
      NETWORK_RULE,
    );
  if (differs(machines)) refuseOrder("machineNetwork", machines!);
}

const familiesOf = (prefixes: readonly Prefix[]): number =>
  new Set(prefixes.map(({ family }) => family)).size;

/** Reads the networks around the cluster. */
export function readInfrastructure(findings: Findings, value: unknown): NamedNetwork[] {
  const read = (path: string, entry: unknown): NamedNetwork | undefined => {
    const raw = demanded(findings, path, entry, "write a name and a CIDR block")
      ? readObject(findings, path, entry, ["name", "cidr"])
      : undefined;
    if (!raw || !demanded(findings, `${path}.cidr`, raw.cidr)) return undefined;
    const name = demanded(findings, `${path}.name`, raw.name, "write the name of the network")
      ? readText(findings, `${path}.name`, raw.name)
      : undefined;
    const prefix = readCidr(findings, `${path}.cidr`, raw.cidr);
    return prefix && name !== undefined ? { name, prefix } : undefined;
  };
  return readList(findings, "infrastructureCidrs", value, read) ?? [];
}
