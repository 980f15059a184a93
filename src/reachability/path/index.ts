export * from "./excess";
export * from "./journey";
export * from "./journeys";
export * from "./judge";
export * from "./outside";
export * from "./planGuards";
export * from "./standing";
export * from "./surroundings";
