export * from "./describeRepair";
export * from "./lever";
export * from "./repair";
export * from "./repairOf";
