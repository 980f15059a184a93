import { LIMIT } from "./limits";

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a text is a DNS label, as names of namespaces are. */
export const isLabelName = (text: string): boolean => text.length <= LIMIT.labelLength && LABEL.test(text);

/** Whether a text is a DNS subdomain, as names of most Kubernetes objects are: its parts may be long. */
export const isSubdomainName = (text: string): boolean =>
  text.length <= LIMIT.subdomainLength && text.split(".").every((part) => LABEL.test(part));

/** Whether a HostedCluster can have that name: the namespace of its control plane, which is made of it, is a label. */
export const isHostedClusterName = (text: string): boolean =>
  text.length <= LIMIT.labelLength && isSubdomainName(text);
