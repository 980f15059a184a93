export * from "./describeDiff";
export * from "./diff";
export * from "./diffPlans";
