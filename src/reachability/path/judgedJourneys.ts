import type { ResourceIndex } from "../../resources/resourceIndex";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { judgeJourney, type Guards, type JudgedJourney } from "./judge";
import { settledJourneys } from "../../flows/journeys";
import { surroundingsOf } from "../../flows/surroundings";

/** Every documented flow of a hosted cluster, judged by what guards it in a plan. */
export const judgedJourneys = (
  index: ResourceIndex,
  topology: NormalizedTopology,
  guards: Guards,
): JudgedJourney[] =>
  settledJourneys(topology, surroundingsOf(index, topology)).map((journey) => judgeJourney(journey, guards));
