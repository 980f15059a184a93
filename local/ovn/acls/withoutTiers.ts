import { TIER, type Acl } from "./acl";

/** The highest priority that leaves room for all lower ones. */
const FIRST = 30_000;

/**
 * Equivalent entries for OVN before 23.06, which has neither tiers nor the `pass` action. Orders the tiers by priority; replaces an
 * entry that passes by all entries of the lower tiers, limited to the packets that it passes.
 */
export function withoutTiers(acls: readonly Acl[]): Acl[] {
  if (acls.every(({ tier }) => tier === TIER.namespaces)) return [...acls];
  return (["to-lport", "from-lport"] as const).flatMap((direction) => {
    const mine = acls.filter((acl) => acl.direction === direction);
    return ranked(inOrder(mine).flatMap((level) => expanded(level, mine)));
  });
}

/** Entries with the same tier and priority, which decide together. */
type Level = readonly Acl[];

function inOrder(acls: readonly Acl[]): Level[] {
  const rank = ({ tier, priority }: Acl): number => tier * 100_000 - priority;
  const ranks = [...new Set(acls.map(rank))].sort((a, b) => a - b);
  return ranks.map((one) => acls.filter((acl) => rank(acl) === one));
}

function expanded(level: Level, acls: readonly Acl[]): Level[] {
  const passing = level.filter(({ action }) => action === "pass");
  const deciding = level.filter(({ action }) => action !== "pass");
  if (passing.length === 0) return [deciding];
  const below = inOrder(acls.filter(({ tier }) => tier > level[0]!.tier));
  const behind = below.map((lower) =>
    passing.flatMap((pass) => lower.map((acl) => ({ ...acl, match: `(${pass.match}) && (${acl.match})` }))),
  );
  const rest = passing.map((pass): Acl => ({ ...pass, action: "allow-related" }));
  return [deciding, ...behind, rest];
}

const ranked = (levels: readonly Level[]): Acl[] =>
  levels.flatMap((level, position) => level.map((acl) => ({ ...acl, priority: FIRST - position })));
