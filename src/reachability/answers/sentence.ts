import { plural } from "../../text";
import { Proof } from "../proof/prove";
import type { Acceptance, FlowCounts } from "./answer";
import { describeReference } from "../../requirements/documents";
import type { PortRange, Requirement } from "../../requirements/requirement";
import { requirementOf, requirements } from "../../requirements/requirements";
import { Direction, Perspective } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { HostHop, Journey, PodHop } from "../../flows/model";

/** How many flows there are of each verdict. */
export function countFlows(
  flows: readonly { proof: Proof; optional?: boolean; accepted?: Acceptance }[],
): FlowCounts {
  const count = (proof: Proof) => flows.filter((flow) => flow.proof === proof).length;
  const refuted = flows.filter(({ proof }) => proof === Proof.Refuted);
  const accepted = (why: Acceptance) => refuted.filter((flow) => flow.accepted === why).length;
  const faults = refuted.filter((flow) => !flow.accepted);
  const optionalRefuted = faults.filter(({ optional }) => optional).length;
  return {
    proved: count(Proof.Proved),
    assumed: count(Proof.Assumed),
    unknown: count(Proof.Unknown),
    refuted: faults.length - optionalRefuted,
    optionalRefuted,
    exempted: accepted("exempted"),
    disabled: accepted("disabled"),
  };
}

/** `8 of 49 documented flows proved, 30 assumed, 11 unknown, 0 refuted`: the same words wherever proofs are counted. */
export function flowsSentence(counts: FlowCounts): string {
  const { proved, assumed, unknown, refuted, optionalRefuted, exempted, disabled } = counts;
  const all = proved + assumed + unknown + refuted + exempted + disabled;
  const said = [
    `${proved} of ${plural(all, "documented flow")} proved`,
    `${assumed} assumed`,
    `${unknown} unknown`,
    `${refuted} refuted`,
    ...(exempted > 0 ? [`${exempted} exempted`] : []),
    ...(disabled > 0 ? [`${disabled} dropped where the rule is disabled`] : []),
  ].join(", ");
  const dropped =
    optionalRefuted > 0
      ? `, and ${plural(optionalRefuted, "flow that not every pod needs is", "flows that not every pod needs are")} dropped`
      : "";
  return `${said}${dropped}${provesNothing(counts) ? ": this plan proves nothing" : ""}`;
}

/** Nothing is right, nor wrong, where no flow is proved. */
export const provesNothing = (counts: FlowCounts): boolean =>
  counts.proved === 0 && Object.values(counts).some((count) => count > 0);

/** The rows that ask for what a journey needs at one of its places. */
export function rowsBehind(topology: NormalizedTopology, journey: Journey, hop: Journey["hops"][number]) {
  if (hop.kind === "hosts") return rowsAtHosts(hop);
  // What leaves a namespace or pods is asked for by what its packets meet behind them.
  if (hop.kind === "namespace" || hop.kind === "senders")
    return [...new Set(journey.hops.flatMap((next) => (next.kind === "hosts" ? rowsAtHosts(next) : [])))];
  return hop.kind === "pods" ? rowsAtPods(topology, hop) : [];
}

const rowsAtHosts = ({ flow }: HostHop): Requirement[] => (flow ? [requirementOf(flow.requirement)] : []);

function rowsAtPods({ platform }: NormalizedTopology, hop: PodHop): Requirement[] {
  return requirements.filter(
    (row) =>
      row.perspective === Perspective.ControlPlane &&
      row.direction === Direction.Ingress &&
      row.protocol === hop.protocol &&
      row.platforms.includes(platform) &&
      (row.service === undefined || row.service === hop.service) &&
      row.ports !== undefined &&
      meet(row.ports, hop.ports),
  );
}

/** Whether two ranges have a port in common; an absent one has all. */
export const meet = (a: PortRange | undefined, b: PortRange | undefined): boolean =>
  !a || !b || (a.from <= b.to && b.from <= a.to);

export const distinctRows = (ids: readonly string[]): Requirement[] => [...new Set(ids)].map(requirementOf);

/** Documents and headings of rows, each once: `OKD networking, Table 1. Common ingress ports`. */
export const documentsOf = (rows: readonly Requirement[]): string[] => [
  ...new Set(rows.flatMap(({ documents }) => documents.map(describeReference))),
];
