import { podConstraints } from "../../requirements/podIsolation";
import { UNKNOWN } from "../../resources/resource";
import { podRule } from "./podRule";
import { Level } from "../../gate/rule";

const { allocatedBy: KEY = "" } = podConstraints.find(({ id }) => id === "pod-selinux")!;
const FIX = "leave seLinuxOptions out: OpenShift gives the pod the categories of its namespace";

/** A pod beside a hosted control plane with SELinux categories of its own choice. */
export const podSelinux = podRule({
  id: "pod-selinux",
  why: `SELinux categories keep the processes of hosted control planes apart on a node. A stated level is held against the namespace's annotation ${KEY}, where the stack has it.`,
  remediation: "Leave seLinuxOptions out.",
  level: Level.Warning,
  ofPod: ["securityContext.seLinuxOptions.level"],
  ofContainer: ["securityContext.seLinuxOptions.level"],
  check: ({ value }, { annotation }) => {
    if (typeof value !== "string") return { message: "is no text", fix: FIX };
    const own = annotation(KEY);
    if (own === undefined || own === UNKNOWN)
      return { message: "whether it is the level of the namespace", fix: FIX, isOpen: true };
    return value === own
      ? undefined
      : { message: `${value} is not ${own}, the level of the namespace`, fix: FIX };
  },
});
