import type { Prefix } from "../address";
import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import { Platform } from "../requirements/vocabulary";
import type { HostedClusterTopology } from "../topology/hostedClusterTopology";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import {
  demanded,
  type Findings,
  noFindings,
  readCidr,
  readList,
  readObject,
  readWhole,
  readWord,
} from "../topology/normalize/values";
import {
  envelopeFaults,
  FLEET_API,
  type FleetClusterName,
  FleetKind,
  readClusterName,
  readName,
} from "./document";
import { isInternal, readRelease } from "./fleet";
import { type ChosenKind, chosenKinds } from "../topology/reservedRanges";
import { isRecord } from "../collections";

/** How a cluster came into the ledger. */
export enum LedgerOrigin {
  /** Its ranges were chosen from the pools. */
  Planned = "planned",
  /** It existed before, with its ranges. */
  Adopted = "adopted",
}

/** The ranges of one cluster in the ledger of a fleet. Never changed by a plan. */
export interface LedgerEntry extends FleetClusterName {
  platform: Platform;
  release?: string;
  origin: LedgerOrigin;
  ranges: readonly LedgerRange[];
}

/** One range of a cluster. */
export interface LedgerRange {
  kind: ChosenKind;
  prefix: Prefix;
  /** For cluster networks: prefix length of the part that each node gets. */
  hostPrefix?: number;
  /** Whether other clusters may have the same range of this kind. */
  isReused: boolean;
}

/** The path of a range in its file. */
export function placeOfRange({ ranges }: Pick<LedgerEntry, "ranges">, range: LedgerRange): string {
  if (isInternal(range.kind)) return `spec.${range.kind}`;
  return `spec.${range.kind}[${ranges.filter(({ kind }) => kind === range.kind).indexOf(range)}].cidr`;
}

/** The ranges of a topology, as in a HostedCluster. */
export type TopologyRanges = Pick<HostedClusterTopology, ChosenKind>;

/** The ranges of a cluster, by the names of a topology. */
export function topologyRanges({ ranges }: Pick<LedgerEntry, "ranges">): TopologyRanges {
  const said: TopologyRanges = {};
  for (const { kind, prefix, hostPrefix } of ranges)
    if (isInternal(kind)) said[kind] = prefix.text;
    else if (kind === "clusterNetwork")
      (said[kind] ??= []).push({ cidr: prefix.text, ...(hostPrefix !== undefined && { hostPrefix }) });
    else (said[kind] ??= []).push({ cidr: prefix.text });
  return said;
}

const HEADING = `# Written by \`hypershift-network plan --fleet FILE --write\`, and read by HostedClusterAddressPlan. A running cluster can change
# neither its machine network nor its cluster and service network: to plan a cluster again that does not exist yet, delete its file.`;

/** The path of a cluster's file in the ledger: in a folder per namespace, which is in a folder per management cluster if one is named. */
export const ledgerPath = ({ managementCluster, namespace, name }: FleetClusterName): string[] => [
  ...(managementCluster === undefined ? [] : [managementCluster]),
  namespace,
  `${name}.yaml`,
];

/** The text of that file. All strings in it are quoted. */
export function ledgerText(entry: LedgerEntry): string {
  const { managementCluster, namespace, name, platform, release, origin, ranges } = entry;
  const reused = [...new Set(ranges.filter(({ isReused }) => isReused).map(({ kind }) => kind))];
  const quoted = (value: string | number) => JSON.stringify(value);
  const lines = Object.entries(topologyRanges(entry)).flatMap(([kind, value]) =>
    typeof value === "string"
      ? [`  ${kind}: ${quoted(value)}`]
      : [
          `  ${kind}:`,
          ...value.flatMap((network) =>
            Object.entries({ ...network } as Record<string, string | number>).map(
              ([key, said], position) => `    ${position === 0 ? "-" : " "} ${key}: ${quoted(said)}`,
            ),
          ),
        ],
  );
  const text = [
    HEADING,
    `apiVersion: ${FLEET_API}`,
    `kind: ${FleetKind.AddressPlan}`,
    "metadata:",
    `  name: ${quoted(name)}`,
    `  namespace: ${quoted(namespace)}`,
    "spec:",
    ...(managementCluster === undefined ? [] : [`  managementCluster: ${quoted(managementCluster)}`]),
    `  platform: ${quoted(platform)}`,
    ...(release === undefined ? [] : [`  release: ${quoted(release)}`]),
    `  origin: ${quoted(origin)}`,
    ...lines,
    ...(reused.length > 0 ? ["  reused:", ...reused.map((kind) => `    - ${quoted(kind)}`)] : []),
  ];
  return `${text.join("\n")}\n`;
}

/** Reads a file of the ledger. Returns all faults at once. */
export function readLedgerEntry(value: unknown): { entry?: LedgerEntry; faults: Fault[] } {
  const around = envelopeFaults(value, FleetKind.AddressPlan);
  const [metadata, spec] = [noFindings("metadata"), noFindings("spec")];
  const { metadata: named, spec: said } = isRecord(value) ? value : {};
  const { name: written, namespace: within } =
    readObject(metadata, "", named ?? {}, ["name", "namespace"]) ?? {};
  const raw =
    readObject(spec, "", said ?? {}, [
      "managementCluster",
      "platform",
      "release",
      "origin",
      ...chosenKinds,
      "reused",
    ]) ?? {};
  const name = readClusterName(metadata, "name", written);
  const namespace = readName(metadata, "namespace", within) ?? DEFAULT_NAMESPACE;
  const managementCluster = readName(spec, "managementCluster", raw.managementCluster);
  const platform = demanded(spec, "platform", raw.platform, "write the platform of the HostedCluster")
    ? readWord(spec, "platform", raw.platform, Object.values(Platform))
    : undefined;
  const release = readRelease(spec, "release", raw.release);
  const origin = readWord(spec, "origin", raw.origin, Object.values(LedgerOrigin)) ?? LedgerOrigin.Planned;
  const reused = new Set(
    readList(spec, "reused", raw.reused, (path, kind) => readWord(spec, path, kind, chosenKinds)),
  );
  const ranges = chosenKinds.flatMap((kind) =>
    rangesOf(spec, kind, raw[kind]).map((range) => ({ ...range, isReused: reused.has(kind) })),
  );
  const faults = [...around, ...metadata.faults, ...spec.faults];
  if (faults.length > 0 || name === undefined || platform === undefined) return { faults };
  return {
    entry: {
      ...(managementCluster !== undefined && { managementCluster }),
      namespace,
      name,
      platform,
      ...(release !== undefined && { release }),
      origin,
      ranges,
    },
    faults,
  };
}

function rangesOf(findings: Findings, kind: ChosenKind, value: unknown): Omit<LedgerRange, "isReused">[] {
  if (isInternal(kind)) {
    const prefix = readCidr(findings, kind, value, { families: [4] });
    return prefix ? [{ kind, prefix }] : [];
  }
  const keys = kind === "clusterNetwork" ? ["cidr", "hostPrefix"] : ["cidr"];
  const read = (path: string, entry: unknown) => {
    const raw = demanded(findings, path, entry) ? readObject(findings, path, entry, keys) : undefined;
    if (!raw || !demanded(findings, `${path}.cidr`, raw.cidr)) return undefined;
    const prefix = readCidr(findings, `${path}.cidr`, raw.cidr);
    if (!prefix) return undefined;
    const bounds = { min: prefix.length, max: prefix.family === 4 ? 32 : 128 };
    const hostPrefix =
      kind === "clusterNetwork"
        ? (readWhole(findings, `${path}.hostPrefix`, raw.hostPrefix, bounds) ??
          LIMIT.defaultHostPrefix[prefix.family])
        : undefined;
    return { kind, prefix, ...(hostPrefix !== undefined && { hostPrefix }) };
  };
  return readList(findings, kind, value, read) ?? [];
}
