import { onceForBoth } from "../resources/onceForEach";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { proxyJourneys, otherJourneys } from "./otherJourneys";
import type { Journey } from "./model";
import { tunnelJourneys, podJourneys } from "./tunnels";
import { namespaceJourneys } from "./namespaceJourneys";
import { nodeApiJourney } from "./nodeApi";
import { serviceJourneys } from "./serviceJourneys";
import { NO_SURROUNDINGS, type Surroundings } from "./surroundings";

/**
 * Every documented flow of a hosted cluster on its whole way. `surroundings` is what the plan says besides the topology:
 * without it no namespace has an egress firewall, and nodes encrypt nothing. Neither ever changes: journeys are made once.
 */
export const journeys = (topology: NormalizedTopology, surroundings = NO_SURROUNDINGS): readonly Journey[] =>
  made(topology, surroundings);

const made = onceForBoth((topology: NormalizedTopology, surroundings: Surroundings): readonly Journey[] => {
  const published = serviceJourneys(topology, surroundings);
  return [
    ...published,
    nodeApiJourney(topology, published),
    ...tunnelJourneys(topology, surroundings, published),
    ...otherJourneys(topology),
    ...proxyJourneys(topology),
    ...podJourneys(topology, surroundings),
    ...namespaceJourneys(topology, surroundings, published),
  ];
});
