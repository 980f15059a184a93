import type { NamedPort } from "../../src/reachability/filters/policySelection";
import type { Manifest } from "./manifests";

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** An address of each family. */
export type Addresses = Readonly<Record<4 | 6, string>>;

/** A pod with the properties that policies match. */
export interface Pod {
  /** Unique in all scenes; also the name of its port on the switch. */
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly ports: readonly NamedPort[];
  /** Index of its node. */
  readonly node: number;
  readonly addresses: Addresses;
}

/** A node of the cluster, with its addresses outside of the cluster network. */
export interface Node {
  readonly name: string;
  readonly labels: Labels;
  readonly addresses: Addresses;
}

/** Namespaces with pods, and the objects that govern them. Each scene has its own network. */
export interface Scene {
  /** Prefix of the names of everything created for the scene: letters and digits. */
  readonly id: string;
  /** Labels of its namespaces by namespace name. */
  readonly namespaces: Readonly<Record<string, Labels>>;
  readonly pods: readonly Pod[];
  readonly objects: readonly Manifest[];
  /** The addresses of DNS names in egress firewalls. */
  readonly names: Readonly<Record<string, Addresses>>;
}

/** One end of a packet: a pod, or an address outside of all pods. */
export type End = { readonly pod: Pod } | { readonly address: string };

/** A packet between two ends, at least one of which is a pod. */
export interface Packet {
  readonly family: 4 | 6;
  readonly from: End;
  readonly to: End;
  /** Protocol number. */
  readonly protocol: number;
  /** Destination port; for ICMP 256 times the type plus the code; 0 for protocols without ports. */
  readonly port: number;
}

/** The address of an end for a packet of that family. */
export const addressOf = (end: End, family: 4 | 6): string =>
  "pod" in end ? end.pod.addresses[family] : end.address;

/** The pod at an end, if there is one. */
export const podAt = (end: End): Pod | undefined => ("pod" in end ? end.pod : undefined);
