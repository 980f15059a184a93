export * from "./compare";
export * from "./excess";
export * from "./prove";
