import { difference, isEmpty, type PacketSet } from "../../packets/packetSet";
import { judgedJourneys, type JudgedJourney } from "../../path/judge";
import { planGuards } from "../../path/planGuards";
import type { OpenedAndClosed } from "../../proof/prove";
import type { PlanQuestion } from "../answerPlan";
import { unknownAnswers } from "../flowAnswer";
import { packetsInWords } from "../places";
import { comparedPlaces, type ComparedPlace } from "./comparedPlaces";
import {
  byService,
  ChangeKind,
  type FlowChange,
  openAt,
  type OpenAt,
  type PacketChange,
  type PlanDiff,
  splitByPrincipals,
} from "./diff";

/** One of the two plans of a hosted cluster. */
export type PlanSide = Omit<PlanQuestion, "declared">;

/** What passes a place in only one plan. */
export interface PlaceChange extends OpenedAndClosed {
  /** The place as in the new plan, or in the old plan if only that has it. */
  place: ComparedPlace;
  before: OpenAt;
  after: OpenAt;
  /** The plan that shows no filter at the place. */
  missingIn?: "old" | "new";
}

/** What a change opens (may pass now and certainly did not) and closes (certainly passed and may not now). */
export function diffPlans(old: PlanSide, now: PlanSide): PlanDiff {
  const places = placeChanges(old, now);
  const changes = places.flatMap(changesAt);
  const order = Object.values(ChangeKind);
  return {
    version: 1,
    cluster: `${now.topology.namespace}/${now.topology.name}`,
    flows: flowChanges(judged(old), judged(now)),
    changes: changes.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    unknown: unknownAnswers(places.flatMap(({ before, after }) => [...before.values, ...after.values])),
    oneSided: places.flatMap(({ place: { name }, missingIn }) =>
      missingIn === undefined ? [] : [{ place: name, missingIn }],
    ),
  };
}

/** What opens and closes at every place of two plans, as sets of packets. */
export function placeChanges(old: PlanSide, now: PlanSide): PlaceChange[] {
  const [oldPlaces, newPlaces] = [comparedPlaces(old), comparedPlaces(now)];
  return [...new Set([...newPlaces.keys(), ...oldPlaces.keys()])].map((key) => {
    const [was, is] = [oldPlaces.get(key), newPlaces.get(key)];
    const place = (is ?? was)!;
    const [before, after] = [openAt(was, place.isOpen), openAt(is, place.isOpen)];
    const missingIn = place.isOpen ? undefined : sideWithout(was, is);
    return {
      place,
      before,
      after,
      opened: difference(after.possible, before.possible),
      closed: difference(before.sure, after.sure),
      ...(missingIn && { missingIn }),
    };
  });
}

function sideWithout(was: ComparedPlace | undefined, is: ComparedPlace | undefined) {
  const [old, now] = [was, is].map((place) => (place?.guards.length ?? 0) > 0);
  return old === now ? undefined : old ? "new" : "old";
}

function changesAt({ place, before, opened, closed }: PlaceChange): PacketChange[] {
  const { name, direction, flows } = place;
  const change = (kind: ChangeKind, services: readonly string[], set: PacketSet): PacketChange[] =>
    isEmpty(set) ? [] : [{ kind, place: name, direction, services, ...packetsInWords(set, direction) }];
  return [
    ...byService(opened, flows).flatMap((part) => {
      const { fresh, widened } = splitByPrincipals(part, before.possible, direction);
      return [
        ...change(ChangeKind.NewPrincipal, part.services, fresh),
        ...change(ChangeKind.Widened, part.services, widened),
      ];
    }),
    ...byService(closed, flows).flatMap((part) => change(ChangeKind.Closed, part.services, part.packets)),
  ];
}

/** HyperShift's own policies do not change with a plan: both plans are judged with them, although clusters are read without them. */
const judged = ({ index, topology, configured }: PlanSide): JudgedJourney[] =>
  judgedJourneys(index, topology, planGuards(index, topology, configured, false), configured);

function flowChanges(old: readonly JudgedJourney[], now: readonly JudgedJourney[]): FlowChange[] {
  const was = new Map(old.map((one) => [one.journey.key, one]));
  const is = new Map(now.map((one) => [one.journey.key, one]));
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((key) => {
    const [before, after] = [was.get(key), is.get(key)];
    if (before?.proof === after?.proof) return [];
    const { title } = (after ?? before)!.journey;
    return [{ key, title, ...(before && { before: before.proof }), ...(after && { after: after.proof }) }];
  });
}
