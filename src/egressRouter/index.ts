export * from "./egressRouter";
export * from "./interfaceAddress";
export * from "./judge";
export * from "./networkAttachment";
export * from "./podNetworks";
export * from "./redirects";
export * from "./surroundings";
export * from "./workload";
