import { enclosedBy, readHost } from "../../address";
import { proxyEndpoints } from "../../flows/required/fromRow";
import type { JudgedCluster } from "../../gate/clusters";
import { serviceName, serviceProperty } from "../../requirements/publishedServices";
import { Service } from "../../requirements/vocabulary";
import type { Origin } from "../../resources/resource";
import type { NormalizedTopology, surroundingLists } from "../../topology/normalizedTopology";
import type { ReservedRange } from "../../topology/reservedRanges";

/** A range of a hosted cluster, or of a network around it, with the place that says it. */
export interface JudgedRange extends ReservedRange {
  origin: Origin;
  /** The place in the resource or file. */
  at: string;
  /** True where somebody in it is meant, and not everybody: users, registries, public addresses. */
  meansSome?: true;
}

/** A network around a cluster; `hard` where even the machines' addresses must be apart from it. */
export interface Around {
  range: JudgedRange;
  hard: boolean;
}

/** Where a topology says the address of the API server. */
export const API_SERVER_ADDRESS = `services.${serviceProperty[Service.APIServer]}.address`;

/** Whose addresses the lists of a topology are. Machines may stand in the same networks. */
const STATED_LISTS: Readonly<Record<Exclude<(typeof surroundingLists)[number], "workerCidrs">, string>> = {
  managementClusterCidrs: "the management cluster's network",
  loadBalancerSubnetCidrs: "the load balancers' subnet",
  workerNatCidrs: "the workers' NAT address",
  managementClusterNatCidrs: "the management cluster's NAT address",
  externalClientCidrs: "the users' network",
  controlPlaneEndpointCidrs: "the published services' address",
  dnsServerCidrs: "the DNS servers' network",
  registryCidrs: "the registries' network",
};

/** Blocks in which some are meant: a company's 10.0.0.0/8 holds pods too, and no input says whether one of its users has their address. */
const MEAN_SOME: ReadonlySet<string> = new Set([
  "externalClientCidrs",
  "registryCidrs",
  "controlPlaneEndpointCidrs",
]);

/**
 * Whom pods and nodes talk to, as the topology says it: what the cluster has for itself must be apart from their addresses. Everybody
 * (0.0.0.0/0) is no network, and what lies in the management cluster's network is said with that.
 */
export function statedRanges(cluster: JudgedCluster, topology: NormalizedTopology): Around[] {
  const isManagements = enclosedBy(topology.managementClusterCidrs);
  const lists = Object.entries(STATED_LISTS) as [keyof typeof STATED_LISTS, string][];
  const blocks = lists.flatMap(([property, name]) =>
    topology[property]
      .map((prefix, position) => ({
        name,
        prefix,
        path: `${property}[${position}]`,
        kind: "infrastructure" as const,
        ...(MEAN_SOME.has(property) && { meansSome: true as const }),
      }))
      .filter(({ prefix }) => property === "managementClusterCidrs" || !isManagements(prefix)),
  );
  return [...blocks, ...statedAddresses(topology)]
    .filter(({ prefix }) => prefix.length > 0)
    .map(({ path, ...range }) => {
      const { resource: origin, path: at } = cluster.locate(path);
      return { range: { ...range, path, implicit: false, origin, at }, hard: false };
    });
}

/** Single addresses: where nodes reach node ports, and proxies. Those that are host names are none. */
function statedAddresses(
  topology: NormalizedTopology,
): (Pick<JudgedRange, "name" | "prefix" | "kind"> & { path: string })[] {
  const published = Object.values(Service).map((service) => ({
    name: `the node-port address of ${serviceName[service]}`,
    host: topology.services[service].address,
    path: `services.${serviceProperty[service]}.address`,
  }));
  const proxies = proxyEndpoints(topology).map(({ setting, host }) => ({
    name: "the proxy",
    host,
    path: `proxy.${setting}`,
  }));
  return [...published, ...proxies].flatMap(({ host, ...place }) => {
    const prefix = host === undefined ? undefined : readHost(host);
    return prefix ? [{ ...place, prefix, kind: "dialled" as const }] : [];
  });
}
