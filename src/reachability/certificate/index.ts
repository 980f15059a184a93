export * from "./certificate";
export * from "./check";
export * from "./planned";
export { certificateFaults } from "./shape";
