export * from "./bootstrapPhase";
export { nodePoolKey } from "./nodePool";
