export * from "./inputFault";
export { unreadable } from "./readBytes";
export * from "./configurationFile";
export { CONFIGURATION_NAMES, configurationsIn, findConfiguration } from "./configurationFile";
export { Inputs } from "./inputs";
export { readInputs, type ReadOptions } from "./readInputs";
