export * from "./adminNetworkPolicy";
export * from "./egressFirewall";
export * from "./filter";
export * from "./networkAcl";
export * from "./networkPolicy";
export * from "./policyEnds";
export { podClasses } from "./policySelection";
export * from "./securityGroup";
export type { KnownLabels, Maybe } from "../../resources/labelSelector";
