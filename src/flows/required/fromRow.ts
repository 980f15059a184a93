import { serviceKey } from "../../requirements/publishedServices";
import { describeReference } from "../../requirements/documents";
import { port, type Requirement } from "../../requirements/requirement";
import {
  Direction,
  type Perspective,
  Protocol,
  Role,
  type Service,
  Zone,
} from "../../requirements/vocabulary";
import { reachedPrivately } from "../../requirements/platforms";
import { onceForEach } from "../../collections";
import { releaseWithin } from "../../requirements/release";
import { requirementOf, requirements } from "../../requirements/requirements";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { PROXY_URLS, type ProxyHost, proxyHosts } from "../../topology/proxy/apiProxy";
import { type FlowPeer, type RequiredFlow, View } from "../model";
import { readHost } from "../../address";
import { NODES_REACH_PROXY, proxyFacts } from "../../requirements/proxyFacts";

/** What a flow adds to its row or changes. */
type Particulars = Pick<RequiredFlow, "key" | "peers"> &
  Partial<Omit<RequiredFlow, "requirement" | "direction" | "role">>;

/** The flow that a row requires of a role, with what the topology adds or changes. */
export function flowOf(
  row: Requirement,
  role: Role,
  { notes = [], ...particulars }: Particulars,
): RequiredFlow {
  return {
    requirement: row.id,
    role,
    direction: row.direction,
    protocol: row.protocol,
    ...(row.ports && { ports: row.ports }),
    view: View.Documented,
    phase: row.phase,
    purpose: row.purpose,
    optIn: false,
    publicAllowed: row.publicAllowed ?? row.direction === Direction.Egress,
    notes: notes.length > 0 ? [...rowNotes(row), ...notes] : rowNotes(row),
    documents: documentsOf(row),
    ...particulars,
  };
}

/** The remarks of a row. */
const rowNotes = onceForEach(({ note, upstream }: Requirement): readonly string[] => [
  ...(note ? [note] : []),
  ...(upstream ? [`Upstream: ${upstream}`] : []),
]);

/** The documents of a row, as findings name them. */
const documentsOf = onceForEach(({ documents }: Requirement): readonly string[] =>
  documents.map(describeReference),
);

/** Whether a row holds for a cluster: platform, strategy of its service, release, private access. */
export function holds(row: Requirement, topology: NormalizedTopology): boolean {
  const strategies = row.service ? [topology.services[row.service].type] : strategiesOf(topology);
  const { platform, release } = topology;
  return (
    row.platforms.includes(platform) &&
    !row.upstreamRejects.includes(platform) &&
    strategies.some(
      (strategy) =>
        strategy !== undefined &&
        row.publishing.includes(strategy) &&
        !row.replacedOn.some(
          (replacement) =>
            replacement.platform === platform && (replacement.publishing ?? strategy) === strategy,
        ),
    ) &&
    (!row.releases || !release || releaseWithin(release, row.releases)) &&
    (!row.privateOnly || reachedPrivately(topology.endpointAccess)) &&
    row.openInFirewall
  );
}

/** The rows that hold, by id. */
export function holdingRows(topology: NormalizedTopology, perspective: Perspective, direction: Direction) {
  const rows = requirements.filter(
    (row) => row.perspective === perspective && row.direction === direction && holds(row, topology),
  );
  return new Map<string, Requirement>(rows.map((row) => [row.id, row]));
}

const strategiesOf = ({ services }: NormalizedTopology) => Object.values(services).map(({ type }) => type);

/** The key of the flow to the node port of a service: a key of its own if the topology states the port. */
export const nodePortKey = ({ services }: NormalizedTopology, service: Service): string =>
  services[service].nodePort === undefined ? UNPINNED : `${serviceKey[service]}-node-port`;

/** The key of the flow to all services whose node port the topology does not state. */
export const UNPINNED = "node-ports";

/** A proxy of the hosted cluster, with the flow to it. */
export interface ProxyEndpoint extends Pick<ProxyHost, "setting" | "host"> {
  /** The flow from workers to it. Its peer has no addresses if the proxy is given by a DNS name. */
  flow: RequiredFlow;
}

/** The documented fact about proxies, because no row of the documents has their port. */
export const REACH_PROXY = proxyFacts.find(({ id }) => id === NODES_REACH_PROXY)!;

/**
 * The proxies of a hosted cluster, through which workers pull images and call other services outside. Without a proxy, workers would
 * use HTTPS for that.
 */
export function proxyEndpoints(topology: Pick<NormalizedTopology, "proxy">): ProxyEndpoint[] {
  return proxyHosts(topology).map((proxy) => ({ ...proxy, flow: proxyFlow(proxy) }));
}

function proxyFlow({ setting, host, port: number }: ProxyHost): RequiredFlow {
  const address = readHost(host);
  const peer: FlowPeer = {
    zone: Zone.HttpProxy,
    input: `proxy.${setting}`,
    ...(address && { prefixes: [address] }),
  };
  return flowOf(requirementOf("wk-out-443"), Role.Workers, {
    key: `${setting === "httpProxy" ? "http" : "https"}-proxy`,
    protocol: Protocol.Tcp,
    ports: port(number),
    peers: [peer],
    view: View.Hop,
    purpose: `Workers reach the proxy that ${setting} names`,
    documents: REACH_PROXY.documents.map(describeReference),
  });
}

/** The flows to proxies whose URLs, and so addresses and ports, are not known yet. */
export const unknownProxyFlows = (topology: NormalizedTopology): RequiredFlow[] =>
  PROXY_URLS.filter((setting) => isUnknown(topology, `proxy.${setting}`)).map((setting) => {
    const { ports: _unknown, ...flow } = proxyFlow({ setting, host: "", port: 0 });
    return flow;
  });

/** The flows from workers to their proxies. */
export const proxyFlows = (topology: NormalizedTopology): RequiredFlow[] =>
  proxyEndpoints(topology).map(({ flow }) => flow);
