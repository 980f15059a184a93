export * from "./openAt";
export * from "./diff";
export * from "./diffPlans";
