import {
  areTwo,
  isCalled,
  keyOfPlace,
  type ManagementLocation,
  managementOf,
} from "../resources/managementCluster";
import { isGiven, isList, isMap, readValue } from "../resources/read";
import { type Origin, type PropertyValue, type Resource, sourceOf, UNKNOWN } from "../resources/resource";
import { isHostedCluster, OUR_COMPONENTS } from "../resources/resourceTypes";
import { isUnknown } from "../topology/normalizedTopology";
import { type JudgedCluster, managementSaidOf, objectOf } from "./clusters";
import type { JudgedResources } from "./judgedResources";
import { describeResource, type Judgement, Level, unknown, violated } from "./rule";
import { append, onceForEach, onceIn } from "../collections";
import { controlPlaneNamespaceOf, isLabelName, isSubdomainName } from "../requirements/names";
import { propertyOfService } from "../requirements/publishedServices";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import type { Fault } from "../fault";
import type { NameOf } from "../objects/shape";
import { LIMIT } from "../requirements/limits";
import { shortValue } from "../topology/normalize/values";
import { firstOf } from "../text";

/**
 * What reading the HostedClusters of a plan brought up under the id of a rule. Components refuse their own faults, and
 * configuration is judged as such; of a cluster that is only patched too little is known.
 *
 * @param deciding properties of the topology whose unknown values are counted
 */
export function clusterFaults(
  { clusters }: JudgedResources,
  rule: string,
  deciding: readonly string[],
): Judgement[] {
  return clusters
    .filter(({ partial, sources }) => !partial && sources.some(({ kind }) => kind === "object"))
    .flatMap((cluster) => [...violations(cluster, rule), ...unknownValues(cluster, deciding)]);
}

/**
 * What cannot be read of topologies that components registered. They refuse wrong ones themselves, so this is a state that was
 * edited, or the topology of another version of this package.
 */
export const unreadableTopologies = (judged: JudgedResources): Judgement[] => [
  ...judged.ofKind(isOurComponent).flatMap((resource) => {
    const { topology } = resource.properties;
    if (!isGiven(topology) || isMap(topology)) return [];
    return [
      unknown({
        resource,
        path: "topology",
        ...(topology !== UNKNOWN && { reason: "cannot be read: it is not an object" }),
      }),
    ];
  }),
  ...judged.clusters.flatMap((cluster) => [
    ...cluster.faults.flatMap(({ path, problem }) => {
      const { holder, path: place } = cluster.locate(path);
      return holder?.type.startsWith(OUR_COMPONENTS)
        ? [unknown({ resource: holder, path: place, reason: `cannot be read: ${problem}` })]
        : [];
    }),
    ...cluster.sources.flatMap(({ kind, resource, raw, pathOf }) =>
      kind === "component" && resource
        ? [
            ...NAMES.filter((property) => isNoText(raw[property])).map((property) =>
              unknown({ resource, path: pathOf(property), reason: "cannot be read: it is not a string" }),
            ),
            ...(raw.platform === UNKNOWN ? [unknown({ resource, path: pathOf("platform") })] : []),
          ]
        : [],
    ),
  ]),
];

const isOurComponent = (type: string): boolean => type.startsWith(OUR_COMPONENTS);

const NAMES = ["name", "namespace"] as const;
const isNoText = (value: unknown): boolean =>
  isGiven(value) && value !== UNKNOWN && typeof value !== "string";

function violations(cluster: JudgedCluster, rule: string): Judgement[] {
  return cluster.faults
    .filter((fault) => fault.rule === rule)
    .flatMap(({ path: property, problem, remedy, code }) => {
      const { resource, holder, path } = cluster.locate(property);
      if (!holder || !isHostedCluster(holder.type)) return [];
      const message = `${serviceOf(property)}${problem}`;
      return [violated({ resource, path, message, fix: remedy, ...(code && { code }) })];
    });
}

/** The service that a fault is about, which an object names beside the place; the place says all else. */
function serviceOf(property: string): string {
  const { service, said } = propertyOfService(property) ?? {};
  return service ? `${[service, said].filter(isGiven).join(" ")}: ` : "";
}

function unknownValues(cluster: JudgedCluster, deciding: readonly string[]): Judgement[] {
  const { topology } = cluster;
  if (!topology) return [];
  return deciding.flatMap((property) => {
    const { holder, path } = cluster.locate(property);
    return holder && isUnknown(topology, property) ? [unknown({ resource: holder, path })] : [];
  });
}

/** Hosted clusters that are one and the same to the API server, or whose control planes go into one namespace. */
export function clustersThatMeet(clusters: readonly JudgedCluster[]): Judgement[] {
  const byNamespace = new Map<string, JudgedCluster[]>();
  for (const cluster of clusters)
    if (cluster.isNamed && cluster.raw.namespace !== UNKNOWN)
      append(byNamespace, namespaceOf(cluster), [cluster]);
  return [...byNamespace.values()].flatMap((there) => {
    if (there.length === 1) return [];
    // In the order in which findings name them: sorting them for each would take longer than all else.
    const inOrder = [...there].sort((a, b) =>
      placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0,
    );
    const among = new Map<string, Among>();
    return there.flatMap((cluster) =>
      judgeAmong(
        cluster,
        onceIn(among, kindOf(cluster), () => othersOf(cluster, inOrder)),
      ),
    );
  });
}

const namespaceOf = ({ raw: { namespace }, name }: JudgedCluster): string =>
  controlPlaneNamespaceOf(typeof namespace === "string" ? namespace : DEFAULT_NAMESPACE, name);

/** What decides how a cluster stands to others of its namespace: those of one kind are judged together, because all pairs are too many. */
const kindOf = (cluster: JudgedCluster): string =>
  JSON.stringify([
    cluster.key,
    isPlanned(cluster),
    managementOfCluster(cluster) ?? null,
    managementSaidOf(cluster) ?? null,
    cluster.topology?.placement !== undefined,
    serverOf(cluster) ?? null,
  ]);

/** What clusters of one kind meet in their namespace, themselves among it. */
interface Among {
  /** Surely the same object. */
  same: Named;
  /** The same object, where both are in one management cluster. */
  perhaps: Named;
  /** Clusters of other names. */
  strangers: Named;
}

function othersOf(cluster: JudgedCluster, there: readonly JudgedCluster[]): Among {
  const sharing = there.filter((other) => mayShareManagement(cluster, other));
  const twins = sharing.filter(
    (other) => other.key === cluster.key && isPlanned(other) === isPlanned(cluster),
  );
  const same = twins.filter((twin) => isOneServer(cluster, twin));
  const strangers = sharing.filter(({ key }) => key !== cluster.key);
  return {
    same: new Named(same.map(placeOf)),
    perhaps: new Named(twins.filter((twin) => !isOneServer(cluster, twin)).map(placeOf)),
    strangers: new Named(strangers.map(({ key }) => key).sort()),
  };
}

/** Texts of which a sentence names the first. */
class Named {
  readonly #often = new Map<string, number>();
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    for (const text of texts) this.#often.set(text, (this.#often.get(text) ?? 0) + 1);
    this.#texts = [...this.#often.keys()];
  }

  /** The first of them and how many there are besides, without one of them that stands only once; undefined where none is left. */
  besides(own?: string): string | undefined {
    const leftOut = own !== undefined && this.#often.get(own) === 1 ? own : undefined;
    return firstOf(this.#texts, undefined, undefined, leftOut) || undefined;
  }
}

function judgeAmong(cluster: JudgedCluster, { same, perhaps, strangers }: Among): Judgement[] {
  const { resource, path } = cluster.locate("name");
  // It stands among those that are surely the same where something says on which server it is.
  const own = placeOf(cluster);
  const isSure = serverOf(cluster) !== undefined;
  const twins = same.besides(isSure ? own : undefined);
  const others = perhaps.besides(isSure ? undefined : own);
  const foreign = strangers.besides();
  return [
    ...(twins !== undefined
      ? [
          violated({
            resource,
            path,
            message: `${cluster.key} is written more than once, and is one object to the API server: ${twins}`,
            fix: "leave one of them, or give the others names of their own",
          }),
        ]
      : []),
    ...(others !== undefined
      ? [
          violated({
            resource,
            path,
            level: Level.Note,
            message: `${cluster.key} is written more than once, and nothing shows whether these are clusters of two management clusters: ${others}; each is judged`,
            fix: "keep a folder for each management cluster, or leave one of them: in one management cluster they are one object",
          }),
        ]
      : []),
    ...(foreign !== undefined
      ? [
          violated({
            resource,
            path,
            message: `the control plane of ${cluster.key} goes into ${namespaceOf(cluster)}, where another goes too: ${foreign}`,
            fix: "give one of them another name or namespace",
          }),
        ]
      : []),
  ];
}

/** Where the HostedCluster of a cluster is. */
export const managementOfCluster = onceForEach((cluster: JudgedCluster): ManagementLocation | undefined => {
  const object = objectOf(cluster);
  return object && managementOf(object);
});

/** What runs and what a plan says of it are one cluster. */
const isPlanned = (cluster: JudgedCluster): boolean => objectOf(cluster)?.origin.live === undefined;

/**
 * What clusters have in common that surely are in one management cluster: their server, or their provider. Absent where nothing
 * says it: a folder may hold those of several.
 */
export const serverOf = (cluster: JudgedCluster): string | undefined => serverOfObject(objectOf(cluster));

/** The same of any object. */
export function serverOfObject(object: Resource | undefined): string | undefined {
  const place = object && managementOf(object);
  if (place) return place.by === "folder" ? undefined : keyOfPlace(place);
  // What a stack makes without a provider of its own, its only one makes.
  return object?.origin.urn === undefined ? undefined : "the stack's provider";
}

function isOneServer(a: JudgedCluster, b: JudgedCluster): boolean {
  const server = serverOf(a);
  return server !== undefined && server === serverOf(b);
}

/** Whether nothing says that two clusters are in two management clusters. */
function mayShareManagement(a: JudgedCluster, b: JudgedCluster): boolean {
  const [one, other] = [managementOfCluster(a), managementOfCluster(b)];
  // Two folders are two management clusters only where they have clusters of one name.
  const isTold = one?.by !== "folder" || (a.topology?.placement ?? b.topology?.placement) !== undefined;
  return !(isTold && areTwo(one, other)) && mayBeCalled(a, b) && mayBeCalled(b, a);
}

/** Whether the management cluster that the configuration names for a cluster without an object may be another one's. */
function mayBeCalled(cluster: JudgedCluster, other: JudgedCluster): boolean {
  const word = managementOfCluster(cluster) ? undefined : managementSaidOf(cluster);
  if (word === undefined) return true;
  const place = managementOfCluster(other);
  return place ? isCalled(place, word) : [undefined, word].includes(managementSaidOf(other));
}

const placeOf = onceForEach((cluster: JudgedCluster): string => {
  const object = objectOf(cluster);
  const { resource } = cluster.locate("name");
  return object && resource.file === undefined ? describeResource(object) : place(resource);
});

const place = (origin: Origin): string =>
  origin.line === undefined ? `${sourceOf(origin)}` : `${origin.file}:${origin.line}`;

/** The place in an object of each input of the component that makes such objects: `spec.egressIPs` for `addresses`. */
export type ObjectPaths = Readonly<Record<string, string>>;

/** What an object calls the inputs of a component. */
export function namesIn(paths: ObjectPaths): NameOf {
  const names: ObjectPaths = { ...ELSEWHERE, ...paths };
  return (input) => (Object.hasOwn(names, input) ? names[input]! : input);
}

/** Inputs that no object has, by what says the same to a rule. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  nodeSubnets: "machineNetwork of the HostedCluster",
};

/** Faults at places of an object; those of what no object says are left out. */
export const objectFaults = (resource: Resource, faults: readonly Fault[]): Judgement[] =>
  faults.flatMap(({ path, problem, remedy }) =>
    /^(spec|metadata)\b/.test(path)
      ? [violated({ resource: resource.origin, path, message: problem, fix: remedy })]
      : [],
  );

/** Where an object says its name, its beginning where the API server makes up the rest, and its namespace. */
export const NAME_PATH = {
  name: "metadata.name",
  prefix: "metadata.generateName",
  namespace: "metadata.namespace",
} as const;

/** The names of an object; a text without letters says nothing. */
export type ObjectNames = Record<keyof typeof NAME_PATH, PropertyValue | undefined>;

export function namesOfObject({ properties }: Resource): ObjectNames {
  const entries = Object.entries(NAME_PATH).map(([key, path]) => {
    const value = readValue(properties, path);
    return [key, value === "" ? undefined : value];
  });
  return Object.fromEntries(entries) as ObjectNames;
}

/** What the API server refuses in the names of an object. `what` is the object, for the way out where it has none. */
export function objectNameFaults(resource: Resource, what: string): Judgement[] {
  const { name, prefix, namespace } = namesOfObject(resource);
  return [
    ...wrongText(resource, NAME_PATH.name, name, isSubdomainName, ", hyphens and dots"),
    ...wrongText(resource, NAME_PATH.prefix, prefix, isNameBeginning, ", hyphens and dots"),
    ...wrongText(resource, NAME_PATH.namespace, namespace, isLabelName, " and hyphens"),
    ...(isGiven(name) || isGiven(prefix) ? [] : nameless(resource, what)),
  ];
}

function wrongText(
  { origin: resource }: Resource,
  path: string,
  value: PropertyValue | undefined,
  isRight: (text: string) => boolean,
  signs: string,
): Judgement[] {
  if (!isGiven(value) || value === UNKNOWN || (typeof value === "string" && isRight(value))) return [];
  if (typeof value !== "string") {
    const message = `${shortValue(value)} is not a string, and the API server refuses the object`;
    const fix = isMap(value) || isList(value) ? "write a string" : "write it in quotes";
    return [violated({ resource, path, message, fix })];
  }
  const most = isRight === isLabelName ? LIMIT.labelLength : LIMIT.subdomainLength;
  const message = `${shortValue(value)} is not a Kubernetes name, and the API server refuses the object`;
  return [violated({ resource, path, message, fix: `write at most ${most} small letters, digits${signs}` })];
}

/** What stands before the characters that the API server makes up may end with a hyphen, and not with a dot. */
const isNameBeginning = (text: string): boolean => isSubdomainName(text.endsWith("-") ? `${text}x` : text);

/** Pulumi makes a name of the resource's name; for a file, nothing does. */
function nameless({ origin }: Resource, what: string): Judgement[] {
  if (origin.urn !== undefined) return [];
  const message = "missing, and the API server refuses the object";
  return [
    violated({ resource: origin, path: NAME_PATH.name, message, fix: `write the name of the ${what}` }),
  ];
}
