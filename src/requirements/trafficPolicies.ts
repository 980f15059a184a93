import { D4, OCP_4_10_OVN, OCP_RELEASE_NOTES, at } from "./documents";
import { since } from "./since";
import type { Since } from "./since";

const missingIn47 = at(D4, "15.1.3. OVN-Kubernetes limitations");

/** The first releases whose OVN-Kubernetes heeds the value `Local` of these fields of a Service. */
export const LOCAL_TRAFFIC_POLICY_SINCE = {
  externalTrafficPolicy: since(4, 10, missingIn47, at(OCP_4_10_OVN, "OVN-Kubernetes limitations")),
  internalTrafficPolicy: since(
    4,
    11,
    missingIn47,
    at(OCP_RELEASE_NOTES, "4.11, Internal traffic support for OVN-Kubernetes"),
  ),
} as const satisfies Record<string, Since>;
