/** How one hosted cluster gets from what it is to what it shall be: plain data, for people and programs. */
export interface RunBook {
  version: 1;
  /** `namespace/name` */
  cluster: string;
  outcome: Outcome;
  /** Every property that differs, each with an answer. */
  changes: ChangedProperty[];
  /** What has to be settled before the first step. */
  obstacles: Obstacle[];
  /** What the cluster itself can take, in an order that cuts no flow: opening first, closing last. */
  steps: Step[];
  /** Only where a property can never change. */
  newCluster?: NewCluster;
  /** What one side does not say and is taken to be as on the other. */
  assumptions: string[];
}

/** What the change comes to. */
export enum Outcome {
  /** Nothing differs that anybody has to do something for. */
  NothingToDo = "nothing-to-do",
  /** The running cluster can take it. */
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
  /** It can; the steps say how. */
  Mutable = "mutable",
  /** It cannot: the property is immutable. */
  Immutable = "immutable",
  /** Nothing follows from it. */
  NothingToDo = "nothing-to-do",
  /** A value is not known, so the answer is unknown. */
  Unknown = "unknown",
  /** It is not part of the network. */
  NotJudged = "not-judged",
}

/** Why the answer is unknown, for a value that a preview does not know or that is a secret. */
export const UNDECIDED = "not known, or a secret: whether it changes is decided once it is known";

/** One property that differs. Credentials are left out of the values. */
export interface ChangedProperty {
  /** Of the topology, `services.konnectivity`, or of the object: `spec.fips`. */
  property: string;
  /** Absent: there was none, or the value is not shown. */
  before?: string;
  after?: string;
  answer: Answer;
  /** Why, in a sentence. */
  why: string;
  /** Ids of the steps that carry it out. */
  steps: string[];
  /** Document and heading of each source. */
  documents: string[];
}

/** Why the user should not begin. */
export interface Obstacle {
  what: string;
  /** The way out. */
  fix: string;
}

/** What a change costs while it happens. */
export enum Disruption {
  /** Packets of running workloads are not touched. */
  None = "none",
  /** OVN-Kubernetes starts again on each node: brief interruptions. */
  NetworkRestart = "network restart on each node",
  /** Nodes are updated or replaced, and their pods move. */
  NodesRollOut = "nodes roll out",
  /** Who uses what is closed is cut off. */
  Closes = "closes",
}

/** Where a step takes place. */
export enum StepTarget {
  Management = "management cluster",
  Hosted = "hosted cluster",
  Firewalls = "firewalls around the cluster",
}

/** One step. Taking it again changes nothing. */
export interface Step {
  /** From 1. */
  number: number;
  /** Stable: `internal-subnets`, `upgrade-4.14`. */
  id: string;
  title: string;
  place: StepTarget;
  disruption: Disruption;
  /** What the disruption is, in a sentence. */
  effect: string;
  /** True: the wanted state is reached without it, too. */
  optional?: true;
  /** Has to hold before. */
  preChecks: Check[];
  /** What is written. */
  patches: Patch[];
  /** What people do beside or in place of a patch. */
  actions: string[];
  /** Flows that the step opens or closes. */
  flows?: FlowRow[];
  /** Settings of the topology for the step, as in `hypershift-network.yaml`; null: the property is left out. */
  settings?: Readonly<Record<string, unknown>>;
  /** Has to hold afterwards, before the next step. */
  verification: Check[];
  wayBack: { text: string; patches: Patch[] };
  /** Document and heading of each source. */
  documents: string[];
}

/** Something that is looked at. */
export interface Check {
  what: string;
  command?: string;
  /** Whether it holds, where the inputs show it. */
  result?: "met" | "unmet" | "unknown";
}

/** What is written into an object. */
export interface Patch {
  /** `merge`: a JSON merge patch. `apply`: the object itself. `delete`: it is taken away. */
  type: "merge" | "apply" | "delete";
  apiVersion: string;
  kind: string;
  name: string;
  namespace?: string;
  body?: unknown;
  /** The same for a shell. */
  command: string;
  /** True: credentials are left out of it, and a person fills them in. */
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
  /** CIDR blocks, or what is not stated: `? externalClientCidrs`. */
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

/** What is left where a property can never change. */
export interface NewCluster {
  /** The properties. */
  because: string[];
  /** What making a new object in place of this one would destroy. */
  loses: string;
  actions: string[];
}
