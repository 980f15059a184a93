import { podRule, switchedOff } from "./podRule";

/** A pod beside a hosted control plane in the network of its node. */
export const podHostNetwork = podRule({
  id: "pod-host-network",
  why: "No network policy judges a pod in its node's network, which reaches what the node reaches.",
  remediation: "Take hostNetwork out; a Service makes the pod's ports reachable.",
  ofPod: ["hostNetwork"],
  check: switchedOff("the pod uses the network of its node"),
});
