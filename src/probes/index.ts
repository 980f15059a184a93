export * from "./frame";
export * from "./judge";
export * from "./multicast";
export * from "./name";
export * from "./objects";
export * from "./requests";
export * from "./rollOut";
