export * from "./settings";
export * from "./sharedFieldShare";
export { sharedFieldAccessFaults, sharedFieldFaults } from "../dynamicProvider";
