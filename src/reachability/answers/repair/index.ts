export * from "./describeRepair";
export * from "./repair";
export * from "./repairOf";
