import { readPrefix } from "../address";
import { DOCUMENTATION } from "../requirements/implicitRanges";
import { LIMIT } from "../requirements/limits";
import { endpointAccessModes } from "../requirements/platforms";
import { certainRefusal } from "../requirements/publishing";
import { requirements } from "../requirements/requirements";
import { WORKER_GROUP_PLATFORMS } from "../requirements/rows/nodes";
import { LoadBalancerTargets, NetworkType, PublishingType, Service } from "../requirements/vocabulary";
import { onceForEach } from "../collections";
import { serviceProperty } from "../requirements/publishedServices";
import { isUnknown, surroundingLists, type CidrList, type NormalizedTopology } from "./normalizedTopology";
import { nodeApiServerPort } from "./publishing";

/** A possible variant of a topology. */
export interface Reading {
  /** The properties whose values are not known yet and are assumed here. */
  supposed: readonly string[];
  topology: NormalizedTopology;
}

type Change = (topology: NormalizedTopology) => NormalizedTopology;

/** A property that decides which flows exist, and its possible values. */
interface Choice {
  property: string;
  changes: (topology: NormalizedTopology) => readonly Change[];
}

const set =
  (part: Partial<NormalizedTopology>): Change =>
  (topology) => ({ ...topology, ...part });

const setService =
  (service: Service, part: Partial<NormalizedTopology["services"][Service]>): Change =>
  (topology) => ({
    ...topology,
    services: { ...topology.services, [service]: { ...topology.services[service], ...part } },
  });

const setProxy =
  (part: NonNullable<NormalizedTopology["proxy"]>): Change =>
  (topology) => ({ ...topology, proxy: { ...topology.proxy, ...part } });

// Any other value has the same effect on flows: names resolve to unknown addresses.
const HOST = "supposed.invalid";
const URL_OF_PROXY = `http://${HOST}`;
const NETWORK_V6 = readPrefix(DOCUMENTATION[6])!;

/** Earlier than every release that a row names. */
const EARLIER = { major: 0, minor: 0 };

const lists: readonly CidrList[] = ["machineNetwork", ...surroundingLists];

const choices: readonly Choice[] = [
  {
    property: "endpointAccess",
    changes: ({ platform }) => endpointAccessModes(platform).map((endpointAccess) => set({ endpointAccess })),
  },
  ...Object.values(Service).map((service) => ({
    property: `services.${serviceProperty[service]}.type`,
    changes: () => Object.values(PublishingType).map((type) => setService(service, { type })),
  })),
  {
    property: "services.apiServer.hostname",
    changes: () => [setService(Service.APIServer, { hostname: HOST })],
  },
  {
    property: "loadBalancerTargets",
    changes: () =>
      Object.values(LoadBalancerTargets).map((loadBalancerTargets) => set({ loadBalancerTargets })),
  },
  { property: "bootstrap", changes: () => [true, false].map((bootstrap) => set({ bootstrap })) },
  {
    property: "defaultWorkerRules",
    changes: ({ platform }) =>
      WORKER_GROUP_PLATFORMS.includes(platform) ? [set({ defaultWorkerRules: true })] : [],
  },
  {
    property: "networkType",
    changes: () => Object.values(NetworkType).map((networkType) => set({ networkType })),
  },
  {
    property: "release",
    changes: () =>
      requirements
        .flatMap(({ releases }) => (releases ? [releases.from, releases.to, EARLIER] : []))
        .flatMap((release) => (release ? [set({ release })] : [])),
  },
  {
    property: "apiServerPort",
    changes: () => [set({ apiServerPort: nodeApiServerPort() + 1 })],
  },
  {
    property: "clusterNetwork",
    changes: () => [
      set({ clusterNetwork: [{ prefix: NETWORK_V6, hostPrefix: LIMIT.defaultHostPrefix[6] }] }),
    ],
  },
  ...lists.map((list) => ({ property: list, changes: () => [set({ [list]: [NETWORK_V6] })] })),
  { property: "proxy.httpProxy", changes: () => [setProxy({ httpProxy: URL_OF_PROXY })] },
  { property: "proxy.httpsProxy", changes: () => [setProxy({ httpsProxy: URL_OF_PROXY })] },
  { property: "proxy.noProxy", changes: () => [setProxy({ noProxy: "kubernetes" })] },
];

/**
 * The variants of a topology that its flows may depend on: one for each possible value of a property that is not known yet, and
 * for each pair of them, after the topology itself, which has defaults for them. Only the topology itself if all values are known.
 */
export const readings = onceForEach((topology: NormalizedTopology): readonly Reading[] => {
  const single = choices
    .filter(({ property }) => isUnknown(topology, property))
    .flatMap(({ property, changes }) => changes(topology).map((change) => ({ property, change })));
  const two = single.flatMap(({ property, change }, position) =>
    single
      .slice(position + 1)
      .flatMap((other): Reading[] =>
        other.property === property
          ? []
          : [{ supposed: [property, other.property], topology: other.change(change(topology)) }],
      ),
  );
  return [
    { supposed: [], topology },
    ...single.map(({ property, change }) => ({ supposed: [property], topology: change(topology) })),
    ...two,
  ].filter(({ supposed, topology: one }) => supposed.length === 0 || isPossible(one));
});

/** Whether each service can be published in the assumed way. */
const isPossible = ({ platform, endpointAccess, services }: NormalizedTopology): boolean =>
  Object.values(Service).every((service) => {
    const { type } = services[service];
    return type === undefined || !certainRefusal(platform, endpointAccess, service, type);
  });
