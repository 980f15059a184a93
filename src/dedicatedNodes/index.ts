export * from "./fragments";
export * from "./judge";
export { sharingFaults, type Dedication } from "./nodes";
export { nodeTaints, tolerates } from "./taints";
