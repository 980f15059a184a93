export { gated } from "../gated";
