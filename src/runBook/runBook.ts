/** How one hosted cluster gets from its current to its wanted state: plain data, for people and programs. */
export interface RunBook {
  version: 1;
  /** `namespace/name` */
  cluster: string;
  outcome: Outcome;
  /** Every property that differs, each with an answer. */
  changes: ChangedProperty[];
  /** What must be resolved before the first step. */
  obstacles: Obstacle[];
  /** What the cluster itself can change, in an order that cuts no flow: opening first, closing last. */
  steps: Step[];
  /** Only if an immutable property differs. */
  newCluster?: NewCluster;
  /** What one side does not state and is assumed to be as on the other. */
  assumptions: string[];
}

/** The outcome of the change. */
export enum Outcome {
  /** No difference requires any action. */
  NothingToDo = "nothing-to-do",
  /** The running cluster can make the change. */
  InPlace = "in-place",
  /** It depends on unknown values. */
  Unknown = "unknown",
  /** It would cut a flow, make ranges collide, or be refused. */
  Blocked = "blocked",
  /** It changes an immutable property of the hosted cluster. */
  NewCluster = "new-cluster",
}

/** Whether a running cluster can change a property. */
export enum Answer {
  /** It can; the steps describe how. */
  Mutable = "mutable",
  /** It cannot: the property is immutable. */
  Immutable = "immutable",
  /** It requires no action. */
  NothingToDo = "nothing-to-do",
  /** A value is not known, so the answer is unknown. */
  Unknown = "unknown",
  /** It is not part of the network. */
  NotJudged = "not-judged",
}

/** Why the answer is unknown, for a value that a preview does not know or that is secret. */
export const UNDECIDED = "not known, or a secret: whether it changes is decided once it is known";

/** One property that differs. Credentials are masked in the values. */
export interface ChangedProperty {
  /** A property of the topology, `services.konnectivity`, or a field of the object, `spec.fips`. */
  property: string;
  /** Undefined if there was none, or if the value is not shown. */
  before?: string;
  after?: string;
  answer: Answer;
  /** Why, in a sentence. */
  why: string;
  /** Ids of the steps that change it. */
  steps: string[];
  /** Document and heading of each source. */
  documents: string[];
}

/** A reason not to begin. */
export interface Obstacle {
  what: string;
  /** How to resolve it. */
  fix: string;
}

/** The disruption that a step causes. */
export enum Disruption {
  /** Packets of running workloads are not affected. */
  None = "none",
  /** OVN-Kubernetes restarts on each node, with brief interruptions. */
  NetworkRestart = "network restart on each node",
  /** Nodes are updated or replaced, and their pods move. */
  NodesRollOut = "nodes roll out",
  /** Clients that use what is closed lose access. */
  Closes = "closes",
}

/** Where a step takes place. */
export enum StepTarget {
  Management = "management cluster",
  Hosted = "hosted cluster",
  Firewalls = "firewalls around the cluster",
}

/** One step. Repeating it changes nothing. */
export interface Step {
  /** From 1. */
  number: number;
  /** Stable: `internal-subnets`, `upgrade-4.14`. */
  id: string;
  title: string;
  place: StepTarget;
  disruption: Disruption;
  /** Describes the disruption in a sentence. */
  effect: string;
  /** True: the wanted state is also reached without it. */
  optional?: true;
  /** Must hold before the step. */
  preChecks: Check[];
  /** The objects to patch. */
  patches: Patch[];
  /** What people do in addition to a patch or instead of it. */
  actions: string[];
  /** Flows that the step opens or closes. */
  flows?: FlowRow[];
  /** Settings of the topology for the step, as in `hypershift-network.yaml`; null: the property is omitted. */
  settings?: Readonly<Record<string, unknown>>;
  /** Must hold afterwards, before the next step. */
  verification: Check[];
  wayBack: { text: string; patches: Patch[] };
  /** Document and heading of each source. */
  documents: string[];
}

/** Something to check. */
export interface Check {
  what: string;
  command?: string;
  /** Whether it holds, if the inputs show it. */
  result?: "met" | "unmet" | "unknown";
}

/** A change of one object. */
export interface Patch {
  /** `merge`: a JSON merge patch. `apply`: the object itself. `delete`: the object is deleted. */
  type: "merge" | "apply" | "delete";
  apiVersion: string;
  kind: string;
  name: string;
  namespace?: string;
  body?: unknown;
  /** The same as a shell command. */
  command: string;
  /** True: credentials are masked, and a person must fill them in. */
  incomplete?: true;
}

/** A flow, or some of its peers. */
export interface FlowRow {
  /** `control-plane/ingress/konnectivity` */
  flow: string;
  role: string;
  direction: string;
  /** `TCP 8091` */
  service: string;
  /** CIDR blocks, or the input that would state them: `? externalClientCidrs`. */
  peers: string[];
  purpose: string;
  requirement: string;
  /** Only network policies see the port. */
  podsOnly: boolean;
  /** Needed only while nodes join. */
  whileJoining: boolean;
  /** Document and heading of each source. */
  documents: string[];
}

/** What remains to do if an immutable property would have to change. */
export interface NewCluster {
  /** The properties. */
  because: string[];
  /** What replacing the object would destroy. */
  loses: string;
  actions: string[];
}
