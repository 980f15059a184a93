export * from "./hostedAccess";
export * from "./liveCheck";
export * from "./liveCluster";
export * from "./until";
export * from "./bootstrap/verifyBootstrap";
export * from "./subnets/verifySubnets";
export type { WantedSubnets } from "./subnets/settings";
