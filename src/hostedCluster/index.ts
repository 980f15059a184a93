export * from "./additionalSpec";
export * from "./changes";
export * from "./fragments";
export * from "./judge";
export * from "./spec";
