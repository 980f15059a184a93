export * from "./flowEnd";
export * from "./groupFilter";
