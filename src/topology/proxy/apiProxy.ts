import { implicitRangeOf } from "../../requirements/implicitRanges";
import { EndpointAccess, Platform, Service } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { dialledPorts, nodeApiServerPort } from "../publishing";
import { bypassingEntry } from "./bypass";

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
  /** The host at which nodes reach the API server from outside, where it is known. */
  apiServerHost?: string | undefined;
}

/** What will listen on the nodes, and why. */
export interface ApiProxyChoice {
  proxy: NodeApiProxy;
  /** The condition that decides, as a sentence. */
  reason: string;
  /** The noProxy entry by which nodes reach the API server without the proxy. */
  bypass?: string;
}

/**
 * HyperShift's choice: the API server is reached through the proxy when there is one for HTTPS, when the control plane is
 * reached over the Internet, and when no entry of noProxy covers the API server.
 */
export function apiProxyChoice(topology: NormalizedTopology, inputs: ApiProxyInputs): ApiProxyChoice {
  const haproxy = (reason: string): ApiProxyChoice => ({ proxy: NodeApiProxy.Haproxy, reason });
  if (!inputs.httpsProxy) return haproxy("no httpsProxy is set, and a proxy for HTTP only does not count");
  const { platform, endpointAccess } = topology;
  if (!reachedOverInternet(topology))
    return haproxy(
      `with endpointAccess ${endpointAccess} nodes on ${platform} reach the control plane without the Internet`,
    );
  const apiServerHost = inputs.apiServerHost ?? topology.services.APIServer.hostname;
  const covered = coverOfApi(topology, inputs.noProxy, apiServerHost);
  if (covered)
    return { ...haproxy(`the noProxy entry ${covered.entry} ${covered.how}`), bypass: covered.entry };
  const unstated = apiServerHost === undefined ? "; the address of the API server outside is not stated" : "";
  return {
    proxy: NodeApiProxy.ControlPlaneOperator,
    reason: `httpsProxy is set, the control plane is reached over the Internet, and no noProxy entry covers the API server${unstated}`,
  };
}

/** The address and port at which pods and kubelets of a node reach the API server. */
export function nodeApiAddress(topology: NormalizedTopology): string {
  const address = nodeApiHost(topology);
  return `${address.includes(":") ? `[${address}]` : address}:${nodeApiServerPort(topology)}`;
}

/** On AWS and Azure private access means that nodes reach the control plane without the Internet. */
function reachedOverInternet({ platform, endpointAccess }: NormalizedTopology): boolean {
  const hasChoice = platform === Platform.AWS || platform === Platform.Azure;
  return !hasChoice || endpointAccess === EndpointAccess.Public;
}

/** The first noProxy entry that HyperShift takes for one that covers the API server, and how it does. */
function coverOfApi(
  topology: NormalizedTopology,
  noProxy: readonly string[],
  apiServerHost: string | undefined,
): { entry: string; how: string } | undefined {
  const { serviceNetwork, clusterNetwork } = topology;
  const internal = nodeApiHost(topology);
  const outside = dialledPorts(topology, Service.APIServer)?.from ?? nodeApiServerPort();
  const rules: [how: string, entry: string | undefined][] = [
    // HyperShift looks for the word anywhere in an entry: kubernetes.default.svc has it, and so has my-kubernetes.example.com.
    ["has the word kubernetes in it", noProxy.find((entry) => entry.includes("kubernetes"))],
    ["is the service network", noProxy.find((entry) => entry === serviceNetwork[0]?.text)],
    ["is the cluster network", noProxy.find((entry) => entry === clusterNetwork[0]?.prefix.text)],
    [`covers ${internal}`, bypassingEntry(noProxy, { host: internal, port: nodeApiServerPort(topology) })],
    [
      `covers ${apiServerHost}`,
      apiServerHost && bypassingEntry(noProxy, { host: apiServerHost, port: outside }),
    ],
  ];
  const [how, entry] = rules.find(([, found]) => found !== undefined && found !== "") ?? [];
  return entry === undefined || how === undefined ? undefined : { entry, how };
}

/** The address at which nodes themselves answer for the API server: of the first service network's family. */
export function nodeApiHost({ advertiseAddress, serviceNetwork }: NormalizedTopology): string {
  if (advertiseAddress) return advertiseAddress.text;
  const id = serviceNetwork[0]?.family === 6 ? "advertise-address-v6" : "advertise-address";
  return implicitRangeOf(id).cidr.split("/")[0]!;
}
