import { serviceProperty } from "../requirements/publishedServices";
import { implicitRanges } from "../requirements/implicitRanges";
import { internalSubnet, internalSubnetProperties } from "../requirements/internalSubnets";
import type { InternalSubnetProperty } from "../requirements/internalSubnets";
import { formatRelease } from "../requirements/release";
import { NetworkType } from "../requirements/vocabulary";
import { hasCredentials } from "../proxy/settings";
import {
  surroundingLists,
  type NormalizedService,
  type NormalizedTopology,
} from "../topology/normalizedTopology";
import type { topologyProperties } from "../topology/normalizeTopology";
import { nodeApiServerPort } from "../topology/publishing";

/** A property of a topology. */
export type TopologyProperty = (typeof topologyProperties)[number];

/** The values of a topology as texts, by the places in it; undefined where there is none. Defaults count as written. */
export type Facets = Readonly<Record<string, string | undefined>>;

type Blocks = readonly { text: string }[];
const blocks = (list: Blocks): string | undefined =>
  list.length === 0 ? undefined : [...list.map(({ text }) => text)].join(", ");

/** How each property reads. A property that is missing here does not compile. */
const readers: Readonly<Record<TopologyProperty, (topology: NormalizedTopology) => Facets>> = {
  name: ({ name }) => ({ name }),
  namespace: ({ namespace }) => ({ namespace }),
  platform: ({ platform }) => ({ platform }),
  release: ({ release }) => ({ release: release && formatRelease(release) }),
  endpointAccess: ({ endpointAccess }) => ({ endpointAccess }),
  services: ({ services }) =>
    Object.fromEntries(
      Object.entries(serviceProperty).map(([service, property]) => [
        `services.${property}`,
        serviceText(services[service as keyof typeof services]),
      ]),
    ),
  machineNetwork: ({ machineNetwork }) => ({ machineNetwork: blocks(machineNetwork) }),
  clusterNetwork: ({ clusterNetwork }) => ({
    clusterNetwork: blocks(
      clusterNetwork.map(({ prefix, hostPrefix }) => ({ text: `${prefix.text} host prefix ${hostPrefix}` })),
    ),
  }),
  serviceNetwork: ({ serviceNetwork }) => ({ serviceNetwork: blocks(serviceNetwork) }),
  networkType: ({ networkType }) => ({ networkType }),
  advertiseAddress: (topology) => ({
    advertiseAddress: topology.advertiseAddress?.text ?? defaultAdvertised(topology),
  }),
  apiServerPort: (topology) => ({ apiServerPort: `${nodeApiServerPort(topology)}` }),
  ...subnetReaders(),
  loadBalancerTargets: ({ loadBalancerTargets }) => ({ loadBalancerTargets }),
  ...listReaders(),
  infrastructureCidrs: ({ infrastructureCidrs }) => ({
    infrastructureCidrs: blocks(
      infrastructureCidrs.map(({ name, prefix }) => ({ text: `${name} ${prefix.text}` })),
    ),
  }),
  proxy: ({ proxy }) => ({
    "proxy.httpProxy": proxy?.httpProxy || undefined,
    "proxy.httpsProxy": proxy?.httpsProxy || undefined,
    "proxy.noProxy": proxy?.noProxy || undefined,
  }),
  bootstrap: ({ bootstrap }) => ({ bootstrap: `${bootstrap}` }),
  defaultWorkerRules: ({ defaultWorkerRules }) => ({ defaultWorkerRules: `${defaultWorkerRules ?? false}` }),
};

function subnetReaders() {
  return Object.fromEntries(
    internalSubnetProperties.map((property) => [
      property,
      (topology: NormalizedTopology) => ({ [property]: subnetInForce(topology, property) }),
    ]),
  ) as Record<InternalSubnetProperty, (topology: NormalizedTopology) => Facets>;
}

function listReaders() {
  return Object.fromEntries(
    surroundingLists.map((property) => [
      property,
      (topology: NormalizedTopology) => ({ [property]: blocks(topology[property]) }),
    ]),
  ) as Record<(typeof surroundingLists)[number], (topology: NormalizedTopology) => Facets>;
}

/** All that a topology says. */
export const facetsOf = (topology: NormalizedTopology): Facets =>
  Object.assign({}, ...Object.values(readers).map((read) => read(topology))) as Facets;

/** `services` for `services.konnectivity` */
export const propertyOfFacet = (facet: string): TopologyProperty =>
  /^[^.]*/.exec(facet)![0] as TopologyProperty;

function serviceText({ type, nodePort, address, hostname }: NormalizedService): string | undefined {
  const port = nodePort === undefined ? [] : [`port ${nodePort}`];
  const where = [
    ...(address === undefined ? [] : [`at ${address}`]),
    ...(hostname === undefined ? [] : [hostname]),
  ];
  return type && [type, ...port, ...where].join(" ");
}

/** The subnet that holds: the stated one, else the default that this property would put another in the place of. */
export function subnetInForce(
  topology: NormalizedTopology,
  property: InternalSubnetProperty,
): string | undefined {
  return topology[property]?.text ?? defaultSubnet(topology, property);
}

/** Undefined where the cluster has no such subnet, or another property is the usual one for it. */
export function defaultSubnet(
  topology: NormalizedTopology,
  property: InternalSubnetProperty,
): string | undefined {
  const { family, refused } = internalSubnet(property);
  if (topology.networkType !== NetworkType.OVNKubernetes || refused?.platform === topology.platform)
    return undefined;
  if (!topology.clusterNetwork.some(({ prefix }) => prefix.family === family)) return undefined;
  return implicitRanges.find(
    (row) => row.platforms.includes(topology.platform) && row.replacedBy?.[0] === property,
  )?.cidr;
}

function defaultAdvertised({ clusterNetwork }: NormalizedTopology): string | undefined {
  const family = clusterNetwork[0]?.prefix.family ?? 4;
  const row = implicitRanges.find(
    (one) => one.family === family && one.replacedBy?.includes("advertiseAddress"),
  );
  return row?.cidr.split("/")[0];
}

/**
 * A value as it may be shown: without the credentials of a URL, also of one in a list. A password may hold commas: whatever stands
 * between the first entry that may begin with credentials and the last one that ends them goes.
 */
export function withoutCredentials(text: string): string {
  if (!hasCredentials(text)) return text;
  const entries = text.split(",");
  const first = entries.findIndex((entry) => /[:@]/.test(entry) && !ADDRESS.test(entry));
  const rest = entries.slice(first).join(",");
  return [
    ...entries.slice(0, first),
    rest.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1USER:PASSWORD@"),
  ].join(",");
}

const ADDRESS = /^\s*[\da-f:.]+(\/\d+)?\s*$/i;
