export { minimised } from "./minimise";
export type { OrderedRule } from "./minimise";
export { Surplus, surplusOf } from "./surplus";
