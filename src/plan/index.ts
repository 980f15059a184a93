export * from "./inputFault";
export * from "./configurationFile";
export { Inputs } from "./inputs";
export { readInputs, type ReadOptions } from "./readInputs";
