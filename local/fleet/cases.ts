import { oneOf, randomFrom } from "../fuzz/random";

/** A block in a universe of 256 addresses. */
export interface Block {
  at: number;
  size: number;
}

export const KINDS = [
  "machineNetwork",
  "clusterNetwork",
  "serviceNetwork",
  "internalJoinSubnet",
  "internalTransitSwitchSubnet",
] as const;
export type Kind = (typeof KINDS)[number];

/** A fleet whose addresses are all in that universe. */
export interface FleetCase {
  pools: Partial<Record<Kind, Block[]>>;
  reuse: Kind[];
  taken: Block[];
  clusters: CaseCluster[];
  ledger: CaseEntry[];
}

export interface CaseCluster {
  name: string;
  platform: "AWS" | "None" | "KubeVirt";
  release?: string;
  nodes: number;
  podsPerNode: number;
  services: number;
  zones: number;
  otherAddresses: number;
}

export interface CaseEntry {
  name: string;
  ranges: CaseRange[];
  isDeployed: boolean;
}

export interface CaseRange {
  kind: Kind;
  block: Block;
  isReused: boolean;
}

/** The number of addresses. */
export const UNIVERSE = 256;

/** The fleet with number `place` of a seed: each place has its own random numbers, so that it does not depend on those before it. */
export function fleetOf(seed: number, place: number): FleetCase {
  const random = randomFrom(seed * 1_000_003 + place * 7_919);
  const whole = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const block = (largest: number, smallest = 0): Block => {
    const size = 2 ** whole(smallest, largest);
    return { at: size * whole(0, UNIVERSE / size - 1), size };
  };
  const some = <Value>(most: number, make: () => Value): Value[] =>
    Array.from({ length: whole(0, most) }, make);
  const reuse = KINDS.filter((kind) => random() < (kind.startsWith("internal") ? 0.7 : 0.15));
  const shared = random() < 0.3 ? [block(8, 6)] : undefined;
  const pools = Object.fromEntries(
    KINDS.filter(() => random() < 0.8).map((kind) => [
      kind,
      shared ?? apart([block(8, 4), ...some(1, () => block(6, 3))]),
    ]),
  );
  const platform = () => oneOf(["AWS", "None", "None", "KubeVirt"] as const, random);
  const cluster = (at: number): CaseCluster => {
    const release = oneOf([undefined, "4.19", "4.20", "4.21"], random);
    return {
      name: `c${at}`,
      platform: platform(),
      ...(release !== undefined && { release }),
      nodes: whole(1, 6),
      podsPerNode: whole(1, 6),
      services: whole(1, 20),
      zones: whole(1, 3),
      otherAddresses: whole(0, 4),
    };
  };
  const kindOfReuse = () => random() < 0.8;
  return {
    pools,
    reuse,
    taken: some(3, () => block(5)),
    clusters: Array.from({ length: whole(1, 8) }, (_, at) => cluster(at)),
    ledger: some(3, () => 0).map((_, at) => ({
      // Some ledger entries name clusters of the fleet.
      name: random() < 0.5 ? `c${2 * at}` : `old${at}`,
      ranges: KINDS.filter(() => random() < 0.6).map((kind) => ({
        kind,
        block: block(5, 2),
        isReused: reuse.includes(kind) && kindOfReuse(),
      })),
      isDeployed: random() < 0.5,
    })),
  };
}

/** Keeps only blocks that do not overlap an earlier one. */
const apart = (blocks: readonly Block[]): Block[] =>
  blocks.filter((one, at) =>
    blocks.every(
      (other, place) => place >= at || one.at >= other.at + other.size || other.at >= one.at + one.size,
    ),
  );
