import { NAMESPACE_LABEL, POD_LABEL, POLICY_GROUP } from "../requirements/networkPolicies";
import { LISTENER, ROUTER, type Listener } from "../requirements/publishedServices";
import { port } from "../requirements/requirement";
import { Protocol, PublishingType, Zone, type Service } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { servingPods } from "../topology/publishedPorts";
import type { FlowPeer } from "../topology/requiredFlow";
import { routerOf } from "../topology/routers";
import type { PodHop, PodSender } from "./journey";

/** Node ports and load balancers put other addresses in the place of the clients', and nobody says which. */
const HIDDEN: FlowPeer = { zone: Zone.Any, input: "" };

/** The pods behind a published service, as their network policies see what comes in. */
export function podHops(
  topology: NormalizedTopology,
  service: Service,
  { type, isPrivate }: { type: PublishingType; isPrivate: boolean },
): PodHop[] {
  const hop = ({ app, port: number }: Listener, from: PodHop["from"]): PodHop => ({
    kind: "pods",
    app,
    from,
    protocol: Protocol.Tcp,
    ports: port(number),
    sources: [HIDDEN],
    destinations: [],
    service,
  });
  const listeners = servingPods(topology, service);
  if (type !== PublishingType.Route) return listeners.map((listener) => hop(listener, "addresses"));
  return routerOf(topology, isPrivate) === ROUTER.own
    ? [hop(LISTENER.router, "addresses"), ...listeners.map((listener) => hop(listener, OWN_ROUTER))]
    : listeners.map((listener) => hop(listener, MANAGEMENT_ROUTER));
}

const OWN_ROUTER: PodSender = { labels: { [POD_LABEL.app]: LISTENER.router.app } };
const MANAGEMENT_ROUTER: PodSender = {
  namespaceLabels: { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.ingress },
  labels: {},
};
