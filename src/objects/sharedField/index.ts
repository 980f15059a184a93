export * from "./commaSeparated";
export * from "./keyedItems";
export * from "./merge";
