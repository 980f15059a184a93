export * from "./flowEnd";
export * from "./groupFilter";
export * from "./mayMatch";
export * from "./flowPackets";
