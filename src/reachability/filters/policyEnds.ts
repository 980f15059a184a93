import type { PropertyValue } from "../../resources/resource";
import { every, selected, type KnownLabels, type Maybe } from "../../resources/labelSelector";

/** A port of a container that has a name. */
export interface NamedPort {
  name: string;
  /** `TCP` where the container does not say. */
  protocol: string;
  port: number;
}

/** A pod as policies see it. Its addresses are those of the packets. */
export interface PodEnd {
  kind: "pod";
  /** Name of its namespace. */
  namespace: string;
  namespaceLabels: KnownLabels;
  labels: KnownLabels;
  /** Ports of its containers with names. Absent: unknown. */
  ports?: readonly NamedPort[];
}

/** Something outside the cluster, or a node: policies see only its addresses, which are those of the packets. */
export interface AddressEnd {
  kind: "addresses";
}

/** One end of packets. */
export type PolicyEnd = PodEnd | AddressEnd;

/**
 * Whether selectors of a namespace and of pods in it select an end. Without one of namespaces it is the policy's own that is
 * meant; undefined where that is unknown.
 */
export function selectsEnd(
  end: PolicyEnd,
  own: string | undefined,
  namespaceSelector: PropertyValue | undefined,
  podSelector: PropertyValue | undefined,
): Maybe {
  if (end.kind === "addresses") return false;
  const isOwn = own === undefined ? undefined : end.namespace === own;
  const inNamespace =
    namespaceSelector === undefined ? isOwn : selected(namespaceSelector, end.namespaceLabels);
  return every([inNamespace, podSelector === undefined ? true : selected(podSelector, end.labels)]);
}

/** The ports of an end with that name and protocol; undefined where they are unknown. */
export function portsNamed(end: PolicyEnd, name: string, protocol: string): readonly number[] | undefined {
  if (end.kind === "addresses") return [];
  return end.ports
    ?.filter((port) => port.name === name && port.protocol === protocol)
    .map(({ port }) => port);
}
