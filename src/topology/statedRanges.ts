import { enclosedBy, type Prefix, readHost } from "../address";
import type { ImplicitRange } from "../requirements/implicitRanges";
import type { InternalSubnetProperty } from "../requirements/internalSubnets";
import { serviceName, serviceProperty } from "../requirements/publishedServices";
import { Service } from "../requirements/vocabulary";
import { entryPaths, type NormalizedTopology, type surroundingLists } from "./normalizedTopology";
import { proxyHosts } from "./proxy/apiProxy";

/**
 * The purpose of a range, which decides what it may overlap. `infrastructure` must not overlap the machines
 * either, `surrounding` may contain them; `dialled` is a single address that pods or nodes connect to.
 */
export type RangeKind =
  | "machineNetwork"
  | "clusterNetwork"
  | "serviceNetwork"
  | InternalSubnetProperty
  | "masqueradeSubnet"
  | "advertiseAddress"
  | "infrastructure"
  | "surrounding"
  | "dialled"
  | "implicit";

/** An address range that a hosted cluster uses or that is around it. */
export interface ReservedRange {
  /** The range as the subject of a sentence: `the machine network`, `OVN's default join subnet`, `infrastructure network corporate`. */
  name: string;
  kind: RangeKind;
  prefix: Prefix;
  /** The topology property that states it, `machineNetwork[0].cidr`; for a default range, the property that would replace it. */
  path?: string;
  /** True for a default: the user did not write it. */
  implicit: boolean;
  /** The row of a range that clusters use by default. */
  row?: ImplicitRange;
  /** Of a cluster network: the prefix length of each node's subnet. */
  hostPrefix?: number;
  /** True if only some of its addresses are meant: users, registries, public addresses. */
  meansSome?: true;
}

/** The topology property with the address of the API server's node port. */
export const API_SERVER_ADDRESS = `services.${serviceProperty[Service.APIServer]}.address`;

type StatedList = Exclude<(typeof surroundingLists)[number], "workerCidrs">;

/** Owners of the addresses in the lists of a topology. Machines may be in the same networks. */
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

/** Lists that mean only some addresses of a block: a company's 10.0.0.0/8 holds pods too, and no input states where its users are. */
const MEAN_SOME: ReadonlySet<string> = new Set<StatedList>([
  "externalClientCidrs",
  "registryCidrs",
  "controlPlaneEndpointCidrs",
]);

/**
 * The stated networks that pods and nodes talk to: the cluster's own ranges must not share their addresses. Omits
 * 0.0.0.0/0, which is not a network, and blocks inside the management cluster's network, which that network covers.
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

/** Single addresses: those at which nodes reach node ports, and proxies. Omits host names. */
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
