export * from "./frame";
export * from "./judge";
export * from "./multicast";
export * from "./objects";
export * from "./requests";
