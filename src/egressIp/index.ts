export * from "./selection";
export * from "./judge";
export * from "./nodes";
export * from "./selection";
