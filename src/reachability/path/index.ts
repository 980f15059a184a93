export * from "./excess";
export * from "./hyperShiftPolicies";
export * from "./judge";
export * from "./judgedJourneys";
export * from "./planGuards";
export * from "./standing";
