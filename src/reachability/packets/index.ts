export * from "./example";
export * from "./leftOut";
export * from "./packetIndex";
export * from "./packetSet";
export * from "./print";
export * from "./service";
