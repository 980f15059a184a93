export * from "./cluster";
export * from "./hybridOverlay";
export * from "./ipsec";
export * from "./network";
export * from "./surroundingRanges";
