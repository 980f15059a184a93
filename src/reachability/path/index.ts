export * from "./excess";
export * from "./hyperShiftPolicies";
export * from "./judge";
export * from "./planGuards";
export * from "./standing";
