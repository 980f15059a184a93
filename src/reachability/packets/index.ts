export * from "./example";
export * from "./print";
export * from "./packetIndex";
export * from "./packetSet";
export * from "./service";
