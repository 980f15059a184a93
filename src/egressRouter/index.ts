export * from "./egressRouter";
export * from "./surroundings";
export * from "./judge";
export * from "./podNetworks";
export * from "./redirects";
