import { Phase } from "../requirements/vocabulary";
import { workers } from "../topology/flows/peers";
import { proxyFlows } from "../topology/flows/proxies";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { byNodes, hopOf } from "./hosts";
import type { Journey } from "./journey";
import { Outside } from "./outside";

/** Workers reach the proxies, through which they then ask for images and whatever else is outside. */
export const proxyJourneys = (topology: NormalizedTopology): Journey[] =>
  proxyFlows(topology).map((flow) => ({
    key: `workers-${flow.key}`,
    title: flow.purpose,
    from: workers(topology).zone,
    phase: Phase.Always,
    hops: [byNodes(topology, hopOf(topology, flow))],
    missing: [],
    outside: [Outside.HttpProxy, Outside.DnsAnswers],
  }));
