import { OCP_NETWORKING, HYPERSHIFT, at } from "./documents";
import type { DocumentReference } from "./documents";

const chapter = at(OCP_NETWORKING, "14.1.1.1. Control plane pod isolation");

/** A requirement of the restricted security context constraint for each pod of a hosted control plane. */
export interface PodConstraint {
  /** Stable name. */
  id: string;
  /** The requirement, as a sentence. */
  demand: string;
  /** The fields of a pod that decide, in every container if they are fields of a container. */
  fields: readonly string[];
  /** The annotation of the namespace with the allowed values, if OpenShift allocates them. */
  allocatedBy?: string;
  documents: readonly DocumentReference[];
}

/** Linux capabilities that containers of a hosted control plane drop. */
export const DROPPED_CAPABILITIES = ["KILL", "MKNOD", "SETUID", "SETGID"] as const;

const constraints: readonly Omit<PodConstraint, "documents">[] = [
  {
    id: "pod-privileged",
    demand: "No container is privileged",
    fields: ["securityContext.privileged"],
  },
  {
    id: "pod-host-path",
    demand: "No pod mounts directories of its node",
    fields: ["spec.volumes[].hostPath"],
  },
  {
    id: "pod-host-network",
    demand: "No pod uses the network of its node",
    fields: ["spec.hostNetwork"],
  },
  {
    id: "pod-host-port",
    demand: "No container takes a port of its node",
    fields: ["ports[].hostPort"],
  },
  {
    id: "pod-host-pid",
    demand: "No pod sees the processes of its node",
    fields: ["spec.hostPID"],
  },
  {
    id: "pod-user",
    demand: "Processes run under a user id out of the namespace's range",
    fields: ["spec.securityContext.runAsUser", "securityContext.runAsUser"],
    allocatedBy: "openshift.io/sa.scc.uid-range",
  },
  {
    id: "pod-selinux",
    demand: "Processes carry the SELinux categories (MCS label) of the namespace",
    fields: ["spec.securityContext.seLinuxOptions.level", "securityContext.seLinuxOptions.level"],
    allocatedBy: "openshift.io/sa.scc.mcs",
  },
  {
    id: "pod-capabilities",
    demand: `Containers drop the capabilities ${DROPPED_CAPABILITIES.join(", ")}`,
    fields: ["securityContext.capabilities.drop"],
  },
];

/** Every requirement for pods of a hosted control plane. */
export const podConstraints: readonly PodConstraint[] = constraints.map((constraint) => ({
  ...constraint,
  documents: [chapter],
}));

/** The SELinux context of a process or file on nodes of the management cluster. */
export interface SelinuxContext {
  /** The owner of the context. */
  subject: string;
  context: string;
}

/** Contexts that isolate control-plane pods from kubelet and CRI-O. Pods have their own categories, like the last context. */
export const selinuxContexts: readonly SelinuxContext[] = [
  { subject: "kubelet", context: "system_u:system_r:unconfined_service_t:s0" },
  { subject: "crio", context: "system_u:system_r:container_runtime_t:s0" },
  { subject: "crio.sock", context: "system_u:object_r:container_var_run_t:s0" },
  { subject: "processes of a container, for example", context: "system_u:system_r:container_t:s0:c14,c24" },
];

/** What Kubernetes admits in a namespace, by its Pod Security Standards. */
export const PodSecurityLevel = {
  /** Hardened pods: the default for hosted control planes. */
  Restricted: "restricted",
  /** Pods without known privilege escalations. */
  Baseline: "baseline",
  /** Every pod. */
  Privileged: "privileged",
} as const;
export type PodSecurityLevel = (typeof PodSecurityLevel)[keyof typeof PodSecurityLevel];

/** How HyperShift labels the namespace of a hosted control plane, at every reconcile. */
export const podSecurity = {
  /** Labels with the level as their value. */
  levelLabels: [
    "pod-security.kubernetes.io/enforce",
    "pod-security.kubernetes.io/audit",
    "pod-security.kubernetes.io/warn",
  ],
  /** Labels in addition to the level: they prevent OpenShift from deriving its own level. */
  fixedLabels: { "security.openshift.io/scc.podSecurityLabelSync": "false" },
  /** The annotation of a HostedCluster that changes the level. Its value is copied to the labels as it is: in lowercase. */
  overrideAnnotation: "hypershift.openshift.io/pod-security-admission-label-override",
  defaultLevel: PodSecurityLevel.Restricted,
  note: "Control planes whose control-plane-operator does not declare its pods restricted get privileged instead.",
  documents: [at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go")],
} as const;

/** The annotation of a HostedCluster that requests a level. */
export const podSecurityOverride = (level: PodSecurityLevel): Record<string, string> => ({
  [podSecurity.overrideAnnotation]: level,
});

/** The labels that HyperShift keeps on the namespace of a hosted control plane. */
export function podSecurityLabels(level: PodSecurityLevel): Record<string, string> {
  return {
    ...Object.fromEntries(podSecurity.levelLabels.map((label) => [label, level])),
    ...podSecurity.fixedLabels,
  };
}
