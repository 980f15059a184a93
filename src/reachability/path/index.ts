export * from "./excess";
export * from "./journey";
export * from "./journeys";
export * from "./judge";
export * from "./planGuards";
export * from "./standing";
