export * from "./describeExplanation";
export { explainPacket } from "./explainPacket";
export * from "./explainService";
export * from "./explainWritten";
export * from "./explanation";
export * from "./packetQuery";
export { namesOf, resourcesNamed } from "./resourceParts";
