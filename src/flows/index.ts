export { ALLOWED_LIST, type AllowedBlocks } from "./surroundings";
export { hostFlows } from "./hosts";
export * from "./model";
export * from "./journeys";
export * from "./surroundings";
