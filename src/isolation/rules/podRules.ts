import { podRule, switchedOff, type PodFault } from "./podRule";
import { shownText } from "../../objects/places";
import { DROPPED_CAPABILITIES, podConstraints } from "../../requirements/podIsolation";
import { UNKNOWN } from "../../resources/resource";
import { Level } from "../../gate/rule";

/** Reports privileged containers in the namespace of a hosted control plane. */
export const podPrivileged = podRule({
  id: "pod-privileged",
  title: "Privileged container",
  why: "A privileged container has the rights of its node, and so those of every hosted control plane on it.",
  remediation: "Remove privileged, or run the container in another namespace.",
  ofContainer: ["securityContext.privileged"],
  check: switchedOff("the container is privileged"),
});

/** Reports pods in the namespace of a hosted control plane that use the network of their node. */
export const podHostNetwork = podRule({
  id: "pod-host-network",
  title: "Pod uses the network of its node",
  why: "Network policies do not apply to a pod on the network of its node, which reaches everything that the node reaches.",
  remediation: "Remove hostNetwork; a Service makes the pod's ports reachable.",
  ofPod: ["hostNetwork"],
  check: switchedOff("the pod uses the network of its node"),
});

/** Reports pods in the namespace of a hosted control plane that see the processes of their node. */
export const podHostPid = podRule({
  id: "pod-host-pid",
  title: "Pod sees the processes of its node",
  why: "A pod that sees the processes of its node can read their environment and files.",
  remediation: "Remove hostPID.",
  ofPod: ["hostPID"],
  check: switchedOff("the pod sees the processes of its node"),
});

/** Reports pods in the namespace of a hosted control plane that mount directories of their node. */
export const podHostPath = podRule({
  id: "pod-host-path",
  title: "Pod mounts a directory of its node",
  why: "A directory of the node contains data of other pods and of the kubelet.",
  remediation: "Mount a volume that belongs to the pod: emptyDir, a ConfigMap, a Secret or a claim.",
  ofPod: ["volumes[].hostPath"],
  check: () => ({
    message: "the pod mounts a directory of its node",
    fix: "mount a volume that belongs to the pod: emptyDir, a ConfigMap, a Secret or a claim",
  }),
});

/** Reports containers in the namespace of a hosted control plane that use a port of their node. */
export const podHostPort = podRule({
  id: "pod-host-port",
  title: "Container uses a port of its node",
  why: "Traffic to a port of the node bypasses the network policies of the namespace, and only one pod of a node can use the port.",
  remediation: "Remove hostPort; a Service makes the port reachable.",
  ofContainer: ["ports[].hostPort"],
  check: ({ value }) =>
    value === 0 || value === "0"
      ? undefined
      : {
          message: `the container uses port ${shownText(value)} of its node`,
          fix: "remove it; a Service makes the port reachable",
        },
});

const ALL = "ALL";
const dropped: readonly string[] = [ALL, ...DROPPED_CAPABILITIES];

/** Reports containers in the namespace of a hosted control plane that add a capability which must be dropped. */
export const podCapabilities = podRule({
  id: "pod-capabilities",
  title: "Container keeps capabilities that must be dropped",
  why: `The security context constraint drops ${DROPPED_CAPABILITIES.join(", ")} in every container that does not set capabilities. The rule judges the capabilities that a container adds.`,
  remediation: "Remove the capability from add.",
  ofContainer: ["securityContext.capabilities.add[]"],
  check: ({ value }) => {
    if (typeof value !== "string")
      return {
        message: "is not a string, and the API server refuses the pod",
        fix: "write the name of a capability",
      };
    // Container runtimes ignore case, and add the prefix if it is missing.
    const name = value.toUpperCase().replace(/^CAP_/, "");
    return dropped.includes(name)
      ? { message: `the container adds the capability ${name}`, fix: "remove it from add" }
      : undefined;
  },
});

const { allocatedBy: RANGE_KEY = "" } = podConstraints.find(({ id }) => id === "pod-user")!;
const LEAVE_USER_OUT = "leave runAsUser out: OpenShift assigns a user ID from the namespace's range";

/** Reports pods in the namespace of a hosted control plane that choose their own user ID. */
export const podUser = podRule({
  id: "pod-user",
  title: "Container user ID is outside the range of its namespace",
  why: `User IDs separate the files of hosted control planes on a node. The rule compares a stated user ID with the range in the namespace's annotation ${RANGE_KEY}, if the stack contains it. The user ID of the pod counts unless each container states its own.`,
  remediation: "Leave runAsUser out.",
  level: Level.Warning,
  ofPod: ["securityContext.runAsUser"],
  ofContainer: ["securityContext.runAsUser"],
  areDefaults: true,
  check: ({ value }, { annotation }) => {
    if (value === 0) return { message: "the processes run as root", fix: LEAVE_USER_OUT };
    const range = annotation(RANGE_KEY);
    return range === undefined || range === UNKNOWN || typeof value !== "number"
      ? openFault()
      : outside(value, range);
  },
});

const openFault = (): PodFault => ({
  message: "whether it is in the namespace's range of user IDs",
  fix: LEAVE_USER_OUT,
  isOpen: true,
});

/** Returns the fault of a user ID outside a range such as `1000680000/10000`: the first ID and the number of IDs. */
function outside(user: number, range: string): PodFault | undefined {
  const [, first, count] = /^(\d+)\/(\d+)$/.exec(range) ?? [];
  if (first === undefined || count === undefined) return openFault();
  const last = Number(first) + Number(count) - 1;
  if (user >= Number(first) && user <= last) return undefined;
  return {
    message: `${user} is outside the namespace's user IDs ${first} to ${last}`,
    fix: LEAVE_USER_OUT,
  };
}

const { allocatedBy: LEVEL_KEY = "" } = podConstraints.find(({ id }) => id === "pod-selinux")!;
const LEAVE_LEVEL_OUT = "leave seLinuxOptions out: OpenShift gives the pod the categories of its namespace";

/**
 * Reports pods in the namespace of a hosted control plane that choose their own SELinux categories. The security context constraint
 * also refuses a level of the pod that each container replaces (apiserver-library-go, sccmatching/provider.go).
 */
export const podSelinux = podRule({
  id: "pod-selinux",
  title: "SELinux level is not that of the namespace",
  why: `SELinux categories separate the processes of hosted control planes on a node. The rule compares a stated level with the namespace's annotation ${LEVEL_KEY}, if the stack contains it.`,
  remediation: "Leave seLinuxOptions out.",
  level: Level.Warning,
  ofPod: ["securityContext.seLinuxOptions.level"],
  ofContainer: ["securityContext.seLinuxOptions.level"],
  check: ({ value }, { annotation }) => {
    if (typeof value !== "string") return { message: "is not a string", fix: LEAVE_LEVEL_OUT };
    const own = annotation(LEVEL_KEY);
    if (own === undefined || own === UNKNOWN)
      return { message: "whether it is the level of the namespace", fix: LEAVE_LEVEL_OUT, isOpen: true };
    return isSameLevel(value, own)
      ? undefined
      : { message: `${value} is not ${own}, the level of the namespace`, fix: LEAVE_LEVEL_OUT };
  },
});

/** Compares levels, ignoring the order of categories. OpenShift does not expand ranges (apiserver-library-go, selinux/mustrunas.go). */
const isSameLevel = (one: string, other: string): boolean => inOrder(one) === inOrder(other);

/** Returns a level such as `s0:c24,c14` with its categories sorted. */
function inOrder(level: string): string {
  const [, sensitivity = level, categories] = /^([^:]*):(.*)$/s.exec(level) ?? [];
  return categories === undefined ? level : `${sensitivity}:${categories.split(",").sort().join(",")}`;
}
