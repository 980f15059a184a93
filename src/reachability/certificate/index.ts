export * from "./certificate";
export * from "./check";
export * from "./certificate";
export { certificateFaults } from "./shape";
