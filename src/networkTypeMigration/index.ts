export * from "./judge";
export * from "./cluster";
export * from "./phases";
export * from "./steps";
export * from "./network";
export type { MigrationWishes, WantedNetwork } from "./phases";
export type { MigrationWrite } from "./patches";
