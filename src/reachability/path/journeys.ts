import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { Journey } from "./journey";
import { otherJourneys } from "./otherJourneys";
import { serviceJourneys } from "./serviceJourneys";

/** Every documented flow of a hosted cluster on its whole way. */
export const journeys = (topology: NormalizedTopology): Journey[] => [
  ...serviceJourneys(topology),
  ...otherJourneys(topology),
];
