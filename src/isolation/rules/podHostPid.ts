import { podRule, switchedOff } from "./podRule";

/** A pod beside a hosted control plane that sees the processes of its node. */
export const podHostPid = podRule({
  id: "pod-host-pid",
  why: "Processes show their environment and files to who sees them.",
  remediation: "Take hostPID out.",
  ofPod: ["hostPID"],
  check: switchedOff("the pod sees the processes of its node"),
});
