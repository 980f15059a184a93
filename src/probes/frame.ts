import { createHash } from "node:crypto";

/** Labels by which the objects of probes are found, including those of interrupted runs. */
export const PROBE_LABELS = {
  managedBy: "app.kubernetes.io/managed-by",
  /** The probe that an object belongs to. */
  probe: "hypershift-network/probe",
  /** Whether a pod sends requests or answers them. */
  role: "hypershift-network/probe-role",
} as const;

/** The creator of a probe: the command must not remove what a program keeps in its stack. */
export enum ProbeManager {
  Component = "pulumi",
  Command = "hypershift-network-verify",
}

/** The common settings of a probe's pods. */
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

/** Whether a pod answers requests or sends them. */
export type ProbeRole = "server" | "client";

/** The labels of a probe's objects; with a role, of its pods. */
export const probeLabels = (
  { name, manager }: Pick<ProbeFrame, "name" | "manager">,
  role?: ProbeRole,
): Record<string, string> => ({
  [PROBE_LABELS.managedBy]: manager,
  [PROBE_LABELS.probe]: name,
  ...(role && { [PROBE_LABELS.role]: role }),
});

/**
 * Administrators may use every security context constraint of OpenShift and would get the one with the highest priority, which
 * assigns no user to a pod whose image names root. This one assigns a user of the namespace's range to pods of every image.
 */
export const REQUIRED_SCC = { "openshift.io/required-scc": "restricted-v2" };

/** Without it, a pod without a controller prevents the cluster autoscaler from removing its node, as long as the pod exists. */
export const EVICTABLE = { "cluster-autoscaler.kubernetes.io/safe-to-evict": "true" };

/** A pod that complies with the Pod Security Standard `restricted`, and with quotas that require requests and limits. */
export function podSpec<Container extends { name: string }>(
  { image, imagePullSecret, nodeSelector }: ProbeFrame,
  container: Container,
) {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // Python as the first process of a container does not stop by itself.
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

/** The pods of the role that are on the same node. */
const onNode = (frame: ProbeFrame, role: ProbeRole) => ({
  labelSelector: { matchLabels: probeLabels(frame, role) },
  topologyKey: "kubernetes.io/hostname",
});

/** Keeps pods of the role on different nodes. */
export const apart = (frame: ProbeFrame, role: ProbeRole) => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [onNode(frame, role)] },
});

/** Spreads pods of the role over as many nodes as there are. */
export const spread = (frame: ProbeFrame, role: ProbeRole) => ({
  maxSkew: 1,
  whenUnsatisfiable: "ScheduleAnyway",
  ...onNode(frame, role),
});

/** Keeps a pod on another node than the pods of the role, if there is one. */
export const awayFrom = (frame: ProbeFrame, role: ProbeRole) => ({
  podAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: onNode(frame, role) }],
  },
});

/** The number of characters of the digest in a name. */
const DIGEST_LENGTH = 8;

/** The greatest length of a probe's name, less what Kubernetes and this package append: a pod of a Job is `<name>-<5 letters>`. */
export const PROBE_NAME_LENGTH = 63 - "-".length - DIGEST_LENGTH - "-xxxxx".length;

/** A name that differs for other inputs, so that a changed probe runs again, next to the old answer. */
export function probeName(base: string, inputs: unknown): string {
  const digest = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
  return `${base}-${digest.slice(0, DIGEST_LENGTH)}`;
}
