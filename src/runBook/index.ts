export * from "./makeRunBook";
export * from "./runBook";
export type { Change, Side } from "./patches";
