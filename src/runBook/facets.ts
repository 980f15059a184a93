import { onceForEach } from "../collections";
import { immutableChanges } from "../hostedCluster/changes";
import { ALLOWED_LIST } from "../flows/surroundings";
import { sameValue } from "../objects/specChange";
import { at, describeReference, HYPERSHIFT } from "../requirements/documents";
import { immutableFields, topologyFields } from "../requirements/hostedCluster";
import { NetworkType, type Platform } from "../requirements/vocabulary";
import { holdsUnknown, isInside, isList, isMap, type PropertyMap, readValue } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { Answer, type ChangedProperty, UNDECIDED } from "./runBook";
import type { Change } from "./drafts";
import { serviceProperty } from "../requirements/publishedServices";
import { implicitRanges } from "../requirements/implicitRanges";
import {
  internalSubnet,
  internalSubnetProperties,
  type InternalSubnetProperty,
} from "../requirements/internalSubnets";
import { formatRelease } from "../requirements/release";
import { hasCredentials } from "../proxy/settings";
import {
  isUnknown,
  type NormalizedService,
  type NormalizedTopology,
  surroundingLists,
} from "../topology/normalizedTopology";
import type { topologyProperties } from "../topology/normalizeTopology";
import { nodeApiServerPort } from "../topology/publishing";

export const RELEASE_IMAGE = "release.image";
/** Fields that a topology states only in part, or in another form. */
const TOLD_IN_PART: ReadonlySet<string> = new Set(["release", "services", "proxy"]);
/** The document of most fields of a HostedCluster. */
export const crdDocuments = [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))];

/**
 * The differences between two HostedCluster objects that no topology states. Values are not shown, because some are secret. What the
 * wanted object does not state is assumed to stay unchanged, because the server writes defaults. The caller adds the steps.
 */
export function objectFields(change: Change): ChangedProperty[] {
  const { current, wanted } = change;
  const [before, after] = [current, wanted].map(({ object }) => readValue(object, "spec"));
  if (before === UNKNOWN || after === UNKNOWN)
    return [{ property: "spec", ...NOT_KNOWN, documents: crdDocuments }];
  if (!isMap(before) || !isMap(after)) return [];
  const { platform } = current.topology;
  const reworded = rewordedFields(change);
  const isTold = (path: string) =>
    reworded.includes(path) || toldByTopology.some((one) => path === one || isInside(path, one));
  const fixed = fixedFields(before, after, platform);
  const judged = judgedFields(platform);
  const open = [before, after].some((spec) => holdsUnknown(readValue(spec, ALLOWED_LIST)));
  const isOpen = open && readValue(after, ALLOWED_LIST) !== undefined;
  return [
    ...(isOpen ? [{ property: `spec.${ALLOWED_LIST}`, ...NOT_KNOWN, documents: crdDocuments }] : []),
    ...differences(before, after, "")
      .filter((path) => !isTold(path) && !(isOpen && path === ALLOWED_LIST))
      .map((path): ChangedProperty => {
        const isFixed = fixed.some((one) => isOnePath(path, one));
        const isUnknown =
          [before, after].some((spec) => holdsUnknown(readValue(spec, path))) &&
          judged.some((one) => isOnePath(path, one));
        return {
          property: `spec.${path}`,
          ...(isUnknown && !isFixed ? NOT_KNOWN : answerOf(path, isFixed)),
          documents: crdDocuments,
        };
      }),
  ];
}

/** The immutable fields that are written differently. */
const fixedFields = (before: PropertyMap, after: PropertyMap, platform: Platform): string[] =>
  immutableChanges({ inputs: before, outputs: before }, after, platform)
    .map(({ path }) => path.slice("spec.".length))
    .filter((path) => !immutableFields.some((one) => one.path === path && one.mutable));

/**
 * The immutable fields that state the same in another form: an explicit default, services in another order. They do not need a new
 * cluster, but the API server compares them literally and refuses them.
 */
export const rewordedFields = onceForEach(({ current, wanted }: Change): readonly string[] => {
  const [before, after] = [current, wanted].map(({ object }) => readValue(object, "spec"));
  if (!isMap(before) || !isMap(after)) return [];
  const [old, next] = [current, wanted].map(({ topology }) => facetsOf(topology)) as [Facets, Facets];
  const isSame = (property: string) =>
    [current, wanted].every(({ topology }) => !isUnknown(topology, property)) &&
    Object.keys({ ...old, ...next }).every(
      (facet) => propertyOfFacet(facet) !== property || old[facet] === next[facet],
    );
  return fixedFields(before, after, current.topology.platform).filter((path) => {
    const property = topologyFields.find((one) => one.path === `spec.${path}`)?.property;
    if (property === undefined || !isSame(property)) return false;
    return !TOLD_IN_PART.has(property) || sameEntries(readValue(before, path), readValue(after, path));
  });
});

const sameEntries = (one: PropertyValue | undefined, other: PropertyValue | undefined): boolean =>
  !holdsUnknown([one ?? null, other ?? null]) && sameValue(sorted(one), sorted(other));

/** Sorts a list whose order has no meaning. */
const sorted = (value: PropertyValue | undefined): PropertyValue | undefined =>
  isList(value)
    ? value
        .map((entry) => [JSON.stringify(entry), entry] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, entry]) => entry)
    : value;

const NOT_KNOWN = { answer: Answer.Unknown, why: UNDECIDED, steps: [] };

/** The fields of an object that are answered separately from its topology: an unknown value in them leaves the answer open. */
const judgedFields = (platform: Platform): string[] => [
  ...immutableFields.filter(({ except = [] }) => !except.includes(platform)).map(({ path }) => path),
  ...MUTABLE.keys(),
];

/** Whether one of two paths is or contains the other. */
const isOnePath = (one: string, other: string): boolean =>
  `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`);

function answerOf(path: string, isFixed: boolean): Pick<ChangedProperty, "answer" | "why" | "steps"> {
  if (isFixed) return { answer: Answer.Immutable, why: "the API server accepts it only once", steps: [] };
  const why = MUTABLE.get(path);
  return why === undefined
    ? { answer: Answer.NotJudged, why: "not a part of the network that is judged here", steps: [] }
    : { answer: Answer.Mutable, why, steps: [] };
}

/** Fields that a running cluster accepts, and what changing them does. */
const MUTABLE: ReadonlyMap<string, string> = new Map([
  [ALLOWED_LIST, "which clients reach the load balancers of the API server changes at once"],
  [RELEASE_IMAGE, "another image uses the same ports; its nodes roll out"],
]);

/** The paths of a spec that topologies state completely. */
const toldByTopology: readonly string[] = topologyFields
  .filter(({ property, path }) => path.startsWith("spec.") && !TOLD_IN_PART.has(property))
  .map(({ path }) => path.slice("spec.".length))
  .concat(["httpProxy", "httpsProxy", "noProxy"].map((key) => `configuration.proxy.${key}`));

/** The paths at which a new or different value is written. */
function differences(before: PropertyValue | undefined, after: PropertyValue, path: string): string[] {
  if (after === null || (!holdsUnknown([before ?? null, after]) && sameValue(before, after))) return [];
  if (!isMap(after) || (before !== undefined && !isMap(before))) return [path];
  return Object.entries(after).flatMap(([key, value]) =>
    differences(isMap(before) ? before[key] : undefined, value, path === "" ? key : `${path}.${key}`),
  );
}

/** A property of a topology. */
export type TopologyProperty = (typeof topologyProperties)[number];

/** The values of a topology as text, by facet; undefined if there is no value. Defaults count as written. */
export type Facets = Readonly<Record<string, string | undefined>>;

type Blocks = readonly { text: string }[];
const blocks = (list: Blocks): string | undefined =>
  list.length === 0 ? undefined : [...list.map(({ text }) => text)].join(", ");

/** How to read each property. If a property is missing here, this does not compile. */
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
  ...eachOf(internalSubnetProperties, subnetInForce),
  loadBalancerTargets: ({ loadBalancerTargets }) => ({ loadBalancerTargets }),
  ...eachOf(surroundingLists, (topology, list) => blocks(topology[list])),
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

function eachOf<Property extends TopologyProperty>(
  properties: readonly Property[],
  textOf: (topology: NormalizedTopology, property: Property) => string | undefined,
) {
  return Object.fromEntries(
    properties.map((property) => [
      property,
      (topology: NormalizedTopology) => ({ [property]: textOf(topology, property) }),
    ]),
  ) as Record<Property, (topology: NormalizedTopology) => Facets>;
}

/** All facets of a topology. */
export const facetsOf = (topology: NormalizedTopology): Facets =>
  Object.assign({}, ...Object.values(readers).map((read) => read(topology))) as Facets;

/** Returns `services` for `services.konnectivity`. */
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

/** The subnet in use: the stated one, else the default that this property replaces. */
export function subnetInForce(
  topology: NormalizedTopology,
  property: InternalSubnetProperty,
): string | undefined {
  return topology[property]?.text ?? defaultSubnet(topology, property);
}

/** Undefined if the cluster has no such subnet, or if another property usually sets it. */
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
 * Masks the credentials in a URL or in a list with URLs. A password may contain commas, so everything from the first entry that may begin
 * with credentials to the last one that ends them is masked.
 */
export function maskedCredentials(text: string): string {
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
