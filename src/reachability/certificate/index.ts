export * from "./certificate";
export * from "./check";
export * from "./planned";
