import { D0, at } from "./documents";

/** Where the documents say how pod-to-pod and pod-to-service traffic is verified. */
export const trafficSource = at(
  D0,
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
