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
import type { Fault } from "../fault";
import { internalSubnetProperties, ROLL_OUT_SECONDS } from "../requirements/internalSubnets";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, isMap } from "../resources/read";
import { shownText } from "../objects/places";

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

/** What can be said of a roll-out that is waited for. */
const SETTINGS: readonly string[] = ["kubeconfig", "context", "timeoutSeconds"];

/**
 * What is wrong with the roll-out that a verification waits for.
 *
 * @param topology the verification's; null where none is given, undefined where it is wrong
 */
export function rollOutFaults(
  rollOut: PropertyValue | undefined,
  topology: NormalizedTopology | null | undefined,
): Fault[] {
  if (!isGiven(rollOut)) return [];
  const fault = (path: string, problem: string, remedy: string): Fault => ({ path, problem, remedy });
  if (!isMap(rollOut))
    return [fault("rollOut", "is no plain object", `write one with ${SETTINGS.join(", ")}, or leave it out`)];
  const isText = (value: PropertyValue) => value === UNKNOWN || (typeof value === "string" && value !== "");
  return [
    ...Object.keys(rollOut)
      .filter((key) => !SETTINGS.includes(key))
      .map((key) => fault(`rollOut.${key}`, "is not known", `write one of ${SETTINGS.join(", ")}`)),
    ...["kubeconfig", "context"]
      .filter((key) => isGiven(rollOut[key]) && !isText(rollOut[key]))
      .map((key) => fault(`rollOut.${key}`, "is no text", "write it as for the provider, or leave it out")),
    ...timeFaults(rollOut.timeoutSeconds),
    ...subnetFaults(topology),
  ];
}

function subnetFaults(topology: NormalizedTopology | null | undefined): Fault[] {
  if (topology === undefined) return [];
  const remedy = `write one of ${internalSubnetProperties.join(", ")} into it, or leave rollOut out`;
  if (topology === null)
    return [{ path: "topology", problem: "missing, and rollOut waits for its subnets", remedy }];
  const isSaid = (property: string) => topology.unknown.includes(property);
  if (Object.keys(rollOutSubnets(topology)).length > 0 || internalSubnetProperties.some(isSaid)) return [];
  return [{ path: "topology", problem: "says no internal subnet that rollOut could wait for", remedy }];
}

function timeFaults(value: PropertyValue | undefined): Fault[] {
  const { min, max } = ROLL_OUT_SECONDS;
  if (!isGiven(value)) return [];
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  const shown = value === UNKNOWN ? "an Output" : shownText(value);
  const remedy = `write whole seconds from ${min} to ${max}, as a plain value`;
  return [{ path: "rollOut.timeoutSeconds", problem: `${shown} is no time`, remedy }];
}
