import type { Prefix } from "../../../address";
import { Direction, PublishingType, type Service, Zone, Role } from "../../../requirements/vocabulary";
import { onceForBoth } from "../../../collections";
import { possibleFlows } from "../../../flows/required/requiredFlows";
import {
  dialingWorkers,
  endpointOf,
  externalClients,
  isPrivatePath,
  nodePortPeers,
} from "../../../flows/peers";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import {
  flowKey,
  type RequiredFlow,
  type HostHop,
  type Hop,
  type Journey,
  type SeenPackets,
} from "../../../flows/model";
import { distinctRows, meet, rowsBehind } from "../describeAnswer";
import { hostFlows, hostsOf } from "../../../flows/hops";
import { journeys } from "../../../flows/journeys";
import type { Surroundings } from "../../../flows/surroundings";
import { hostPlace, placeOf } from "../places";
import type { ExplainedFlow } from "./explanation";

/** A place that packets of a flow must pass. */
export interface PlaceAsked extends Pick<ExplainedFlow, "key" | "purpose" | "place"> {
  seen: SeenPackets;
  /** Addresses of NAT that workers may have there in addition to their own; documents do not mention them. */
  behindNat?: readonly Prefix[];
  /** True for what may be opened but need not be. */
  isPossible?: true;
  /** Ids of the rows that require it. */
  requirements: () => string[];
}

/**
 * Everything that the flows of a cluster need: at every place that `check` and `prove` judge, and between them where clients dial. Cached,
 * because the places are the same for every packet that a user asks about.
 */
export const placesAsked = onceForBoth(
  (topology: NormalizedTopology, surroundings: Surroundings): readonly PlaceAsked[] => {
    const ways = journeys(topology, surroundings);
    return [
      ...atHosts(topology),
      ...ways.flatMap((way) => onTheWay(topology, way)),
      ...dialled(topology, ways),
    ];
  },
);

const atHosts = (topology: NormalizedTopology): PlaceAsked[] => [
  ...[...hostFlows(topology).values()].map((flow) => placeOfFlow(topology, flow)),
  ...possibleFlows(topology).map((flow) => ({ ...placeOfFlow(topology, flow), isPossible: true as const })),
];

function placeOfFlow(topology: NormalizedTopology, flow: RequiredFlow): PlaceAsked {
  const hosts = hostsOf(topology, flow.role);
  const own = [hosts];
  const isIngress = flow.direction === Direction.Ingress;
  const peers = flow.peers.flatMap((peer) =>
    peer.zone === Zone.SameSecurityGroup ? [{ ...hosts, zone: peer.zone }, hosts] : [peer],
  );
  return {
    key: flowKey(flow),
    purpose: flow.purpose,
    place: hostPlace(flow),
    ...(isIngress && flow.role === Role.ControlPlane && { behindNat: topology.workerNatCidrs }),
    seen: { ...flow, sources: isIngress ? peers : own, destinations: isIngress ? own : peers },
    requirements: () => [flow.requirement],
  };
}

const onTheWay = (topology: NormalizedTopology, journey: Journey): PlaceAsked[] =>
  journey.hops.map((hop) => ({
    ...placeIn(journey, placeOf(hop), sentBy(topology, hop)),
    requirements: () => rowsBehind(topology, journey, hop).map(({ id }) => id),
  }));

/** Filters of sending pods do not check the sender's address: it is the pod's own or, outside the cluster, its node's. */
function sentBy(topology: NormalizedTopology, hop: Hop): SeenPackets {
  if (hop.kind !== "senders" && hop.kind !== "namespace") return hop;
  const isHosted = hop.kind === "namespace" && hop.cluster === "hosted";
  const node = hostsOf(topology, isHosted ? Role.Workers : Role.ControlPlane);
  const pods = topology.clusterNetwork.map(({ prefix }) => prefix);
  return {
    ...hop,
    sources: isHosted ? [node, { zone: Zone.Pods, input: "clusterNetwork", prefixes: pods }] : [node],
  };
}

const placeIn = ({ key, title }: Journey, place: string, seen: SeenPackets) => ({
  key,
  purpose: title,
  place,
  seen,
});

/** Whether the address of a node port is none of the management cluster's nodes: a load balancer before them. */
const isBeforeNodes = (topology: NormalizedTopology, service: Service): boolean =>
  nodePortPeers(topology, [service])
    .slice(1)
    .some(({ prefixes }) => prefixes);

/** What reaches load balancers and routers from outside: workers behind NAT, and users. No filter of a plan is there. */
function dialled(topology: NormalizedTopology, ways: readonly Journey[]): PlaceAsked[] {
  const isDeparture = (hop: Hop): hop is HostHop =>
    hop.kind === "hosts" && hop.role === Role.Workers && hop.direction === Direction.Egress;
  return ways.flatMap((journey): PlaceAsked[] => {
    const { service, from } = journey;
    const isUser = from === Zone.ExternalClients;
    if (service === undefined) return [];
    const isNodePort = topology.services[service].type === PublishingType.NodePort;
    if (isNodePort && !isBeforeNodes(topology, service)) return [];
    const isPrivate = isPrivatePath(topology, service, from);
    if (!isUser && !isNodePort && isPrivate) return [];
    const departure = ways.find((way) => way.service === service && way.from === Zone.Workers);
    const hop = departure?.hops.find(isDeparture);
    if (!hop) return [];
    const seen = {
      ...hop,
      sources: isUser ? [externalClients(topology)] : dialingWorkers(topology),
      ...(!isNodePort && { destinations: [endpointOf(topology, Zone.ControlPlane, isPrivate)] }),
    };
    const zones = new Set(seen.sources.map(({ zone }) => zone));
    const arriving = () =>
      [...hostFlows(topology).values()].filter(
        ({ role, direction, protocol, ports, peers }) =>
          role === Role.ControlPlane &&
          direction === Direction.Ingress &&
          protocol === hop.protocol &&
          meet(ports, hop.ports) &&
          peers.some(({ zone }) => zones.has(zone)),
      );
    const rows = () => [
      ...rowsBehind(topology, journey, hop).map(({ id }) => id),
      ...arriving().map(({ requirement }) => requirement),
    ];
    return [
      {
        ...placeIn(
          journey,
          isNodePort ? "address of the node port" : "load balancer or router before the control plane",
          seen,
        ),
        requirements: () => distinctRows(rows()).map(({ id }) => id),
      },
    ];
  });
}
