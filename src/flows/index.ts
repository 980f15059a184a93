export { ALLOWED_LIST, type AllowedBlocks } from "./allowedBlocks";
export { hostFlows } from "./hosts";
export * from "./journey";
export * from "./journeys";
export * from "./outside";
export * from "./settledJourneys";
export * from "./surroundings";
