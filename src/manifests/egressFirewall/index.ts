export * from "./apiServer";
export * from "./egressFirewall";
export * from "./faults";
export * from "./firstMatch";
export * from "./view";
export * from "./warnings";
export * from "./judge";
