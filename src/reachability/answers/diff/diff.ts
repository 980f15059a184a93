import { Direction } from "../../../requirements/vocabulary";
import type { Proof } from "../../proof/prove";
import type { UnknownAnswer } from "../answer";
import type { PlainBlock } from "../places";
import { merge, FAMILIES } from "../../../address";
import { difference, intersection, isEmpty, packets, type PacketSet } from "../../packets/packetSet";
import { joined, NUMBERS } from "../../packets/algebra";
import { servicesOf } from "../../packets/service";
import { blocksOf } from "../../packets/print";
import type { ComparedPlace } from "./comparedPlaces";
import { onceIn } from "../../../collections";
import { paragraphs } from "../../../text";
import { describeUnknown } from "../describeAnswer";

/** What a change of a plan opens and closes around one hosted cluster, as plain data. */
export interface PlanDiff {
  version: 1;
  /** Namespace and name of the hosted cluster, as the new plan has it. */
  cluster: string;
  /** Documented flows whose verdict changes. */
  flows: readonly FlowChange[];
  /** What opens and closes: first for new principals, then for those that could reach the service before, then what closes. */
  changes: readonly PacketChange[];
  /** Values that decide whether more opens or closes. */
  unknown: readonly UnknownOfDiff[];
  /** Places at which only one plan shows a filter: what was or will be open there is not known. */
  oneSided: readonly { place: string; missingIn: "old" | "new" }[];
}

/** A value that decides whether more opens or closes. */
export interface UnknownOfDiff extends UnknownAnswer {
  /** True if it is of a rule that only the new plan has, and may thus open what no change lists. */
  opens?: true;
}

/** A documented flow whose verdict changes. */
export interface FlowChange {
  key: string;
  title: string;
  /** Absent: the old topology does not have the flow. */
  before?: Proof;
  /** Absent: the new topology does not have the flow. */
  after?: Proof;
}

/** How packets change. */
export enum ChangeKind {
  /** They may pass now, and their senders (egress: their receivers) could reach nothing of the service before. */
  NewPrincipal = "new-principal",
  /** They may pass now, and the same principals could reach some of the service before. */
  Widened = "widened",
  /** They passed and may be dropped now. */
  Closed = "closed",
}

/** Packets that pass a place in only one plan. */
export interface PacketChange {
  kind: ChangeKind;
  /** `ingress of control-plane`, `pods kube-apiserver`, `egress of namespace web`. */
  place: string;
  direction: Direction;
  /** Documented services that listen there at these ports: `Konnectivity`. Empty: none does. */
  services: readonly string[];
  /** The peers, if no input states their addresses: `sg-0fff`. The blocks then have every address in their place. */
  peers?: readonly string[];
  /** True if the rule that opens or closes this may do so for other senders too: the packets are those of one of them. */
  example?: true;
  /** The packets in smallest form, for people. */
  packets: readonly string[];
  /** The packets in smallest form, for programs. */
  blocks: readonly PlainBlock[];
}

/** Packets for one service at a place. */
export interface OfService {
  /** Service names. Empty: no documented service listens there. */
  services: readonly string[];
  /** All packets for the service. */
  asked: PacketSet;
  packets: PacketSet;
}

/** Splits packets of a place by documented service; the rest by contiguous ports. */
export function byService(set: PacketSet, flows: ComparedPlace["flows"]): OfService[] {
  const parts: OfService[] = [];
  let rest = set;
  for (const { services, asked } of documentedAt(flows)) {
    const here = intersection(rest, asked);
    if (!isEmpty(here)) parts.push({ services, asked, packets: here });
    rest = difference(rest, asked);
  }
  const ranges = blocksOf(rest).flatMap(({ services }) => services.map((range) => ({ ...range })));
  const others = joined(ranges, NUMBERS.next).map((range) => {
    const asked = packets({ services: [range] });
    return { services: [], asked, packets: intersection(rest, asked) };
  });
  return [...parts, ...others];
}

function documentedAt(flows: ComparedPlace["flows"]): { services: readonly string[]; asked: PacketSet }[] {
  const documented = new Map<string, { services: Set<string>; asked: PacketSet }>();
  for (const { journey, hop } of flows) {
    const { protocol, ports } = hop;
    const { services } = onceIn(documented, `${protocol} ${ports?.from}-${ports?.to}`, () => ({
      services: new Set<string>(),
      asked: packets({ services: FAMILIES.map((family) => servicesOf(protocol, ports, family)) }),
    }));
    if (journey.service !== undefined) services.add(journey.service);
  }
  return [...documented.values()].map(({ services, asked }) => ({ services: [...services], asked }));
}

/** Splits opened packets into those of principals that could reach nothing of the service before, and the others. */
export function splitByPrincipals(
  { asked, packets: opened }: OfService,
  before: PacketSet,
  direction: Direction,
): { fresh: PacketSet; widened: PacketSet } {
  const side = direction === Direction.Ingress ? "sources" : "destinations";
  const reached = blocksOf(intersection(before, asked)).flatMap((block) => block[side]);
  const known = packets({ [side]: merge(reached) });
  return { fresh: difference(opened, known), widened: intersection(opened, known) };
}

const HEADING: Readonly<Record<ChangeKind, string>> = {
  [ChangeKind.NewPrincipal]: "opened to new principals",
  [ChangeKind.Widened]: "opened wider",
  [ChangeKind.Closed]: "closed",
};

/** A difference as lines for people, in the order of `ChangeKind` after the changed flows. */
export function describeDiff({ cluster, flows, changes, unknown, oneSided }: PlanDiff): string[] {
  const sections = Object.values(ChangeKind).map((kind) =>
    section(HEADING[kind], changes.filter((change) => change.kind === kind).flatMap(changeLines)),
  );
  return paragraphs([
    [`${cluster}: ${changes.length === 0 ? "nothing opens or closes" : summaryOf(changes)}`],
    section("documented flows that change", flows.map(flowLine)),
    ...sections,
    section("unknown values that may open or close more", [...new Set(unknown.map(describeUnknown))]),
    section(
      "shown by only one plan",
      oneSided.map(({ place, missingIn }) => `${place}: the ${missingIn} plan shows no filter there`),
    ),
  ]);
}

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];

function summaryOf(changes: readonly PacketChange[]): string {
  const lines = (kind: ChangeKind) =>
    changes.filter((change) => change.kind === kind).flatMap((change) => change.packets).length;
  const [fresh, wider, closed] = Object.values(ChangeKind).map(lines);
  return `${fresh} opened to new principals, ${wider} opened wider, ${closed} closed`;
}

const flowLine = ({ key, title, before, after }: FlowChange): string =>
  `${key}: ${before ?? "not needed"} -> ${after ?? "not needed"}: ${title}`;

const changeLines = ({ place, services, packets }: PacketChange): string[] =>
  packets.map((line) => `${place}${services.length > 0 ? ` (${services.join(", ")})` : ""}: ${line}`);
