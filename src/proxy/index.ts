export * from "../topology/proxy/apiProxy";
export * from "../topology/proxy/apiProxy";
export * from "./fragment";
export * from "./settings";
export * from "./noProxy";
export * from "./trustBundle";
export * from "./warnings";
export * from "../requirements/proxiedWorkloads";
