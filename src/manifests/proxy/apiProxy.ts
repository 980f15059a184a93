import { parseAddress, parsePrefix, containsAddress } from "../../address";
import { implicitRangeOf } from "../../requirements/implicitRanges";
import { EndpointAccess, Platform } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { EVERYTHING } from "./noProxy";

/** What listens on each node at the address of the API server. */
export enum NodeApiProxy {
  /** Forwards connections to the API server as they are. */
  Haproxy = "haproxy",
  /** Reaches the API server through the cluster's proxy, by CONNECT. */
  ControlPlaneOperator = "control-plane-operator",
}

/** The inputs of that choice. */
export interface ApiProxyInputs {
  /** Whether a proxy for HTTPS is set. */
  httpsProxy: boolean;
  /** The user's noProxy entries. */
  noProxy: readonly string[];
}

/** What will listen on the nodes, and which noProxy entry decides it where one does. */
export interface ApiProxyChoice {
  proxy: NodeApiProxy;
  /** The entry by which nodes reach the API server without the proxy. */
  bypass?: string;
}

/**
 * HyperShift's choice: the API server is reached through the proxy when there is one for HTTPS, when the control plane is
 * reached over the Internet, and when no entry of noProxy covers the API server.
 */
export function apiProxyChoice(topology: NormalizedTopology, inputs: ApiProxyInputs): ApiProxyChoice {
  const { httpsProxy, noProxy } = inputs;
  if (!httpsProxy || !reachedOverInternet(topology)) return { proxy: NodeApiProxy.Haproxy };
  const bypass = noProxy.find((entry) => coversApi(topology, entry));
  return bypass === undefined
    ? { proxy: NodeApiProxy.ControlPlaneOperator }
    : { proxy: NodeApiProxy.Haproxy, bypass };
}

/** On AWS and Azure private access means that nodes reach the control plane without the Internet. */
function reachedOverInternet({ platform, endpointAccess }: NormalizedTopology): boolean {
  const hasChoice = platform === Platform.AWS || platform === Platform.Azure;
  return !hasChoice || endpointAccess === EndpointAccess.Public;
}

function coversApi(topology: NormalizedTopology, entry: string): boolean {
  // HyperShift looks for the word anywhere in an entry: kubernetes.default.svc has it, and so has my-kubernetes.example.com.
  if (entry === EVERYTHING || entry.includes("kubernetes")) return true;
  const { serviceNetwork, clusterNetwork, services, advertiseAddress } = topology;
  if (entry === serviceNetwork[0]?.text || entry === clusterNetwork[0]?.prefix.text) return true;
  const hostname = services.APIServer.hostname;
  if (hostname !== undefined && matchesDomain(hostname, entry)) return true;
  const internal = advertiseAddress?.text ?? implicitRangeOf("advertise-address").cidr.split("/")[0]!;
  const { address } = parseAddress(internal);
  const { prefix } = entry.includes("/") ? parsePrefix(entry, { hostBits: "clear" }) : {};
  return (
    entry === internal || (prefix !== undefined && address !== undefined && containsAddress(prefix, address))
  );
}

/** `example.com` covers itself and what is below it, `.example.com` only what is below it. */
function matchesDomain(hostname: string, entry: string): boolean {
  const below = entry.startsWith(".") ? entry : `.${entry}`;
  return hostname === entry || hostname.endsWith(below);
}
