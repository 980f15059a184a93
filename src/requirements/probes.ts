import { OKD_NETWORKING, OCP_4_7_OVN, at } from "./documents";
import { PORT } from "./ports";

/** Where the documents say how pod-to-pod and pod-to-service traffic is verified. */
export const trafficSource = at(
  OKD_NETWORKING,
  "Configuring internal OVN IPv4 subnets for hosted clusters, Verification",
);

/**
 * The verification of the documents: two pods on two nodes that answer HTTP, a Service before both, and requests to each
 * of them with a time limit.
 */
export const PROBE = {
  /** Where the pods listen. */
  targetPort: 8080,
  /** Where the Service listens; the documents leave it to the reader. */
  servicePort: 80,
  /** Seconds in which a connection has to be there: `curl --connect-timeout 5`. */
  connectTimeoutSeconds: 5,
  /** Seconds for the whole: `oc rollout status --timeout=5m`. */
  timeoutSeconds: 300,
} as const;

/**
 * An image with Python that runs as any user, from Red Hat's registry that asks for no login and to which compute nodes
 * have a way already (registry.access.redhat.com is on the list of osd-network-verifier). It is there for amd64, arm64,
 * ppc64le and s390x, and names a user that is not root by number.
 */
export const PROBE_IMAGE = "registry.access.redhat.com/ubi9/python-312";

/** Where the documents say how multicast between the pods of a namespace is verified. */
export const multicastSource = at(OCP_4_7_OVN, "15.13.2. Enabling multicast between pods, Verification");

/** The verification of the documents: one pod joins a group, and another one sends to it. */
export const MULTICAST = {
  /**
   * The groups, by family. The documents have that of IPv4. That of IPv6 is the one of OVN-Kubernetes' own tests: it lets pods
   * use groups whose address has only the bit T.
   */
  groups: { IPv4: "224.1.0.1", IPv6: "ff3e::4321:1234" },
  /** Where the group's messages go. UDP. */
  port: PORT.multicastVerification,
  /** Routers that a message may pass: `ip-multicast-ttl=64`. */
  timeToLive: 64,
  /** Seconds between two messages. */
  everySeconds: 1,
  /** Seconds for which a message is waited for. OVN has heard of a new member of a group long before. */
  listenSeconds: 30,
} as const;
