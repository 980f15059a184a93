import { podRule, switchedOff } from "./podRule";

/** A privileged container beside a hosted control plane. */
export const podPrivileged = podRule({
  id: "pod-privileged",
  why: "A privileged container has the rights of its node, and with them those of every hosted control plane on it.",
  remediation: "Take privileged out, or run the container in another namespace.",
  ofContainer: ["securityContext.privileged"],
  check: switchedOff("the container is privileged"),
});
