import { plural } from "../../plural";
import { Proof } from "../proof";
import type { FlowCounts } from "./answer";

/** Why a flow that is dropped is no fault: somebody accepts what is found there, or no rule asks. */
export type Acceptance = "exempted" | "disabled";

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
