export * from "./analyse";
export * from "./surplus";
