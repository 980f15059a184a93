import { parseAddress } from "../address/parse";

export const EGRESS_IP_API_VERSION = "k8s.ovn.org/v1";
export const EGRESS_IP_KIND = "EgressIP";

/** The label of nodes that may hold egress IP addresses. OVN-Kubernetes looks only at the key. */
export const EGRESS_ASSIGNABLE = { "k8s.ovn.org/egress-assignable": "" } as const;

/** An annotation that OVN-Kubernetes writes itself: the server refuses objects that bring it along. */
export const EGRESS_IP_MARK = "k8s.ovn.org/egressip-mark";

/** An address in its canonical form; what is none stays as it is. */
export const canonicalAddress = (text: string): string => parseAddress(text).address?.text ?? text;
