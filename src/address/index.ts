export {
  Address,
  BITS,
  FAMILIES,
  Prefix,
  addressCount,
  bitOf,
  firstHost,
  lanesOf,
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
export { enclosing, firstFree, intersect, largestFree, merge, prefixesBetween, subtract } from "./sets";
export { FreeSpace } from "./freeSpace";
export {
  compare,
  contains,
  containsAddress,
  enclosedBy,
  equal,
  everyOverlap,
  firstShared,
  heaviestOverlaps,
  meeting,
  outermost,
  overlap,
  overlaps,
  surrounding,
  type Overlap,
} from "./relations";
export {
  parseBulk,
  prefixFamily,
  readBlock,
  readHost,
  readPrefix,
  withoutHostBits,
  type FamilyColumns,
  type PrefixColumns,
} from "./bulk";
export { isIPv4Prefix } from "./scan";
export { NONE, listsOverlap, overlapsAmong, type OverlapsAmong } from "./overlapsAmong";
