export {
  CALL_LOG_VARIABLE,
  INTERRUPT_VARIABLE,
  type Interruption,
  type LoggedCall,
  readCalls,
} from "./callLog";
export { compareProps, type Comparison, foreseen, join } from "./difference";
export { describe, UnfinishedError } from "./errors";
export * from "./kind";
export { serveConnections, serveProvider } from "./serve";
export { equal, hasUnknown, isMap, isUnknown, type Props, Secret, UNKNOWN_VALUE, type Value } from "./values";
