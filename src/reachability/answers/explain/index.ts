export * from "./describeExplanation";
export { explainPacket } from "./explainPacket";
export * from "./explainService";
export * from "./explainWritten";
export * from "./explanation";
export * from "./explainPacket";
export { namesOf, resourcesNamed } from "./resourceParts";
