export { ALLOWED_LIST, type AllowedBlocks } from "./allowedBlocks";
export { hostFlows } from "./hosts";
export * from "./model";
export * from "./journeys";
export * from "./journeys";
export * from "./surroundings";
