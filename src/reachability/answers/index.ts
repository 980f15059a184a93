export * from "./answer";
export * from "./answerPlan";
export * from "./describeAnswer";
export { flowAnswer } from "./flowAnswer";
export { describePacket, packetLines, type PlainPacket } from "./packetText";
export * from "./repair";
export * from "./written";
export * from "./diff";
export * from "./explain";
