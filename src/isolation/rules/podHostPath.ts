import { podRule } from "./podRule";

/** A pod beside a hosted control plane that mounts directories of its node. */
export const podHostPath = podRule({
  id: "pod-host-path",
  why: "A directory of the node holds what other pods and the kubelet keep there.",
  remediation: "Mount a volume that belongs to the pod: emptyDir, a ConfigMap, a Secret or a claim.",
  ofPod: ["volumes[].hostPath"],
  check: () => ({
    message: "the pod mounts a directory of its node",
    fix: "mount a volume that belongs to the pod: emptyDir, a ConfigMap, a Secret or a claim",
  }),
});
