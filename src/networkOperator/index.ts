export * from "./network";
export * from "./hybridOverlay";
export * from "./ipsec";
export * from "./surroundingRanges";
