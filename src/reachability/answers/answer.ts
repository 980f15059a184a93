import type { Direction, Phase, Service, Zone, Role } from "../../requirements/vocabulary";
import type { MissingInput } from "../../flows/model";
import type { JudgedGuard } from "../path/judge";
import type { Proof } from "../proof/prove";
import type { PlainPacket, Written, WrittenRule } from "./places";
import type { Repair } from "./repair/repair";

/** What a plan does to one hosted cluster, as plain data: it is written to JSON as it is. */
export interface PlanAnswer {
  version: 1;
  /** Namespace and name of the hosted cluster. */
  cluster: string;
  /** Every documented flow, in the order of the journeys. */
  flows: readonly FlowAnswer[];
  /** What is open and neither required nor declared, rule by rule. */
  excess: readonly ExcessAnswer[];
  /** What keeps rules from being held against the documents. Absent: nothing does. */
  undecided?: readonly UnknownAnswer[];
  /** What no plan shows and no verdict speaks of. */
  outside: readonly OutsideAnswer[];
  summary: FlowCounts & { excess: number };
}

/** Why a flow that is dropped is no fault: the user accepts what is found there, or no rule asks. */
export type Acceptance = "exempted" | "disabled";

/** How many documented flows there are of each verdict. */
export interface FlowCounts {
  proved: number;
  /** Open as far as the plan goes, and otherwise by what others are known to have there. */
  assumed: number;
  unknown: number;
  /** Those that not every pod needs are not among them. */
  refuted: number;
  /** Refuted flows that not every pod needs: what drops them may well be meant to. */
  optionalRefuted: number;
  /** Dropped where the user accepts every finding: no fault. */
  exempted: number;
  /** Dropped where the configuration disables the rules that would find it. */
  disabled: number;
}

/** One documented flow. */
export type FlowAnswer = FlowHead & (ProvedFlow | AssumedFlow | RefutedFlow | UnknownFlow);

interface FlowHead {
  /** `workers-konnectivity` */
  key: string;
  /** One sentence: who talks to whom, and which way. */
  title: string;
  from: Zone;
  service?: Service;
  phase: Phase;
  /** True where not all pods need it: what drops it may well be meant to. */
  optional?: true;
  /** Why it is no fault that it is dropped. */
  accepted?: Acceptance;
  /** Ids of the rows that ask for it. */
  requirements: readonly string[];
  /** Document and heading of each of them. */
  documents: readonly string[];
}

/** Every place on the way lets all of its packets pass, whatever the unknown values are. */
export interface ProvedFlow {
  proof: Proof.Proved;
  /** The rules that do. */
  rules: readonly WrittenRule[];
}

/** Every place that is the plan's duty lets all of its packets pass, and at the others what others are known to have there. */
export interface AssumedFlow {
  proof: Proof.Assumed;
  /** The plan's rules that let some of them pass. */
  rules: readonly WrittenRule[];
  /** What is taken for granted, place by place. */
  assumptions: readonly AssumptionAnswer[];
}

/** What another owner is known to have at a place, and what no input of this plan shows. */
export interface AssumptionAnswer {
  /** `ingress of workers` */
  place: string;
  /** Stable: `hypershift-worker-group`. */
  by: string;
  /** What it is, in words. */
  name: string;
  /** For which versions this is known. */
  releases: string;
  /** Where it is written. */
  documents: readonly string[];
  /** How the assumption becomes a proof. */
  toProof: string;
}

/** Some of its packets are dropped, whatever the unknown values are. */
export interface RefutedFlow {
  proof: Proof.Refuted;
  /** Every place that drops some, in the order of the way. */
  refutations: readonly Refutation[];
}

/** One place that drops packets of a flow. */
export interface Refutation {
  /** `ingress of control-plane` */
  place: string;
  /** Key of the flow of hosts that is dropped there: `control-plane/ingress/konnectivity-pod`. Absent at pods, namespaces and proxies. */
  hop?: string;
  /** What stands there: `security groups of control-plane`. */
  guard: string;
  /** Whether the packets themselves or the answers to them are dropped. */
  asked: JudgedGuard["asked"];
  /** One of them. */
  packet: PlainPacket;
  /** All of them, in smallest form. */
  dropped: readonly string[];
  /** The rule that denies. Absent: no rule lets them pass. */
  rule?: WrittenRule;
  /** What the rule stands in, or what a rule would have to stand in. */
  holder?: Written;
  /** Rules that let the flow pass and nothing else; all are needed. */
  repair: readonly Repair[];
  /** The argument of the component that made what stands there, which does the same: `set defaultWorkerRules: true of ...`. */
  lever?: string;
  /** Why there is no such rule. */
  obstacle?: string;
  /** What another owner has there that lets them pass: to let them pass is the plan's duty all the same. */
  note?: string;
  /** Ids of the rows that ask for the flow at this place. */
  requirements: readonly string[];
  documents: readonly string[];
}

/** Unknown. */
export interface UnknownFlow {
  proof: Proof.Unknown;
  /** Values that the plan does not know yet, and that decide. */
  values: readonly UnknownAnswer[];
  /** Properties that the topology does not say. */
  missing: readonly MissingInput[];
  /** Places that something guards which the plan does not show. */
  unguarded: readonly string[];
}

/** A value that decides and is not known. */
export interface UnknownAnswer {
  resource: Written;
  path: string;
  reason?: string;
}

/** A rule that opens more than has to be open. */
export interface ExcessAnswer {
  /** Absent: no rule stops these packets. */
  rule?: WrittenRule;
  places: readonly ExcessPlace[];
}

/** Where a rule opens more, and what. */
export interface ExcessPlace {
  /** `ingress of control-plane`; of pods an example: `pods with app=etcd`. */
  place: string;
  direction: Direction;
  /** Absent: the place is one of pods. */
  role?: Role;
  /** What stands there: `security groups of workers`. */
  guard: string;
  /** In smallest form. */
  packets: readonly string[];
}

/** Something that decides too, and that is not in the model. */
export interface OutsideAnswer {
  /** Stable: `load-balancer-listeners`. */
  id: string;
  what: string;
  /** Why no verdict says anything of it, and what is assumed instead. */
  why: string;
  /** Keys of the flows that it decides on. */
  flows: readonly string[];
}

/** The repairs of all refuted flows, each once: written together they let all of them pass. */
export function repairsOf({ flows }: Pick<PlanAnswer, "flows">): Repair[] {
  const all = flows.flatMap((flow) => ("refutations" in flow ? flow.refutations : []));
  const repairs = all.flatMap(({ repair }) => repair);
  return [...new Map(repairs.map((one) => [JSON.stringify(one), one])).values()];
}
