export * from "./drift";
