export * from "./deployments";
export * from "./judge";
export * from "./noProxy";
