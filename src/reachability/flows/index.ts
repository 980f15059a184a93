export * from "./flowEnd";
export * from "./groupFilter";
export * from "./mayMatch";
