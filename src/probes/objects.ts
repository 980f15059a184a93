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

/** How an address is asked. */
export enum RequestKind {
  /** A GET, which one of the names that are expected satisfies, with status 200. */
  Http = "http",
  /** A connection, which is closed again. */
  Tcp = "tcp",
  /** A question to a name server. Without an address those of the pod's own /etc/resolv.conf are asked. */
  Dns = "dns",
  /** A message to a group of multicast, which is waited for. */
  Multicast = "multicast",
}

/** A request that a probe makes. */
export interface ProbeRequest {
  /** Stable, and unique among the requests of a probe: `pod-to-pod/IPv4`. */
  id: string;
  kind: RequestKind;
  /** IP address or host name; of a message the group. */
  address?: string;
  port: number;
  /** Names of the pods that may answer a GET, or send a message, each of which does so with its own. */
  answers?: readonly string[];
  /** Of a connection: where else it may end. Any one suffices. */
  others?: readonly { address: string; port: number }[];
  /** Of a question to a name server. */
  protocol?: "TCP" | "UDP";
  /** The name that a name server is asked for. */
  name?: string;
  /** What is found where there is no address. */
  absent?: string;
}

/** Where a connection ends, as people write it: `[fd00::1]:53`. */
export const socketText = ({ address, port }: { address: string; port: number }): string =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;

/** How long and how often a probe tries. */
export interface Patience {
  /** Seconds in which an answer has to be there. */
  timeout: number;
  /** How often each request is made until it is answered: rules for a new Service take a moment to reach every node. */
  attempts: number;
  /** Seconds between two attempts. */
  pause: number;
}

export const PATIENCE: Patience = { timeout: PROBE.connectTimeoutSeconds, attempts: 5, pause: 2 };

/** Requests as the client reads them from its environment. */
export const requestsText = (requests: readonly ProbeRequest[], patience: Patience): string =>
  JSON.stringify(requests.map((request) => ({ ...request, ...patience })));

/** What a request found. */
export interface ProbeResult {
  id: string;
  answered: boolean;
  /** In words: `no answer within 5 seconds`. */
  found: string;
}

/** What the client wrote into its termination message; undefined where that is something else. */
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

/** What has addresses: a pod or a Service. */
export interface ProbeTarget {
  /** What it is called in the id of its requests: `pod-to-pod/one`. */
  id: string;
  addresses: readonly string[];
  port: number;
  /** Names of the pods that answer there. */
  answers: readonly string[];
}

const familyOf = (address: string): IpFamily => (address.includes(":") ? IpFamily.IPv6 : IpFamily.IPv4);

/**
 * A request to each target by each family.
 *
 * @param families those that every target has to have. Absent: each is asked by those that it has, and it has to have one
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
