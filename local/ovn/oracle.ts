import { stringify } from "yaml";

import type { Report } from "../report";
import { startOvn } from "../servers/ovn";
import { findOvn } from "../toolchain/ovn";
import { observe, type Disagreement, type Observation } from "./compare";
import { DIFFERENCES } from "./differences";
import { trialsWith } from "./random/scenes";
import { microflow } from "./trace";

/** The amount to compare. */
export interface OracleOptions {
  readonly objects: number;
  readonly packets: number;
  /** The same seed generates the same objects and packets. */
  readonly seed: number;
}

/** Starts OVN, traces the packets, and stops it. */
export async function askOracle(options: OracleOptions, report: Report): Promise<Observation[]> {
  const { tool } = await findOvn(report);
  const ovn = await report.step("starting OVN", () => startOvn(tool));
  try {
    const trials = trialsWith(options.objects, options.packets, options.seed);
    return await report.step("tracing packets", () => observe(ovn, trials));
  } finally {
    await ovn.stop();
  }
}

/** Disagreements that no known difference explains. */
export const unexplained = (among: readonly Disagreement[]): Disagreement[] =>
  among.filter(({ explanation }) => explanation.length === 0);

/** The amount that was compared. */
export function amounts(observations: readonly Observation[]): {
  objects: number;
  passed: number;
  dropped: number;
} {
  const trials = [...new Set(observations.map(({ trial }) => trial))];
  const passed = observations.filter(({ verdict }) => verdict === "allowed").length;
  return {
    objects: trials.reduce((sum, { scene }) => sum + scene.objects.length, 0),
    passed,
    dropped: observations.length - passed,
  };
}

/** A summary of the outcome for people. */
export function describeOutcome(
  observations: readonly Observation[],
  differing: readonly Disagreement[],
  seed: number,
): string {
  const { objects, passed, dropped } = amounts(observations);
  const open = unexplained(differing);
  return [
    `seed ${seed}: ${objects} objects, ${observations.length} packets of which OVN passes ${passed} and drops ${dropped}`,
    `${differing.length} verdicts differ, ${open.length} of them unexplained`,
    ...DIFFERENCES.map((difference) => {
      const count = differing.filter(({ explanation }) => explanation.includes(difference)).length;
      return `  ${difference.id}: ${count}\n    ovn-kubernetes: ${difference.ovnKubernetes}\n    reader: ${difference.reader}`;
    }),
    ...open.slice(0, SHOWN).map(describeDisagreement),
  ].join("\n");
}

const SHOWN = 3;

/** A disagreement with everything needed to investigate it. */
export function describeDisagreement({ trial, packet, verdict, reader }: Disagreement): string {
  const { namespaces, pods, objects } = trial.scene;
  return `\n${microflow(packet)}\nOVN: ${verdict}, reader: ${reader}\n${stringify({ namespaces, pods, objects })}`;
}
