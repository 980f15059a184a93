export * from "./excess";
export * from "./excessText";
export * from "./labelClasses";
export * from "./podTraffic";
