import type { Direction } from "../../../requirements/vocabulary";
import type { Proof } from "../../proof";
import type { UnknownAnswer } from "../answer";
import type { PlainBlock } from "../packetText";

/** What a change of a plan opens and closes around one hosted cluster, as plain data. */
export interface PlanDiff {
  version: 1;
  /** Namespace and name of the hosted cluster, as the new plan has it. */
  cluster: string;
  /** Documented flows of which the new plan makes something else. */
  flows: readonly FlowChange[];
  /** What opens and closes: first for new principals, then for those who could reach the service before, then what closes. */
  changes: readonly PacketChange[];
  /** Values on which it hangs whether more opens or closes. */
  unknown: readonly UnknownAnswer[];
  /** Places that one of the plans shows nothing of: what was or will be open there, it does not say. */
  oneSided: readonly { place: string; missingIn: "old" | "new" }[];
}

/** A documented flow whose verdict is another one. */
export interface FlowChange {
  key: string;
  title: string;
  /** Absent: the old topology does not have the flow. */
  before?: Proof;
  /** Absent: the new topology does not have it. */
  after?: Proof;
}

/** What becomes of packets. */
export enum ChangeKind {
  /** They may pass now, and those who send them (of egress: who gets them) could reach nothing of the service before. */
  NewPrincipal = "new-principal",
  /** They may pass now, and the same principals could reach something of the service before. */
  Widened = "widened",
  /** They passed and may be dropped now. */
  Closed = "closed",
}

/** Packets that pass at one place in one plan alone. */
export interface PacketChange {
  kind: ChangeKind;
  /** `ingress of control-plane`, `pods kube-apiserver`, `egress of namespace web`. */
  place: string;
  direction: Direction;
  /** Documented services that listen there at these ports: `Konnectivity`. Empty: none does. */
  services: readonly string[];
  /** The packets in smallest form, for people. */
  packets: readonly string[];
  /** The packets in smallest form, for programs. */
  blocks: readonly PlainBlock[];
}
