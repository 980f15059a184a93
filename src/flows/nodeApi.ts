import { readHost } from "../address";
import { NodeApiProxy, apiProxyChoice, nodeApiHost } from "../topology/proxy/apiProxy";
import { port } from "../requirements/requirement";
import { Phase, Protocol, Zone } from "../requirements/vocabulary";
import { nodeApiServerPort } from "../topology/publishing";
import { workers } from "./peers";
import { proxyEndpoints } from "./required/proxies";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { byNodes, hopOf } from "./hosts";
import type { Journey, MissingInput, SeenPackets } from "./model";
import { Outside } from "../requirements/outsideModel";

/** A part of a way that several journeys have in common. */
export type Stretch = Pick<Journey, "hops" | "missing" | "outside">;

/** Packets to the address at which each node answers for the API server, behind the service `kubernetes`. */
export function nodeApiPackets(topology: NormalizedTopology): SeenPackets {
  const host = readHost(nodeApiHost(topology));
  const unsaid = unsaidAddress(topology);
  const known = host && { prefixes: [host] };
  return {
    protocol: Protocol.Tcp,
    ...(isUnknown(topology, "apiServerPort")
      ? { portInput: "apiServerPort" }
      : { ports: port(nodeApiServerPort(topology)) }),
    sources: [],
    destinations: [
      {
        zone: Zone.Localhost,
        input: unsaid ?? "advertiseAddress",
        ...(unsaid === undefined ? known : { unknown: true }),
      },
    ],
  };
}

/** The property without which the address is unknown; by default it is of the service network's family. */
function unsaidAddress(topology: NormalizedTopology): string | undefined {
  if (isUnknown(topology, "advertiseAddress")) return "advertiseAddress";
  return topology.advertiseAddress === undefined && isUnknown(topology, "serviceNetwork")
    ? "serviceNetwork"
    : undefined;
}

/**
 * From the API proxy on a node to the API server: as workers reach it, or through the HTTP proxy of the cluster where
 * HyperShift chooses the proxy that does so. `published` are the ways to published services.
 */
export function nodeApiStretch(topology: NormalizedTopology, published: readonly Journey[]): Stretch {
  const listener = listenerOf(topology);
  const through = listener === NodeApiProxy.ControlPlaneOperator ? throughHttpProxy(topology) : undefined;
  const onward = through ?? published.find(({ key }) => key === "workers-kube-apiserver");
  const unsaid: MissingInput[] = isUnknown(topology, "proxy")
    ? [{ input: "proxy", why: "whether nodes reach the API server through an HTTP proxy" }]
    : [];
  return {
    hops: [{ kind: "node", listener, ...nodeApiPackets(topology) }, ...(onward?.hops ?? [])],
    missing: [...unsaid, ...(onward?.missing ?? [])],
    outside: [Outside.NodeListeners, ...(onward?.outside ?? [])],
  };
}

function listenerOf(topology: NormalizedTopology): NodeApiProxy {
  const { httpsProxy, noProxy = "" } = topology.proxy ?? {};
  const entries = noProxy.split(",").map((entry) => entry.trim());
  const isSet = httpsProxy !== undefined && httpsProxy !== "";
  return apiProxyChoice(topology, { httpsProxy: isSet, noProxy: entries }).proxy;
}

function throughHttpProxy(topology: NormalizedTopology): Stretch | undefined {
  const proxy = proxyEndpoints(topology).find(({ setting }) => setting === "httpsProxy");
  return (
    proxy && {
      hops: [byNodes(topology, hopOf(topology, proxy.flow))],
      missing: [],
      outside: [Outside.HttpProxy, Outside.DnsAnswers],
    }
  );
}

/** Kubelets and pods of a node reach the API server by the proxy on it. */
export const nodeApiJourney = (topology: NormalizedTopology, published: readonly Journey[]): Journey => ({
  key: "workers-node-api-proxy",
  title: `Kubelets and pods on workers reach the API server by the proxy on their node`,
  from: workers(topology).zone,
  phase: Phase.Always,
  ...nodeApiStretch(topology, published),
});
