export { LabelSelectorOperator } from "../../resources/labelSelector";
export * from "./faults";
export * from "./labelSelector";
export * from "./relation";
