export * from "./describeExplanation";
export * from "./explainPacket";
export * from "./explainRule";
export * from "./explainWritten";
export * from "./explanation";
export * from "./packetQuery";
