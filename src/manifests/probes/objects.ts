import { PROBE } from "../../requirements/probes";
import { PATIENCE, requestsText, type Patience, type ProbeRequest } from "./requests";
import { CLIENT_SCRIPT, SERVER_SCRIPT } from "./scripts";

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
type ProbeRole = "server" | "client";

/** The labels of a probe's objects; with a role those of its pods. */
export const probeLabels = (
  { name, manager }: Pick<ProbeFrame, "name" | "manager">,
  role?: ProbeRole,
): Record<string, string> => ({
  [PROBE_LABELS.managedBy]: manager,
  [PROBE_LABELS.probe]: name,
  ...(role && { [PROBE_LABELS.role]: role }),
});

/** The names of the two pods that answer. */
export const serverNames = (name: string) => [`${name}-one`, `${name}-two`] as const;

/** A pod that answers, on another node than the other one. */
export function serverPod(frame: ProbeFrame, name: string, deadlineSeconds?: number) {
  const { targetPort } = PROBE;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: frame.namespace,
      labels: probeLabels(frame, "server"),
      annotations: { ...REQUIRED_SCC, ...EVICTABLE },
    },
    spec: {
      ...podSpec(frame, {
        name: "server",
        command: ["python3", "-c", SERVER_SCRIPT],
        ports: [{ name: "http", containerPort: targetPort, protocol: "TCP" }],
        readinessProbe: { httpGet: { path: "/", port: targetPort }, periodSeconds: 2 },
      }),
      ...(deadlineSeconds !== undefined && { activeDeadlineSeconds: deadlineSeconds }),
      affinity: apart(frame, "server"),
    },
  };
}

/** The Service before both pods, with addresses of each family that the cluster has. */
export function probeService(frame: Pick<ProbeFrame, "name" | "namespace" | "manager">) {
  const { name, namespace } = frame;
  const { servicePort, targetPort } = PROBE;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels: probeLabels(frame) },
    spec: {
      type: "ClusterIP",
      internalTrafficPolicy: "Cluster",
      ipFamilyPolicy: "PreferDualStack",
      selector: probeLabels(frame, "server"),
      ports: [{ name: "http", protocol: "TCP", port: servicePort, targetPort }],
    },
  };
}

/** What a Job asks, and how long it may take. */
export interface ProbeQuestion {
  requests: readonly ProbeRequest[];
  /** Seconds for all of it. */
  timeoutSeconds: number;
  patience?: Patience;
  /** From how many pods, each on a node of its own as far as there are so many. One pod decides; several only report. */
  pods?: number;
  /** Whether its pods ask the name servers of their nodes in place of those of the cluster. */
  asNode?: boolean;
}

/**
 * The Job whose result decides: it fails with the first pod of it that fails, unless the node went away under that pod. That
 * would cut off the other ones where it has several, so that those end well and report.
 */
export function probeJob(frame: ProbeFrame, question: ProbeQuestion) {
  const { name, namespace } = frame;
  const { requests, timeoutSeconds, patience = PATIENCE, asNode = false, pods = 1 } = question;
  const { metadata, spec } = {
    metadata: { labels: probeLabels(frame, "client"), annotations: REQUIRED_SCC },
    spec: podSpec(frame, {
      name: "client",
      command: ["python3", "-c", CLIENT_SCRIPT],
      env: [
        { name: "REQUESTS", value: requestsText(requests, patience) },
        ...(pods > 1 ? [{ name: "DECIDES", value: "no" }] : []),
      ],
      // A script that ends before it can write leaves its last words.
      terminationMessagePolicy: "FallbackToLogsOnError",
    }),
  };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace, labels: probeLabels(frame) },
    spec: {
      ...(pods > 1 && { completions: pods, parallelism: pods }),
      backoffLimit: 0,
      activeDeadlineSeconds: timeoutSeconds,
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
      template: {
        metadata,
        spec: {
          ...spec,
          restartPolicy: "Never",
          ...(asNode && { dnsPolicy: "Default" }),
          ...(pods > 1 && { topologySpreadConstraints: [spread(frame, "client")] }),
        },
      },
    },
  };
}

/**
 * Administrators may use every security context constraint of OpenShift, and would get the first by priority, which gives
 * no user to a pod of an image that names root: this one gives a user of the namespace's range to pods of every image.
 */
const REQUIRED_SCC = { "openshift.io/required-scc": "restricted-v2" };

/** A pod without a controller keeps its node from the cluster autoscaler's scale-down otherwise, as long as the pod is there. */
const EVICTABLE = { "cluster-autoscaler.kubernetes.io/safe-to-evict": "true" };

/** A pod that the Pod Security Standard `restricted` lets pass, and quotas that demand requests and limits. */
function podSpec<Container extends { name: string }>(
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
const apart = (frame: ProbeFrame, role: ProbeRole) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: probeLabels(frame, role) }, topologyKey: "kubernetes.io/hostname" },
    ],
  },
});

/** On as many nodes as there are. */
const spread = (frame: ProbeFrame, role: ProbeRole) => ({
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: "ScheduleAnyway",
  labelSelector: { matchLabels: probeLabels(frame, role) },
});
