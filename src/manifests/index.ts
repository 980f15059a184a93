export * from "./egressFirewall";
export * from "./hostedClusterPatch";
export * from "./ovnSubnets";
export * from "./proxy";
export * from "./hostedClusterReference";
