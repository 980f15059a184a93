import { OKD_NETWORKING, OCP_4_7_OVN, at } from "./documents";
import { PORT } from "./ports";

/** The document on verifying pod-to-pod and pod-to-service traffic. */
export const trafficSource = at(
  OKD_NETWORKING,
  "Configuring internal OVN IPv4 subnets for hosted clusters, Verification",
);

/**
 * The verification of the documents: two pods on two nodes that answer HTTP, a Service in front of
 * both, and requests to each of them with a time limit.
 */
export const PROBE = {
  /** The port of the pods. */
  targetPort: 8080,
  /** The port of the Service; the documents do not state one. */
  servicePort: 80,
  /** Seconds within which a connection must be established: `curl --connect-timeout 5`. */
  connectTimeoutSeconds: 5,
  /** Seconds for the whole verification: `oc rollout status --timeout=5m`. */
  timeoutSeconds: 300,
} as const;

/**
 * An image with Python that runs as any user, from Red Hat's registry that requires no login and that
 * compute nodes can already reach (registry.access.redhat.com is on the list of osd-network-verifier).
 * It exists for amd64, arm64, ppc64le and s390x, and specifies a non-root user by number.
 */
export const PROBE_IMAGE = "registry.access.redhat.com/ubi9/python-312";

/** The document on verifying multicast between the pods of a namespace. */
export const multicastSource = at(OCP_4_7_OVN, "15.13.2. Enabling multicast between pods, Verification");

/** The verification of the documents: one pod joins a group, and another pod sends to it. */
export const MULTICAST = {
  /**
   * The groups, by family. The IPv4 group is from the documents. The IPv6 group is from OVN-Kubernetes'
   * own tests: it lets pods use groups whose address has only the bit T.
   */
  groups: { IPv4: "224.1.0.1", IPv6: "ff3e::4321:1234" },
  /** The UDP port of the group's messages. */
  port: PORT.multicastVerification,
  /** Routers that a message may pass: `ip-multicast-ttl=64`. */
  timeToLive: 64,
  /** Seconds between two messages. */
  everySeconds: 1,
  /** Seconds to wait for a message. OVN learns of a new member of a group much sooner. */
  listenSeconds: 30,
} as const;
