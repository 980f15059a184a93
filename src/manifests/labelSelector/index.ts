export * from "./faults";
export * from "./labelSelector";
export * from "./relation";
