import type { Direction, Phase, Service, Zone, Role } from "../../requirements/vocabulary";
import type { MissingInput } from "../../flows/model";
import type { JudgedGuard } from "../path/judge";
import type { Proof } from "../proof/prove";
import type { PlainPacket, Written, WrittenRule } from "./places";
import type { Repair } from "./repair/repair";

/** What a plan does to one hosted cluster, as plain data that is written to JSON unchanged. */
export interface PlanAnswer {
  version: 1;
  /** Namespace and name of the hosted cluster. */
  cluster: string;
  /** Every documented flow, in the order of the journeys. */
  flows: readonly FlowAnswer[];
  /** What is open and neither required nor declared, one entry per rule. */
  excess: readonly ExcessAnswer[];
  /** Values that may open more into pods, or prevent the comparison with the documents. Absent: none. */
  undecided?: readonly UnknownAnswer[];
  /** What no plan shows and no verdict covers. */
  outside: readonly OutsideAnswer[];
  summary: FlowCounts & { excess: number };
}

/** Why a dropped flow is not a fault: the user accepts every finding on it, or the configuration disables its rules. */
export type Acceptance = "exempted" | "disabled";

/** The number of documented flows of each verdict. */
export interface FlowCounts {
  proved: number;
  /** Open according to the plan and, at places that are not the plan's duty, according to what other owners are known to have there. */
  assumed: number;
  unknown: number;
  /** Without the flows that not every pod needs, and without accepted ones. */
  refuted: number;
  /** Refuted flows that not every pod needs: the drop may be intended. */
  optionalRefuted: number;
  /** Dropped, but the user accepts every finding: no fault. */
  exempted: number;
  /** Dropped, but the configuration disables the rules that would report it. */
  disabled: number;
}

/** One documented flow. */
export type FlowAnswer = FlowHead & (ProvedFlow | AssumedFlow | RefutedFlow | UnknownFlow);

interface FlowHead {
  /** `workers-konnectivity` */
  key: string;
  /** One sentence: who talks to whom, and by which way. */
  title: string;
  from: Zone;
  service?: Service;
  phase: Phase;
  /** True if not every pod needs the flow: a drop may be intended. */
  optional?: true;
  /** Why the drop of the flow is not a fault. */
  accepted?: Acceptance;
  /** Ids of the rows that require the flow. */
  requirements: readonly string[];
  /** Document and heading of each row. */
  documents: readonly string[];
}

/** Every place on the path allows all packets of the flow, whatever the unknown values are. */
export interface ProvedFlow {
  proof: Proof.Proved;
  /** The rules that allow them. */
  rules: readonly WrittenRule[];
}

/** All packets pass at the places that are the plan's duty, and at the others through what other owners are known to have there. */
export interface AssumedFlow {
  proof: Proof.Assumed;
  /** The plan's rules that allow some of the packets. */
  rules: readonly WrittenRule[];
  /** What is assumed, place by place. */
  assumptions: readonly AssumptionAnswer[];
}

/** What another owner is known to have at a place, although no input of this plan shows it. */
export interface AssumptionAnswer {
  /** `ingress of workers` */
  place: string;
  /** Stable: `hypershift-worker-group`. */
  by: string;
  /** A readable name. */
  name: string;
  /** The versions for which this is known. */
  releases: string;
  /** Document and heading of each source. */
  documents: readonly string[];
  /** How to turn the assumption into a proof. */
  toProof: string;
}

/** Some packets of the flow are dropped, whatever the unknown values are. */
export interface RefutedFlow {
  proof: Proof.Refuted;
  /** Every place that drops packets, in the order of the path. */
  refutations: readonly Refutation[];
}

/** One place that drops packets of a flow. */
export interface Refutation {
  /** `ingress of control-plane` */
  place: string;
  /** Key of the host flow that is dropped there: `control-plane/ingress/konnectivity-pod`. Absent at pods, namespaces and proxies. */
  hop?: string;
  /** What filters there: `security groups of control-plane`. */
  guard: string;
  /** Whether the packets themselves or their answers are dropped. */
  asked: JudgedGuard["asked"];
  /** An example of a dropped packet. */
  packet: PlainPacket;
  /** All dropped packets, in smallest form. */
  dropped: readonly string[];
  /** The rule that denies. Absent: no rule allows the packets. */
  rule?: WrittenRule;
  /** The resource that contains the denying rule, or that a missing rule would have to be in. */
  holder?: Written;
  /** Rules that allow the flow and nothing else; all of them are needed. */
  repair: readonly Repair[];
  /** An argument of the component that created the filter, with the same effect: `set defaultWorkerRules: true on ...`. */
  lever?: string;
  /** Why no such rule can be named. */
  obstacle?: string;
  /** What another owner has there that may allow the packets. Allowing them remains the plan's duty. */
  note?: string;
  /** Ids of the rows that require the flow at this place. */
  requirements: readonly string[];
  documents: readonly string[];
}

/** Unknown values, missing inputs or filters that the plan does not show decide whether the flow passes. */
export interface UnknownFlow {
  proof: Proof.Unknown;
  /** Values that decide and that the plan does not know yet. */
  values: readonly UnknownAnswer[];
  /** Properties that the topology does not state. */
  missing: readonly MissingInput[];
  /** Places with a filter that the plan does not show. */
  unguarded: readonly string[];
}

/** A deciding value that is not known. */
export interface UnknownAnswer {
  resource: Written;
  path: string;
  reason?: string;
}

/** A rule that opens more than necessary. */
export interface ExcessAnswer {
  /** Absent: no rule stops these packets. */
  rule?: WrittenRule;
  places: readonly ExcessPlace[];
}

/** Where a rule opens more than necessary, and what. */
export interface ExcessPlace {
  /** `ingress of control-plane`; for pods an example: `pods with app=etcd`. */
  place: string;
  direction: Direction;
  /** Absent: the place is pods. */
  role?: Role;
  /** What filters there: `security groups of workers`. */
  guard: string;
  /** The packets in smallest form. */
  packets: readonly string[];
}

/** Something that also decides whether flows pass, and that is not in the model. */
export interface OutsideAnswer {
  /** Stable: `load-balancer-listeners`. */
  id: string;
  what: string;
  /** Why no verdict covers it, and what is assumed instead. */
  why: string;
  /** Keys of the flows that depend on it. */
  flows: readonly string[];
}

/** The repairs of all refuted flows, without duplicates. Applied together, they allow all these flows. */
export function repairsOf({ flows }: Pick<PlanAnswer, "flows">): Repair[] {
  const all = flows.flatMap((flow) => ("refutations" in flow ? flow.refutations : []));
  const repairs = all.flatMap(({ repair }) => repair);
  return [...new Map(repairs.map((one) => [JSON.stringify(one), one])).values()];
}
