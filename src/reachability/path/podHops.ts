import { NAMESPACE_LABEL, POD_LABEL, POLICY_GROUP } from "../../requirements/networkPolicies";
import { PORT } from "../../requirements/ports";
import { port } from "../../requirements/requirement";
import { Platform, Protocol, PublishingType, Service, Zone } from "../../requirements/vocabulary";
import { podApiServerPort } from "../../topology/apiServerPorts";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { FlowPeer } from "../../topology/requiredFlow";
import { servedByManagementRouter } from "../../topology/routers";
import type { PodHop, PodSender } from "./journey";

/** Pods that serve something, and the port at which they listen. */
interface Listener {
  app: string;
  port: number;
}

const ROUTER: Listener = { app: "private-router", port: PORT.privateRouterHttps };

/** The pods of a service. Releases differ in whether the konnectivity server has pods of its own: both count. */
function listenersOf(topology: NormalizedTopology, service: Service): Listener[] {
  const isIbmCloud = topology.platform === Platform.IBMCloud;
  switch (service) {
    case Service.APIServer:
      return [{ app: "kube-apiserver", port: podApiServerPort(topology) }];
    case Service.OAuthServer:
      return [{ app: "oauth-openshift", port: PORT.oauthPod }];
    case Service.Konnectivity:
      return ["konnectivity-server", "kube-apiserver"].map((app) => ({ app, port: PORT.konnectivity }));
    case Service.Ignition:
      return isIbmCloud
        ? [{ app: "ignition-server", port: PORT.ignitionServer }]
        : [{ app: "ignition-server-proxy", port: PORT.ignitionProxy }];
  }
}

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
  const listeners = listenersOf(topology, service);
  if (type !== PublishingType.Route) return listeners.map((listener) => hop(listener, "addresses"));
  return isPrivate || !servedByManagementRouter(topology)
    ? [hop(ROUTER, "addresses"), ...listeners.map((listener) => hop(listener, OWN_ROUTER))]
    : listeners.map((listener) => hop(listener, MANAGEMENT_ROUTER));
}

const OWN_ROUTER: PodSender = { labels: { [POD_LABEL.app]: ROUTER.app } };
const MANAGEMENT_ROUTER: PodSender = {
  namespaceLabels: { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.ingress },
  labels: {},
};
