export * from "./certificate";
export * from "./check";
