export {
  Address,
  BITS,
  FAMILIES,
  Prefix,
  addressCount,
  formatPrefix,
  hosts,
  prefixOf,
  type Family,
} from "./prefix";
export {
  addressFaults,
  parseAddress,
  parsePrefix,
  prefixFaults,
  type ParsedAddress,
  type ParsedPrefix,
  type PrefixRules,
} from "./parse";
export {
  adjacent,
  compare,
  contains,
  containsAddress,
  enclosedBy,
  equal,
  overlap,
  sameFamily,
} from "./relations";
export { complement, enclosing, intersect, merge, prefixesBetween, subtract } from "./sets";
export { free, largestFree, subnets } from "./sets";
export { FreeSpace } from "./freeSpace";
export {
  everyOverlap,
  firstShared,
  heaviestOverlaps,
  meeting,
  outermost,
  overlaps,
  type Overlap,
} from "./relations";
export {
  parseBulk,
  prefixAt,
  prefixFamily,
  readBlock,
  readHost,
  readPrefix,
  refusals,
  withoutHostBits,
  type FamilyColumns,
  type PrefixColumns,
} from "./bulk";
export { isIPv4Prefix } from "./scan";
export {
  NONE,
  listsOverlap,
  overlapPairs,
  overlapsAmong,
  type OverlapPair,
  type OverlapsAmong,
} from "./overlapsAmong";
