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
import { CLIENT_SCRIPT, SERVER_SCRIPT } from "./scripts";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import type { NormalizedTopology } from "../topology/normalizedTopology";

/** The kind of a request. */
export enum RequestKind {
  /** A GET, satisfied by status 200 and one of the expected names. */
  Http = "http",
  /** A connection, which is closed again. */
  Tcp = "tcp",
  /** A query to a name server. Without an address, the servers in the pod's own /etc/resolv.conf are queried. */
  Dns = "dns",
  /** A message to a multicast group, which the probe waits for. */
  Multicast = "multicast",
}

/** A request of a probe. */
export interface ProbeRequest {
  /** Stable, and unique among the requests of a probe: `pod-to-pod/IPv4`. */
  id: string;
  kind: RequestKind;
  /** IP address or host name; for a message, the group. */
  address?: string;
  port: number;
  /** Names of the pods that may answer a GET or send a message; each pod uses its own name. */
  answers?: readonly string[];
  /** For a connection: alternative destinations. Any one suffices. */
  others?: readonly { address: string; port: number }[];
  /** For a query to a name server. */
  protocol?: "TCP" | "UDP";
  /** The name to resolve. */
  name?: string;
  /** The finding if there is no address. */
  absent?: string;
}

/** The destination of a connection in the usual form: `[fd00::1]:53`. */
export const socketText = ({ address, port }: { address: string; port: number }): string =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;

/** How long and how often a probe tries a request. */
export interface Patience {
  /** Seconds within which an answer must arrive. */
  timeout: number;
  /** Attempts for each request until it is answered: rules for a new Service take a moment to reach every node. */
  attempts: number;
  /** Seconds between two attempts. */
  pause: number;
}

export const PATIENCE: Patience = { timeout: PROBE.connectTimeoutSeconds, attempts: 5, pause: 2 };

/** The requests in the form that the client reads from its environment. */
export const requestsText = (requests: readonly ProbeRequest[], patience: Patience): string =>
  JSON.stringify(requests.map((request) => ({ ...request, ...patience })));

/** The result of a request. */
export interface ProbeResult {
  id: string;
  answered: boolean;
  /** As text: `no answer within 5 seconds`. */
  found: string;
}

/** Reads the results from the client's termination message; undefined if it contains something else. */
export function readResults(message: string): ProbeResult[] | undefined {
  try {
    const results = JSON.parse(message) as [string, boolean, string][];
    return results.map(([id, answered, found]) => ({ id, answered, found }));
  } catch {
    return undefined;
  }
}

/** An address family, as Kubernetes writes it. */
export const IpFamily = {
  /** Internet Protocol version 4. */
  IPv4: "IPv4",
  /** Internet Protocol version 6. */
  IPv6: "IPv6",
} as const;
export type IpFamily = (typeof IpFamily)[keyof typeof IpFamily];

/** A pod or a Service with its addresses. */
export interface ProbeTarget {
  /** Its name in the id of its requests: `pod-to-pod/one`. */
  id: string;
  addresses: readonly string[];
  port: number;
  /** Names of the pods that answer at these addresses. */
  answers: readonly string[];
}

const familyOf = (address: string): IpFamily => (address.includes(":") ? IpFamily.IPv6 : IpFamily.IPv4);

/**
 * Requests to each target by each family.
 *
 * @param families those that every target must have. Defaults to the families that each target has, which must be at least one
 */
export function trafficRequests(
  targets: readonly ProbeTarget[],
  families?: readonly IpFamily[],
): ProbeRequest[] {
  return targets.flatMap(({ id, addresses, port, answers }) => {
    const own = [...new Set(addresses.map(familyOf))];
    const asked = families ?? (own.length > 0 ? own : [IpFamily.IPv4]);
    return asked.map((family): ProbeRequest => {
      const address = addresses.find((one) => familyOf(one) === family);
      return {
        id: `${id}/${family}`,
        kind: RequestKind.Http,
        port,
        answers,
        ...(address === undefined ? { absent: `no ${family} address` } : { address }),
      };
    });
  });
}

/** The names of the two answering pods. */
export const serverNames = (name: string) => [`${name}-one`, `${name}-two`] as const;

/** What is around the spec of a pod that answers or sends messages. */
export const podHead = (frame: ProbeFrame, name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name,
    namespace: frame.namespace,
    labels: probeLabels(frame, "server"),
    annotations: { ...REQUIRED_SCC, ...EVICTABLE },
  },
});

/** An answering pod, on another node than the other one. */
export function serverPod(frame: ProbeFrame, name: string, deadlineSeconds?: number) {
  const { targetPort } = PROBE;
  return {
    ...podHead(frame, name),
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

/** The Service in front of both pods, with addresses of each family that the cluster has. */
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

/** The requests of a Job, and their limits. */
export interface ProbeQuestion {
  requests: readonly ProbeRequest[];
  /** Seconds for all requests. */
  timeoutSeconds: number;
  patience?: Patience;
  /** The number of pods, on different nodes if possible. A single pod decides; several pods only report. */
  pods?: number;
  /** Whether its pods query the name servers of their nodes instead of those of the cluster. */
  asNode?: boolean;
  /** Whether it runs on another node than the answering pods, if possible. */
  away?: boolean;
  /** The Python script of its pods. Defaults to the script that makes requests. */
  script?: string;
}

/**
 * The Job whose result decides: it fails with its first failing pod, unless the pod's node went away.
 * That failure would stop the other pods, so if there are several, they end successfully and report.
 */
export function probeJob(frame: ProbeFrame, question: ProbeQuestion) {
  const { name, namespace } = frame;
  const { requests, timeoutSeconds, patience = PATIENCE, asNode = false, pods = 1 } = question;
  const { away = false, script = CLIENT_SCRIPT } = question;
  const spec = podSpec(frame, {
    name: "client",
    command: ["python3", "-c", script],
    env: [
      { name: "REQUESTS", value: requestsText(requests, patience) },
      ...(pods > 1 ? [{ name: "DECIDES", value: "no" }] : []),
    ],
    // If a script ends before it can write, its last log lines remain.
    terminationMessagePolicy: "FallbackToLogsOnError",
  });
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
        metadata: { labels: probeLabels(frame, "client"), annotations: REQUIRED_SCC },
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

/** The subnets of a topology whose roll-out a verification can wait for, by the property that sets them. */
export const rollOutSubnets = (topology: NormalizedTopology): Record<string, string> =>
  Object.fromEntries(
    internalSubnetProperties.flatMap((property) => {
      const prefix = topology[property];
      return prefix ? [[property, prefix.text]] : [];
    }),
  );
