export * from "./bootstrapPhase";
export { nodePoolKey } from "./bootstrapPhase";
