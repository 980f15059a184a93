import type { NamedPort } from "../../src/reachability/filters/policySelection";
import type { Manifest } from "./manifests";

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** An address of each family. */
export type Addresses = Readonly<Record<4 | 6, string>>;

/** A pod with what policies see of it. */
export interface Pod {
  /** Also the name of its port at the switch: one in all scenes. */
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly ports: readonly NamedPort[];
  /** Position of its node. */
  readonly node: number;
  readonly addresses: Addresses;
}

/** A node of the cluster, with the addresses that it has outside of the cluster network. */
export interface Node {
  readonly name: string;
  readonly labels: Labels;
  readonly addresses: Addresses;
}

/** Some namespaces with pods, and the objects that govern them. Each has a network of its own. */
export interface Scene {
  /** Begins the names of all that is made for it: letters and digits. */
  readonly id: string;
  /** Labels of its namespaces by their names. */
  readonly namespaces: Readonly<Record<string, Labels>>;
  readonly pods: readonly Pod[];
  readonly objects: readonly Manifest[];
  /** The addresses behind names in egress firewalls. */
  readonly names: Readonly<Record<string, Addresses>>;
}

/** One end of a packet: a pod, or an address that no pod has. */
export type End = { readonly pod: Pod } | { readonly address: string };

/** A packet between two ends, of which at least one is a pod. */
export interface Packet {
  readonly family: 4 | 6;
  readonly from: End;
  readonly to: End;
  /** Number of the protocol. */
  readonly protocol: number;
  /** Port of the destination; 256 times the type and the code of ICMP; 0 for protocols without. */
  readonly port: number;
}

/** The address of an end in packets of a family. */
export const addressOf = (end: End, family: 4 | 6): string =>
  "pod" in end ? end.pod.addresses[family] : end.address;

/** The pod at an end. */
export const podAt = (end: End): Pod | undefined => ("pod" in end ? end.pod : undefined);
