export * from "./settings";
export * from "./sharedFieldShare";
