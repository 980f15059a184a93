export * from "./certificate";
export * from "./check";
export { certificateFaults } from "./shape";
