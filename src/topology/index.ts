export * from "./hostedClusterTopology";
export * from "./missingInputs";
export * from "./normalizedTopology";
export * from "./normalizeTopology";
export * from "./overlapsOf";
export * from "./requiredFlow";
export * from "./requiredFlows";
export * from "./reservedRanges";
