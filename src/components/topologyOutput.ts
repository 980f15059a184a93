import * as pulumi from "@pulumi/pulumi";
import { serviceProperty } from "../requirements/publishedServices";
import { endpointAccessModes } from "../requirements/platforms";
import { Service } from "../requirements/vocabulary";
import type { HostedClusterTopology, PublishedService } from "../topology/hostedClusterTopology";
import { writtenPrefix } from "../topology/addressBlocks";
import type { NormalizedService, NormalizedTopology } from "../topology/normalizedTopology";
import { PROXY_URLS } from "../topology/proxy/apiProxy";
import { withAddresses } from "./addresses";
import { leafwise } from "./leafwise";
import { proxyRows, requiredFlowRows, type RequiredFlowRow } from "./requiredFlowRows";
import { isEventual } from "./settled";

/**
 * The topology that a component registers as an output: as it was given, with its defaults written out and without
 * credentials. Policies read it again as a topology.
 */
export function topologyOutput(
  given: HostedClusterTopology,
  normal: NormalizedTopology,
): HostedClusterTopology {
  const { namespace, platform, endpointAccess, services, clusterNetwork, serviceNetwork, bootstrap } = normal;
  return {
    ...withoutCredentials(given),
    namespace,
    ...(endpointAccessModes(platform).length > 0 && { endpointAccess }),
    services: Object.fromEntries(
      Object.values(Service).map((service) => [serviceProperty[service], serviceOutput(services[service])]),
    ),
    clusterNetwork: clusterNetwork.map(({ prefix, hostPrefix }) => ({
      cidr: writtenPrefix(prefix),
      hostPrefix,
    })),
    serviceNetwork: serviceNetwork.map((prefix) => ({ cidr: writtenPrefix(prefix) })),
    bootstrap,
  };
}

/** The topology as it may stand in the state: without the credentials that URLs of proxies can hold. */
export function withoutCredentials<T>(topology: T): T {
  const { proxy } = (topology ?? {}) as { proxy?: unknown };
  if (typeof proxy !== "object" || proxy === null || isEventual(proxy)) return topology;
  const cleaned = Object.entries(proxy).map(([name, value]: [string, unknown]) => [name, cleanUrl(value)]);
  return { ...topology, proxy: Object.fromEntries(cleaned) as unknown };
}

/** A URL without credentials; one that is not known yet is cleaned when it is. */
function cleanUrl(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/^([a-z]+:\/\/)?.*@/i, "$1");
  return pulumi.Output.isInstance(value) || value instanceof Promise
    ? pulumi.output(value).apply(cleanUrl)
    : value;
}

/** Topologies are plain, so their services have a type. */
const serviceOutput = (service: NormalizedService): PublishedService => ({ ...service }) as PublishedService;

/** The flows of a hosted cluster as an output. Of a proxy whose URL is not known yet, port and address are filled in by themselves. */
export const requiredFlowsOutput = (
  given: HostedClusterTopology,
  normal: NormalizedTopology,
  check: pulumi.Output<unknown>,
): pulumi.Output<RequiredFlowRow[]> =>
  leafwise([
    ...withAddresses(requiredFlowRows(normal), normal, given, check),
    ...eventualProxyRows(given, check),
  ]) as pulumi.Output<RequiredFlowRow[]>;

type EventualRow = { readonly [field in keyof RequiredFlowRow]: pulumi.Input<RequiredFlowRow[field]> };

function eventualProxyRows({ proxy }: HostedClusterTopology, check: pulumi.Output<unknown>): EventualRow[] {
  return PROXY_URLS.flatMap((setting) => {
    const url = proxy?.[setting];
    if (!isEventual(url)) return [];
    // Whatever the URL is, the row is that of a proxy.
    const [row] = proxyRows({ proxy: { [setting]: "http://proxy" } });
    const rowOf = pulumi
      .all([url, check])
      .apply(([known]) => proxyRows({ proxy: { [setting]: known ?? "" } })[0]);
    return [
      {
        ...row!,
        ports: rowOf.apply((known) => known?.ports ?? ""),
        peers: rowOf.apply((known) => known?.peers ?? []),
      },
    ];
  });
}
