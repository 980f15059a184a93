export * from "./egressIp";
export * from "./judge";
export * from "./nodes";
export * from "./selection";
