export * from "./excess";
export * from "./labelClasses";
export * from "./podTraffic";
