import type { Operation, Ovn } from "../servers/ovn";
import { Writer, type Translation } from "./acls/acl";
import { writeAdminPolicies } from "./acls/adminNetworkPolicy";
import { writeEgressFirewalls } from "./acls/egressFirewall";
import { writeNetworkPolicies } from "./acls/networkPolicy";
import { portsAsSpecified, portsAsWritten } from "./acls/ports";
import { DIFFERENCES, understood, type Difference } from "./differences";
import { networkRows } from "./network";
import { read } from "./reader";
import { translationRows } from "./rows";
import type { Packet, Scene } from "./scene";
import { traced, type TraceResult } from "./trace";

/** The verdict of the package's readers on a packet. */
export type Reader = (scene: Scene, packet: Packet) => TraceResult | "perhaps";

/** A scene to load into OVN, with the packets to send there. */
export interface Trial {
  readonly scene: Scene;
  readonly packets: readonly Packet[];
  /** NetworkPolicy ports as ovn-kubernetes translates them, mistakes included, or as the API specifies them. */
  readonly ports: "written" | "specified";
}

/** OVN's verdict on a packet. */
export interface Observation {
  readonly trial: Trial;
  readonly packet: Packet;
  readonly verdict: TraceResult;
}

/** A packet on which OVN and the readers disagree. */
export interface Disagreement extends Observation {
  readonly reader: TraceResult | "perhaps";
  /** The known differences that together explain it; empty if it is unexplained. */
  readonly explanation: readonly Difference[];
}

const PORTS = { written: portsAsWritten, specified: portsAsSpecified };

/** Loads new scenes into OVN, and sends every packet. */
export async function observe(ovn: Ovn, trials: readonly Trial[]): Promise<Observation[]> {
  await ovn.change(rowsOf(ovn, trials));
  const observations: Observation[] = [];
  for (const trial of trials)
    for (const packet of trial.packets)
      observations.push({ trial, packet, verdict: await traced(ovn, trial.scene, packet) });
  return observations;
}

/** The observations on which the reader gives another verdict than OVN. */
export function disagreements(observations: readonly Observation[], reader: Reader = read): Disagreement[] {
  return observations.flatMap((observation) => {
    const said = reader(observation.trial.scene, observation.packet);
    if (said === observation.verdict) return [];
    return [{ ...observation, reader: said, explanation: explain(observation, reader) }];
  });
}

const rowsOf = (ovn: Ovn, trials: readonly Trial[]): Operation[] =>
  trials.flatMap((trial) => [...networkRows(trial.scene), ...translationRows(ovn, translate(trial))]);

/** What ovn-kubernetes would write for a scene. */
function translate({ scene, ports }: Trial): Translation {
  const writer = new Writer(scene.id);
  writeNetworkPolicies(writer, scene, PORTS[ports]);
  writeEgressFirewalls(writer, scene);
  writeAdminPolicies(writer, scene);
  return writer;
}

/** The fewest known differences with which the reader gives the same verdict as OVN. */
function explain({ trial, packet, verdict }: Observation, reader: Reader): readonly Difference[] {
  if (trial.ports === "specified") return [];
  const choices = [...DIFFERENCES.map((difference) => [difference]), DIFFERENCES];
  return choices.find((chosen) => reader(understood(trial.scene, chosen), packet) === verdict) ?? [];
}
