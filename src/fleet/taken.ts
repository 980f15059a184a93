import { contains, type Family } from "../address";
import { networkRanges } from "../addressRanges/inventory";
import type { JudgedResources } from "../gate/judgedResources";
import { isNetwork } from "../resources/resourceTypes";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NamedNetwork } from "../topology/normalizedTopology";
import {
  containerEngines,
  isAround,
  type ReservedRange,
  type ChosenKind,
  reservedRanges,
  upcomingRanges,
} from "../topology/reservedRanges";
import { familiesOf, type Fleet, type FleetCluster, isInternal, takesKind } from "./fleet";
import type { LedgerEntry } from "./ledger";

/** What decides which ranges a cluster takes although no user wrote them. */
interface Profile extends Pick<FleetCluster, "platform" | "release"> {
  /** The kinds of ranges that it has been given. */
  kinds: readonly ChosenKind[];
  families: ReadonlySet<Family>;
}

const PLACEHOLDERS = {
  4: {
    clusterNetwork: "10.0.0.0/14",
    serviceNetwork: "172.31.0.0/16",
    internal: ["100.99.0.0/16", "100.69.0.0/16"],
  },
  6: { clusterNetwork: "fd01::/48", serviceNetwork: "fd02::/112" },
} as const;

/** What a cluster takes although no user wrote it. */
export interface Reserved {
  /** With its release, whatever is made in it. */
  now: readonly ReservedRange[];
  /** With a later release or an optional feature, and what container engines take beside it: better kept free. */
  later: readonly ReservedRange[];
}

const known = new Map<string, Reserved>();

function reservedOf({ platform, release, kinds, families }: Profile): Reserved {
  const key = JSON.stringify([platform, release, kinds, [...families].sort()]);
  const before = known.get(key);
  if (before) return before;
  const networks = (kind: "clusterNetwork" | "serviceNetwork") =>
    kinds.includes(kind)
      ? {
          [kind]: ([4, 6] as const)
            .filter((family) => families.has(family))
            .map((family) => ({ cidr: PLACEHOLDERS[family][kind] })),
        }
      : {};
  const internal = kinds.filter(isInternal).map((kind, at) => [kind, PLACEHOLDERS[4].internal[at]] as const);
  const { readable } = normalizeTopology({
    name: "planned",
    platform,
    ...(release !== undefined && { release }),
    ...networks("clusterNetwork"),
    ...networks("serviceNetwork"),
    ...Object.fromEntries(internal),
  });
  const implicit = readable ? reservedRanges(readable).filter((range) => range.implicit) : [];
  const [now, optional] = [true, false].map((isAlways) =>
    implicit.filter(({ row }) => (row?.onlyWith === undefined) === isAlways),
  );
  const found = {
    now: now!,
    later: readable ? [...optional!, ...upcomingRanges(readable), ...containerEngines(readable)] : [],
  };
  known.set(key, found);
  return found;
}

/** What a cluster of the ledger takes beside its ranges. */
export const reservedOfEntry = ({ platform, release, ranges }: LedgerEntry): Reserved =>
  reservedOf({
    platform,
    ...(release !== undefined && { release }),
    kinds: [...new Set(ranges.map(({ kind }) => kind))],
    families: familiesOf(ranges.filter(({ kind }) => kind === "clusterNetwork").map(({ prefix }) => prefix)),
  });

/** What a cluster that is planned takes beside them. */
export const reservedOfCluster = (cluster: FleetCluster, pools: Fleet["pools"]): Reserved =>
  reservedOf({
    platform: cluster.platform,
    ...(cluster.release !== undefined && { release: cluster.release }),
    kinds: (Object.keys(pools) as ChosenKind[]).filter((kind) => takesKind(cluster, kind)),
    families: familiesOf(pools.clusterNetwork),
  });

/**
 * Every range of some inputs that is no range of a cluster of the ledger: VPCs and what they are connected to, networks of management
 * clusters, clusters that only a configuration describes, and whom topologies say that pods and nodes talk to. The VPC around a pool for
 * machines is taken as far as its subnets go.
 *
 * @param isKnown whether the ledger or the fleet has a cluster
 */
export function takenByInputs(
  judged: JudgedResources,
  pools: Fleet["pools"],
  isKnown: (key: string) => boolean,
): NamedNetwork[] {
  const { machineNetwork = [] } = pools;
  const everyPool = Object.values(pools).flat();
  const found = new Map<string, NamedNetwork>();
  const add = ({ name, prefix }: NamedNetwork) => {
    // Everybody is no network.
    if (prefix.length > 0) found.set(`${prefix.text} ${name}`, { name, prefix });
  };
  for (const { blocks, subnets } of judged.vpcs.values()) {
    const isAroundPool = blocks.some(({ prefix }) => machineNetwork.some((pool) => contains(prefix, pool)));
    for (const range of isAroundPool || blocks.length === 0 ? subnets : blocks) add(range);
  }
  for (const range of judged.connections.remote) add(range);
  for (const network of judged.ofKind(isNetwork))
    for (const { implicit, prefix } of networkRanges(network))
      if (!implicit) add({ name: `Network ${network.name}`, prefix });
  for (const { name, namespace, topology, sources } of judged.clusters) {
    if (!topology) continue;
    const key = `${namespace}/${name}`;
    const isElsewhere = isKnown(key) || sources.some(({ kind }) => kind === "object");
    for (const range of reservedRanges(topology)) {
      // Of a company's block in which some are meant, nothing says whether a pool in it is theirs.
      const isWide = range.meansSome && everyPool.some((pool) => contains(range.prefix, pool));
      const isTaken = isAround(range) ? !isWide : !isElsewhere && range.kind !== "implicit";
      if (isTaken) add({ name: `${range.name} of ${key}`, prefix: range.prefix });
    }
  }
  return [...found.values()];
}
