export * from "./additional";
export * from "./warnings";
export * from "./documentedFlows";
export * from "./egress";
export * from "./ingress";
export * from "./ingressProof";
export * from "./judge";
export * from "./networkPolicy";
