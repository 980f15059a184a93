import { MULTICAST } from "../requirements/multicast";
import { EVICTABLE, podSpec, probeLabels, REQUIRED_SCC, type ProbeFrame } from "./frame";
import { probeJob } from "./objects";
import { RequestKind, type IpFamily, type ProbeRequest } from "./requests";
import { RECEIVER_SCRIPT, SENDER_SCRIPT } from "./multicastScripts";

/** The name of the pod that sends. */
export const senderName = (name: string): string => `${name}-sender`;

/** A pod that sends its name to the group of each family until somebody removes it. */
export function senderPod(frame: ProbeFrame, families: readonly IpFamily[], deadlineSeconds: number) {
  const groups = families.map((family) => [MULTICAST.groups[family], MULTICAST.port]);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: senderName(frame.name),
      namespace: frame.namespace,
      labels: probeLabels(frame, "server"),
      annotations: { ...REQUIRED_SCC, ...EVICTABLE },
    },
    spec: {
      ...podSpec(frame, {
        name: "sender",
        command: ["python3", "-c", SENDER_SCRIPT],
        env: [{ name: "MULTICAST_GROUPS", value: JSON.stringify(groups) }],
      }),
      activeDeadlineSeconds: deadlineSeconds,
    },
  };
}

/** The messages that the receiver waits for: one of each family. */
export const multicastRequests = (frame: ProbeFrame, families: readonly IpFamily[]): ProbeRequest[] =>
  families.map((family) => ({
    id: `multicast/${family}`,
    kind: RequestKind.Multicast,
    address: MULTICAST.groups[family],
    port: MULTICAST.port,
    answers: [senderName(frame.name)],
  }));

/** The Job whose pod joins the groups, on another node than the sender as far as there is one. Its result decides. */
export const receiverJob = (frame: ProbeFrame, requests: readonly ProbeRequest[], timeoutSeconds: number) =>
  probeJob(frame, {
    requests,
    timeoutSeconds,
    patience: { timeout: MULTICAST.listenSeconds, attempts: 1, pause: 0 },
    away: true,
    script: RECEIVER_SCRIPT,
  });
