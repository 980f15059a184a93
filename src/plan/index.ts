export * from "./inputFault";
export { Inputs } from "./inputs";
export { readInputs, type ReadOptions } from "./readInputs";
