import { readHost } from "../address";
import { PORT } from "../requirements/ports";
import { port } from "../requirements/requirement";
import { Phase, Protocol, Zone } from "../requirements/vocabulary";
import { workers } from "../topology/flows/peers";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { FlowPeer } from "../topology/requiredFlow";
import { byNodes, leavingWorkers, type Ports } from "./hosts";
import type { Journey } from "./journey";
import { Outside } from "./outside";

/** A proxy of the hosted cluster, as packets to it see it. */
export interface ProxyEndpoint {
  setting: "httpProxy" | "httpsProxy";
  /** Host name or address, without brackets. */
  host: string;
  ports: Ports;
  peer: FlowPeer;
}

const SETTINGS = ["httpProxy", "httpsProxy"] as const;

/** The proxies of a hosted cluster. URLs may hold credentials: host and port alone are taken from them. */
export function proxyEndpoints({ proxy = {} }: NormalizedTopology): ProxyEndpoint[] {
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
    return [{ setting, host, ports: { protocol: Protocol.Tcp, ports: port(number) }, peer }];
  });
}

/** Proxies take the port of their scheme where a URL names none. */
const DEFAULT_PORT: Readonly<Record<string, number>> = { "http:": PORT.http, "https:": PORT.https };

/** Workers reach the proxies, through which they then ask for images and whatever else is outside. */
export const proxyJourneys = (topology: NormalizedTopology): Journey[] =>
  proxyEndpoints(topology).map(({ setting, ports, peer }) => ({
    key: `workers-${setting === "httpProxy" ? "http" : "https"}-proxy`,
    title: `Workers reach the proxy that ${setting} names`,
    from: workers(topology).zone,
    phase: Phase.Always,
    hops: [byNodes(topology, leavingWorkers(topology, ports, [peer]))],
    missing: [],
    outside: [Outside.HttpProxy, Outside.DnsAnswers],
  }));
