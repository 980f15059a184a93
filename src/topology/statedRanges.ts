import { enclosedBy, type Prefix, readHost } from "../address";
import type { ImplicitRange } from "../requirements/implicitRanges";
import type { InternalSubnetProperty } from "../requirements/internalSubnets";
import { serviceName, serviceProperty } from "../requirements/publishedServices";
import { Service } from "../requirements/vocabulary";
import { entryPaths, type NormalizedTopology, type surroundingLists } from "./normalizedTopology";
import { proxyHosts } from "./proxy/apiProxy";

/**
 * What a range is for, which decides what it may overlap. `infrastructure` has to be apart from the machines too, `surrounding` may
 * hold them; `dialled` is a single address that pods or nodes connect to.
 */
export type RangeKind =
  | "machineNetwork"
  | "clusterNetwork"
  | "serviceNetwork"
  | InternalSubnetProperty
  | "advertiseAddress"
  | "infrastructure"
  | "surrounding"
  | "dialled"
  | "implicit";

/** An address range that a hosted cluster takes or that lies around it. */
export interface ReservedRange {
  /** What it is, as the subject of a sentence: `the machine network`, `OVN's default join subnet`, `infrastructure network corporate`. */
  name: string;
  kind: RangeKind;
  prefix: Prefix;
  /** The topology property that says it, `machineNetwork[0].cidr`; for a default range the one that would replace it. */
  path?: string;
  /** True where it is a default: the user did not write it. */
  implicit: boolean;
  /** The row of a range that clusters take by default. */
  row?: ImplicitRange;
  /** Of a cluster network: how large the part of each node is. */
  hostPrefix?: number;
  /** True where somebody in it is meant, and not everybody: users, registries, public addresses. */
  meansSome?: true;
}

/** Where a topology says the address of the API server's node port. */
export const API_SERVER_ADDRESS = `services.${serviceProperty[Service.APIServer]}.address`;

type StatedList = Exclude<(typeof surroundingLists)[number], "workerCidrs">;

/** Whose addresses the lists of a topology are. Machines may stand in the same networks. */
const STATED_LISTS: Readonly<Record<StatedList, string>> = {
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
const MEAN_SOME: ReadonlySet<string> = new Set<StatedList>([
  "externalClientCidrs",
  "registryCidrs",
  "controlPlaneEndpointCidrs",
]);

/**
 * Whom pods and nodes talk to, as the topology says it: what the cluster has for itself must be apart from their addresses. Everybody
 * (0.0.0.0/0) is no network, and what lies in the management cluster's network is said with that.
 */
export function statedRanges(topology: NormalizedTopology): ReservedRange[] {
  const isManagements = enclosedBy(topology.managementClusterCidrs);
  const lists = Object.entries(STATED_LISTS) as [StatedList, string][];
  const blocks = lists.flatMap(([property, name]) => {
    const paths = entryPaths(topology, property, topology[property].length);
    return topology[property]
      .map((prefix, position) => ({
        name,
        prefix,
        path: paths[position]!,
        kind: "surrounding" as const,
        implicit: false,
        ...(MEAN_SOME.has(property) && { meansSome: true as const }),
      }))
      .filter(({ prefix }) => property === "managementClusterCidrs" || !isManagements(prefix));
  });
  return [...blocks, ...statedAddresses(topology)].filter(({ prefix }) => prefix.length > 0);
}

/** Single addresses: where nodes reach node ports, and proxies. Those that are host names are none. */
export function statedAddresses(topology: NormalizedTopology): ReservedRange[] {
  const published = Object.values(Service).map((service) => ({
    name: `the node-port address of ${serviceName[service]}`,
    host: topology.services[service].address,
    path: `services.${serviceProperty[service]}.address`,
  }));
  const proxies = proxyHosts(topology).map(({ setting, host }) => ({
    name: "the proxy",
    host,
    path: `proxy.${setting}`,
  }));
  return [...published, ...proxies].flatMap(({ host, ...place }) => {
    const prefix = host === undefined ? undefined : readHost(host);
    return prefix ? [{ ...place, prefix, kind: "dialled" as const, implicit: false }] : [];
  });
}
