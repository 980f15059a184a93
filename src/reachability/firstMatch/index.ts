export { minimised } from "./minimise";
export type { OrderedRule } from "./rules";
export { Surplus, surplusOf } from "./surplus";
