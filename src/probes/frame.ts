import { createHash } from "node:crypto";

/** By these labels the objects of probes are found, those of a run that was interrupted too. */
export const PROBE_LABELS = {
  managedBy: "app.kubernetes.io/managed-by",
  /** Which probe it is of. */
  probe: "hypershift-network/probe",
  /** Whether a pod asks or is asked. */
  role: "hypershift-network/probe-role",
} as const;

/** Who made a probe: what a program keeps in its stack is not the command's to remove. */
export enum ProbeManager {
  Component = "pulumi",
  Command = "hypershift-network-verify",
}

/** What the pods of a probe have in common. */
export interface ProbeFrame {
  /** Name of the Service, of the Job and of what belongs to them. */
  name: string;
  namespace: string;
  manager: ProbeManager;
  image: string;
  /** Name of a Secret with the credentials of the image's registry. */
  imagePullSecret?: string | undefined;
  /** Labels of the nodes on which the pods may run. */
  nodeSelector?: Readonly<Record<string, string>> | undefined;
}

/** Beside what a program asks, and what answers. */
export type ProbeRole = "server" | "client";

/** The labels of a probe's objects; with a role those of its pods. */
export const probeLabels = (
  { name, manager }: Pick<ProbeFrame, "name" | "manager">,
  role?: ProbeRole,
): Record<string, string> => ({
  [PROBE_LABELS.managedBy]: manager,
  [PROBE_LABELS.probe]: name,
  ...(role && { [PROBE_LABELS.role]: role }),
});

/**
 * Administrators may use every security context constraint of OpenShift, and would get the first by priority, which gives
 * no user to a pod of an image that names root: this one gives a user of the namespace's range to pods of every image.
 */
export const REQUIRED_SCC = { "openshift.io/required-scc": "restricted-v2" };

/** A pod without a controller keeps its node from the cluster autoscaler's scale-down otherwise, as long as the pod is there. */
export const EVICTABLE = { "cluster-autoscaler.kubernetes.io/safe-to-evict": "true" };

/** A pod that the Pod Security Standard `restricted` lets pass, and quotas that demand requests and limits. */
export function podSpec<Container extends { name: string }>(
  { image, imagePullSecret, nodeSelector }: ProbeFrame,
  container: Container,
) {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // Python as the first process of a container does not end by itself.
    terminationGracePeriodSeconds: 1,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    ...(imagePullSecret !== undefined && { imagePullSecrets: [{ name: imagePullSecret }] }),
    ...(nodeSelector && { nodeSelector: { ...nodeSelector } }),
    containers: [
      {
        image,
        ...container,
        resources: {
          requests: { cpu: "10m", memory: "32Mi" },
          limits: { cpu: "500m", memory: "128Mi" },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
  };
}

/** No two pods of the role on one node. */
export const apart = (frame: ProbeFrame, role: ProbeRole) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: probeLabels(frame, role) }, topologyKey: "kubernetes.io/hostname" },
    ],
  },
});

/** On as many nodes as there are. */
export const spread = (frame: ProbeFrame, role: ProbeRole) => ({
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: "ScheduleAnyway",
  labelSelector: { matchLabels: probeLabels(frame, role) },
});

/** On another node than the pods of the role, as far as there is one. */
export const awayFrom = (frame: ProbeFrame, role: ProbeRole) => ({
  podAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 100,
        podAffinityTerm: {
          labelSelector: { matchLabels: probeLabels(frame, role) },
          topologyKey: "kubernetes.io/hostname",
        },
      },
    ],
  },
});

/** Characters of the digest in a name. */
const DIGEST_LENGTH = 8;

/** Characters that names of probes leave for what Kubernetes and we append: a pod of a Job is `<name>-<5 letters>`. */
export const PROBE_NAME_LENGTH = 63 - "-".length - DIGEST_LENGTH - "-xxxxx".length;

/** A name that is another one for other inputs, so that what has changed is asked anew beside the old answer. */
export function probeName(base: string, inputs: unknown): string {
  const digest = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
  return `${base}-${digest.slice(0, DIGEST_LENGTH)}`;
}
