import {
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  POD_LABEL,
  POLICY_GROUP,
} from "../requirements/networkPolicies";
import { LISTENER, type Listener, ROUTER } from "../requirements/publishedServices";
import { port } from "../requirements/requirement";
import { requirementOf } from "../requirements/requirements";
import { Direction, Protocol, PublishingType, Role, type Service, Zone } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { routerOf, servingPods } from "../topology/publishing";
import type { FlowPeer, PodHop, PodSender, RequiredFlow, SenderHop } from "./model";

/** Node ports and load balancers put other addresses in the place of the clients', and it is not stated which. */
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

/** Flows that pods of the control plane send; the rest is sent by nodes. DNS servers are pods to them, behind a service. */
const SENT: ReadonlyMap<string, string | undefined> = new Map([
  ["https", undefined],
  ["management-api", undefined],
  ["dns-tcp", "up-openshift-dns-tcp"],
  ["dns-udp", "up-openshift-dns-udp"],
]);

/** Pods of the control plane as they send a flow of its hosts, before these do. */
export function senderHops({ role, direction, key, protocol, ports, peers }: RequiredFlow): SenderHop[] {
  if (role !== Role.ControlPlane || direction !== Direction.Egress || !SENT.has(key)) return [];
  const row = SENT.get(key);
  const seen = row === undefined ? { protocol, ...(ports && { ports }) } : portsOf(row);
  return [
    {
      kind: "senders",
      ...seen,
      sources: [],
      destinations: row === undefined ? peers : [],
      to: row === undefined ? "addresses" : { [NAMESPACE_LABEL.name]: MANAGEMENT_NAMESPACE.dns },
    },
  ];
}

function portsOf(row: string) {
  const { protocol, ports } = requirementOf(row);
  return { protocol, ...(ports && { ports }) };
}
