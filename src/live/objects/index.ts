export * from "./readObjects";
export type { LiveReading, Reading } from "../liveReading";
