import { onceForEach, isRecord } from "../collections";
import { type Family, type Prefix, overlaps } from "../address";
import type { Fault } from "../fault";
import { internalSubnet, internalSubnetProperties } from "../requirements/internalSubnets";
import { compareReleases, parseRelease } from "../requirements/release";
import { Platform } from "../requirements/vocabulary";
import type { NamedNetwork } from "../topology/normalizedTopology";
import { type ChosenKind, chosenKinds, networkNames } from "../topology/reservedRanges";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import {
  demanded,
  type Findings,
  noFindings,
  readCidr,
  readCidrs,
  readList,
  readObject,
  readText,
  readWhole,
  readWord,
  refuse,
  shortValue,
} from "../topology/normalize/values";
import {
  envelopeFaults,
  type FleetClusterName,
  FleetKind,
  keyOfCluster,
  readClusterName,
  readName,
} from "./document";

/** The name of each kind, as the subject of a sentence. */
export const kindName: Readonly<Record<ChosenKind, string>> = {
  machineNetwork: `the ${networkNames.machineNetwork}`,
  clusterNetwork: `the ${networkNames.clusterNetwork}`,
  serviceNetwork: `the ${networkNames.serviceNetwork}`,
  internalJoinSubnet: internalSubnet("internalJoinSubnet").name,
  internalTransitSwitchSubnet: internalSubnet("internalTransitSwitchSubnet").name,
};

/** Whether a kind is one of OVN's internal subnets, which no packet leaves. */
export const isInternal = (kind: ChosenKind): kind is "internalJoinSubnet" | "internalTransitSwitchSubnet" =>
  internalSubnetProperties.some((property) => property === kind);

/** A fleet of hosted clusters: what they need, and from which pools. */
export interface Fleet {
  /** Folder of the ledger, relative to the file. */
  ledger: string;
  pools: Readonly<Partial<Record<ChosenKind, readonly Prefix[]>>>;
  /** Kinds of which all clusters may have the same range. */
  reuse: ReadonlySet<ChosenKind>;
  /** Networks that no cluster may overlap. */
  taken: readonly NamedNetwork[];
  clusters: readonly FleetCluster[];
}

/** One hosted cluster of a fleet, with what decides on its addresses. */
export interface FleetCluster extends FleetClusterName {
  platform: Platform;
  release?: string;
  /** The most nodes that it will have: its networks can never grow. */
  nodes: number;
  /** Default: each node gets a part of the usual size. */
  podsPerNode?: number;
  services: number;
  zones: number;
  otherAddresses: number;
}

/** The values that apply if a fleet states none. */
const FLEET_DEFAULTS = {
  ledger: "ledger",
  services: 4_000,
  zones: 1,
  otherAddresses: 16,
  reuse: chosenKinds.filter(isInternal),
} as const;

const CLUSTER_KEYS = [
  "platform",
  "release",
  "nodes",
  "podsPerNode",
  "services",
  "zones",
  "otherAddresses",
  "namespace",
  "managementCluster",
] as const;

/** Far beyond any cluster: a larger number is a mistake. */
const MOST = { nodes: 100_000, podsPerNode: 10_000, services: 100_000, zones: 100 } as const;

/** Reads the description of a fleet. Returns all faults at once. */
export function readFleet(value: unknown): { fleet?: Fleet; faults: Fault[] } {
  const around = envelopeFaults(value, FleetKind.Fleet);
  const findings = noFindings("spec");
  const spec = isRecord(value) && isRecord(value.spec) ? value.spec : {};
  const raw =
    readObject(findings, "", spec, ["ledger", "pools", "reuse", "taken", "defaults", "clusters"]) ?? {};
  const pools = readPools(findings, raw.pools);
  const fleet: Fleet = {
    ledger: readFolder(findings, raw.ledger),
    pools,
    reuse: readReuse(findings, raw.reuse),
    taken: readTaken(findings, raw.taken),
    clusters: readClusters(findings, raw),
  };
  const faults = [...around, ...eachOnce(findings.faults)];
  return { ...(faults.length === 0 && { fleet }), faults };
}

function readFolder(findings: Findings, value: unknown): string {
  const folder = readText(findings, "ledger", value);
  if (folder === "") refuse(findings, "ledger", "is empty", "write a folder, such as ./ledger");
  return folder ?? FLEET_DEFAULTS.ledger;
}

function readPools(findings: Findings, value: unknown): Fleet["pools"] {
  if (!demanded(findings, "pools", value, `write CIDR blocks under ${chosenKinds.join(", ")}`)) return {};
  const raw = readObject(findings, "pools", value, chosenKinds) ?? {};
  const pools = Object.fromEntries(
    chosenKinds.flatMap((kind) => {
      if (raw[kind] === undefined || raw[kind] === null) return [];
      const blocks = readCidrs(findings, `pools.${kind}`, raw[kind]);
      if (Array.isArray(raw[kind]) && raw[kind].length === 0)
        refuse(findings, `pools.${kind}`, "has no block", "write a CIDR block, or leave the pool out");
      refuseTwice(findings, `pools.${kind}`, blocks);
      if (isInternal(kind) && blocks.some(({ family }) => family === 6))
        refuse(findings, `pools.${kind}`, "has an IPv6 block", "write IPv4 blocks: only these can be set");
      return [[kind, blocks]];
    }),
  ) as Fleet["pools"];
  refuseFamilies(findings, pools);
  return pools;
}

/**
 * HyperShift requires one set of families for pods and Services, and the same family first for machines. The plan writes IPv4 first, and
 * what has no pool is an IPv4 default.
 */
function refuseFamilies(findings: Findings, pools: Fleet["pools"]): void {
  const listed = (kind: ChosenKind) =>
    [...(pools[kind] ? familiesOf(pools[kind]) : [4])].sort().map((family) => `IPv${family}`);
  const [pods, services, machines] = [
    listed("clusterNetwork"),
    listed("serviceNetwork"),
    listed("machineNetwork"),
  ];
  // An empty pool is a fault of its own.
  if ([pods, services, machines].some(({ length }) => length === 0)) return;
  const texts = (families: readonly string[]) => families.join(" and ");
  if (texts(pods) !== texts(services)) {
    const [kind, own, others] = pools.serviceNetwork
      ? ["serviceNetwork", services, `the cluster networks are ${texts(pods)}`]
      : ["clusterNetwork", pods, `the service networks are ${texts(services)}`];
    refuse(
      findings,
      `pools.${kind}`,
      `has blocks of ${texts(own)}, and ${others}: HyperShift requires the same families`,
      "write both families in the pools of cluster and service networks, or one in both",
    );
  }
  if (pools.machineNetwork && pods[0] !== machines[0])
    refuse(
      findings,
      "pools.machineNetwork",
      `has blocks of ${texts(machines)}, and the cluster networks begin with ${pods[0]}: HyperShift compares the first entries`,
      `write blocks of ${pods[0]} in this pool, or of ${machines[0]} in those of cluster and service networks`,
    );
}

/** Nested blocks of one pool would be counted twice. */
function refuseTwice(findings: Findings, property: string, blocks: readonly Prefix[]): void {
  for (const { outer, inner } of overlaps(blocks.map((prefix) => ({ prefix }))))
    refuse(
      findings,
      property,
      `${inner.prefix.text} lies in ${outer.prefix.text}`,
      `leave ${inner.prefix.text} out`,
    );
}

/** The families of pools or ranges. Cached, because each cluster of a fleet needs those of the same pools. */
export const familiesOf = (blocks: readonly Prefix[] = NONE): ReadonlySet<Family> => familiesAmong(blocks);

const NONE: readonly Prefix[] = [];
const familiesAmong = onceForEach(
  (blocks: readonly Prefix[]): ReadonlySet<Family> => new Set(blocks.map(({ family }) => family)),
);

function readReuse(findings: Findings, value: unknown): ReadonlySet<ChosenKind> {
  const read = (path: string, entry: unknown) =>
    demanded(findings, path, entry, `write ${chosenKinds.join(", ")}`)
      ? readWord(findings, path, entry, chosenKinds)
      : undefined;
  return new Set(readList(findings, "reuse", value, read) ?? FLEET_DEFAULTS.reuse);
}

/** Each fault once: a wrong default is read for every cluster that uses it. */
const eachOnce = (faults: readonly Fault[]): Fault[] => [
  ...new Map(faults.map((fault) => [JSON.stringify([fault.path, fault.problem]), fault])).values(),
];

function readTaken(findings: Findings, value: unknown): NamedNetwork[] {
  const entries = readList(findings, "taken", value, (path, entry): NamedNetwork | undefined => {
    if (!demanded(findings, path, entry, "write a name and a CIDR block")) return undefined;
    const raw = readObject(findings, path, entry, ["name", "cidr"]);
    if (!raw) return undefined;
    const isNamed = demanded(findings, `${path}.name`, raw.name, "write the name of the network");
    const name = isNamed ? readText(findings, `${path}.name`, raw.name) : undefined;
    const isThere = demanded(findings, `${path}.cidr`, raw.cidr);
    const prefix = isThere ? readCidr(findings, `${path}.cidr`, raw.cidr) : undefined;
    return prefix && name !== undefined ? { name, prefix } : undefined;
  });
  return entries ?? [];
}

function readClusters(findings: Findings, raw: Record<string, unknown>): FleetCluster[] {
  const defaults = readObject(findings, "defaults", raw.defaults, CLUSTER_KEYS) ?? {};
  const known = new Set<string>();
  const clusters = readList(findings, "clusters", raw.clusters, (path, entry) => {
    if (!demanded(findings, path, entry, "write a name and the number of nodes")) return undefined;
    const own = readObject(findings, path, entry, ["name", ...CLUSTER_KEYS]);
    const cluster = own && readCluster(findings, path, own, defaults);
    if (!cluster) return undefined;
    const key = keyOfCluster(cluster);
    if (known.has(key)) refuse(findings, `${path}.name`, `${key} is there twice`, "leave one of them out");
    known.add(key);
    return cluster;
  });
  return clusters ?? [];
}

function readCluster(
  findings: Findings,
  path: string,
  own: Record<string, unknown>,
  defaults: Record<string, unknown>,
): FleetCluster | undefined {
  // A fault in a default is reported at `defaults`, for every cluster that uses it.
  const placed = (key: (typeof CLUSTER_KEYS)[number]): [place: string, value: unknown] =>
    own[key] === undefined || own[key] === null
      ? [`defaults.${key}`, defaults[key]]
      : [`${path}.${key}`, own[key]];
  const count = (key: keyof typeof MOST) => readWhole(findings, ...placed(key), { min: 1, max: MOST[key] });
  const before = findings.faults.length;
  const name = readClusterName(findings, `${path}.name`, own.name);
  const namespace = readName(findings, ...placed("namespace")) ?? DEFAULT_NAMESPACE;
  const managementCluster = readName(findings, ...placed("managementCluster"));
  const platform = readWord(findings, ...placed("platform"), Object.values(Platform));
  const release = readRelease(findings, ...placed("release"));
  const nodes = count("nodes");
  const podsPerNode = count("podsPerNode");
  const otherAddresses = readWhole(findings, ...placed("otherAddresses"), { min: 0, max: MOST.nodes });
  const [services, zones] = [count("services"), count("zones")];
  const isComplete = findings.faults.length === before;
  if (platform === undefined && isComplete)
    refuse(findings, `${path}.platform`, "missing", `write one of ${Object.values(Platform).join(", ")}`);
  if (nodes === undefined && isComplete)
    refuse(findings, `${path}.nodes`, "missing", "write the maximum number of nodes of the cluster");
  if (name === undefined || platform === undefined || nodes === undefined) return undefined;
  return {
    ...(managementCluster !== undefined && { managementCluster }),
    namespace,
    name,
    platform,
    ...(release !== undefined && { release }),
    nodes,
    ...(podsPerNode !== undefined && { podsPerNode }),
    services: services ?? FLEET_DEFAULTS.services,
    zones: zones ?? FLEET_DEFAULTS.zones,
    otherAddresses: otherAddresses ?? FLEET_DEFAULTS.otherAddresses,
  };
}

/** Reads a release of the hosted cluster, `4.20`. */
export function readRelease(findings: Findings, property: string, value: unknown): string | undefined {
  if (value === undefined || value === null || (typeof value === "string" && parseRelease(value)))
    return value ?? undefined;
  return refuse(
    findings,
    property,
    `${shortValue(value)} is not a release`,
    'write major.minor in quotes: release: "4.20"',
  );
}

/** Whether a hosted cluster of this platform and release can be given a range of a kind. */
export function takesKind(
  { platform, release }: Pick<FleetCluster, "platform" | "release">,
  kind: ChosenKind,
): boolean {
  if (!isInternal(kind)) return true;
  const { refused, since } = internalSubnet(kind);
  const read = release === undefined ? undefined : parseRelease(release);
  return refused?.platform !== platform && !(since && read && compareReleases(read, since) < 0);
}
