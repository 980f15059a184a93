import type { Prefix } from "../../address";
import type { Resource } from "../../resources/resource";
import type { UnknownValue } from "../../resources/unknownValue";
import type { PacketSet } from "../packets";

/** What becomes of a packet. */
export enum Action {
  Allow = "allow",
  Deny = "deny",
  /** The next filter decides. */
  Pass = "pass",
}

/** One rule of a filter. */
export interface Clause {
  /** Where it is written. */
  resource: Resource;
  /** The place in the resource: `spec.egress[3]`; empty where the resource is the rule. */
  path: string;
  /** What it does; more than one where that is not known. */
  actions: readonly Action[];
  /** Packets that it matches, whatever the unknown values are. */
  sure: PacketSet;
  /** Packets that it may match: all of `sure`, and those for which an unknown value decides. */
  possible: PacketSet;
  /** Addresses that are taken for those behind groups and lists that it names. */
  assumed?: readonly Prefix[];
  /** The values that decide, where `sure` and `possible` differ or the action is not known. */
  unknown: readonly UnknownValue[];
}

/** What judges packets at one place: the first rule that matches decides. Among rules that only allow, order means nothing. */
export interface Filter {
  clauses: readonly Clause[];
  /** What becomes of packets that no rule matches. */
  otherwise: Action;
}
