import { readHost } from "../../address";
import { describeReference } from "../../requirements/documents";
import { PORT } from "../../requirements/ports";
import { NODES_REACH_PROXY, proxyFacts } from "../../requirements/proxyFacts";
import { port } from "../../requirements/requirement";
import { requirementOf } from "../../requirements/requirements";
import { Protocol, Zone, Role } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { View, type FlowPeer, type RequiredFlow } from "../model";
import { flowOf } from "./fromRow";

/** A proxy of the hosted cluster, as packets to it see it. */
export interface ProxyEndpoint {
  setting: "httpProxy" | "httpsProxy";
  /** Host name or address, without brackets. */
  host: string;
  /** What leads to it from workers. It has no addresses where the proxy is named. */
  flow: RequiredFlow;
}

const SETTINGS = ["httpProxy", "httpsProxy"] as const;

/** Proxies take the port of their scheme where a URL names none. */
const DEFAULT_PORT: Readonly<Record<string, number>> = { "http:": PORT.http, "https:": PORT.https };

/** The fact that documents state of proxies: no row of theirs has the port. */
export const REACH_PROXY = proxyFacts.find(({ id }) => id === NODES_REACH_PROXY)!;

/**
 * The proxies of a hosted cluster: through them workers ask for images and whatever else is outside, as they would by HTTPS
 * themselves. URLs may hold credentials: only host and port are taken from them.
 */
export function proxyEndpoints({ proxy = {} }: Pick<NormalizedTopology, "proxy">): ProxyEndpoint[] {
  return SETTINGS.flatMap((setting) => {
    const text = proxy[setting] ?? "";
    if (!URL.canParse(text)) return [];
    const url = new URL(text);
    const number = url.port === "" ? DEFAULT_PORT[url.protocol] : Number(url.port);
    if (number === undefined) return [];
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const address = readHost(host);
    const peer: FlowPeer = {
      zone: Zone.HttpProxy,
      input: `proxy.${setting}`,
      ...(address && { prefixes: [address] }),
    };
    const flow = flowOf(requirementOf("wk-out-443"), Role.Workers, {
      key: `${setting === "httpProxy" ? "http" : "https"}-proxy`,
      protocol: Protocol.Tcp,
      ports: port(number),
      peers: [peer],
      view: View.Hop,
      purpose: `Workers reach the proxy that ${setting} names`,
      documents: REACH_PROXY.documents.map(describeReference),
    });
    return [{ setting, host, flow }];
  });
}

/** What leads from workers to their proxies. */
export const proxyFlows = (topology: NormalizedTopology): RequiredFlow[] =>
  proxyEndpoints(topology).map(({ flow }) => flow);
