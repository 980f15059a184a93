export * from "./inputFault";
export { unreadable } from "./readBytes";
export * from "./configurationFile";
export { CONFIGURATION_NAMES, configurationsIn, findConfiguration } from "./findConfiguration";
export { Inputs } from "./inputs";
export { readInputs, type ReadOptions } from "./readInputs";
