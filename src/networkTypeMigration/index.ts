export * from "./judge";
export * from "./objects";
export * from "./phases";
export * from "./steps";
export * from "./translations";
export type { MigrationWishes, WantedNetwork } from "./condition";
export type { MigrationWrite } from "./patches";
export * from "./inputs";
