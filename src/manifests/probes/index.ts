export * from "./judge";
export * from "./name";
export * from "./objects";
export * from "./requests";
