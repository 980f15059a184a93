export * from "./prove";
