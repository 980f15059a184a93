import { PROBE } from "../requirements/probes";
import {
  EVICTABLE,
  REQUIRED_SCC,
  apart,
  awayFrom,
  podSpec,
  probeLabels,
  spread,
  type ProbeFrame,
} from "./frame";
import { PATIENCE, requestsText, type Patience, type ProbeRequest } from "./requests";
import { CLIENT_SCRIPT, SERVER_SCRIPT } from "./scripts";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import type { NormalizedTopology } from "../topology/normalizedTopology";

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
  /** Whether it asks from another node than the pods that answer, as far as there is one. */
  away?: boolean;
  /** What its pods run, in Python. Defaults to the script that makes requests. */
  script?: string;
}

/**
 * The Job whose result decides: it fails with the first pod of it that fails, unless the node went away under that pod. That
 * would cut off the other ones where it has several, so that those end well and report.
 */
export function probeJob(frame: ProbeFrame, question: ProbeQuestion) {
  const { name, namespace } = frame;
  const { requests, timeoutSeconds, patience = PATIENCE, asNode = false, pods = 1 } = question;
  const { away = false, script = CLIENT_SCRIPT } = question;
  const { metadata, spec } = {
    metadata: { labels: probeLabels(frame, "client"), annotations: REQUIRED_SCC },
    spec: podSpec(frame, {
      name: "client",
      command: ["python3", "-c", script],
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
          ...(away && { affinity: awayFrom(frame, "server") }),
          ...(pods > 1 && { topologySpreadConstraints: [spread(frame, "client")] }),
        },
      },
    },
  };
}

/** The subnets of a topology whose roll-out can be waited for, by the property that says them. */
export const rollOutSubnets = (topology: NormalizedTopology): Record<string, string> =>
  Object.fromEntries(
    internalSubnetProperties.flatMap((property) => {
      const prefix = topology[property];
      return prefix ? [[property, prefix.text]] : [];
    }),
  );
