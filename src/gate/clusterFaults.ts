import {
  isCalled,
  keyOfPlace,
  kindOfPlace,
  type ManagementLocation,
  managementOf,
} from "../resources/managementCluster";
import { holdsUnknown, isGiven, isMap, readValue, valueAt } from "../resources/read";
import { type Origin, type PropertyValue, type Resource, sourceOf, UNKNOWN } from "../resources/resource";
import { isClusterScoped, isHostedCluster, isPatch, OUR_COMPONENTS } from "../resources/resourceTypes";
import { isUnknown } from "../topology/normalizedTopology";
import { type JudgedCluster, managementSaidOf, objectOf, statedByComponents } from "./clusters";
import type { JudgedResources } from "./judgedResources";
import { describeResource, type Judgement, Level, unknown, violated, violatedBy } from "./rule";
import { grouped, KeyedList, onceForEach, onceIn } from "../collections";
import {
  controlPlaneNamespaceOf,
  isLabelName,
  isNameBeginning,
  isSubdomainName,
} from "../requirements/names";
import { propertyOfService } from "../requirements/publishedServices";
import { DEFAULT_NAMESPACE, RANGES_OVERLAP } from "../topology/normalizeTopology";
import { OvnSubnetRule } from "../topology/normalize/ovnSubnets";
import type { Fault } from "../fault";
import type { NameOf } from "../objects/shape";
import { LIMIT } from "../requirements/limits";
import { shortValue, stringFor } from "../topology/normalize/values";
import type { RawTopology } from "../topology/topologyOfHostedCluster";
import { firstOf, plural } from "../text";

/**
 * The faults of the plan's HostedClusters under the id of a rule. Components refuse their own faults, the configuration is judged
 * separately, and too little is known of a cluster that is only patched.
 *
 * @param deciding properties of the topology whose unknown values are reported
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
 * Unreadable parts of topologies that components registered. Components refuse invalid topologies, so the state was edited, or
 * comes from another version of this package.
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

/** Properties of a topology that components of one hosted cluster state with different values. Where its object decides, none of them counts. */
export const disagreements = ({ clusters }: JudgedResources): Judgement[] =>
  clusters.flatMap((cluster) => {
    const components = cluster.sources.filter(({ kind }) => kind === "component");
    if (components.length < 2) return [];
    const together = statedByComponents(components);
    return (Object.keys(together) as (keyof RawTopology)[])
      .filter((property) => holdsUnknown(together[property]) && holdsUnknown(cluster.raw[property]))
      .flatMap((property) => {
        const stating = components.filter(({ raw }) => isGiven(raw[property]));
        if (stating.some(({ raw }) => holdsUnknown(raw[property]))) return [];
        const reason = `${plural(stating.length, "component")} of ${cluster.key} state it, with different values, and which one holds is not known`;
        return stating.map(({ resource, pathOf }) =>
          unknown({ resource: resource!, path: pathOf(property), reason }),
        );
      });
  });

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

/**
 * Faults of the configuration that only show together with a cluster's object or component: its platform, its access, how it publishes
 * services. Those of the file alone are refused when it is read. Rules report ranges that overlap and subnets that a release does not support.
 */
export function faultsTogether({ clusters }: Pick<JudgedResources, "clusters">): Fault[] {
  const faults = clusters.flatMap((cluster) => (cluster.partial ? [] : configurationFaults(cluster)));
  return [...new Map(faults.map((fault) => [JSON.stringify([fault.path, fault.problem]), fault])).values()];
}

const configurationFaults = (cluster: JudgedCluster): Fault[] =>
  cluster.faults.flatMap((fault) => {
    const { holder, path } = cluster.locate(fault.path);
    const isReported = fault.code === RANGES_OVERLAP || fault.rule === OvnSubnetRule.Release;
    return holder || isReported ? [] : [{ ...fault, path, problem: `of ${cluster.key}: ${fault.problem}` }];
  });

/** The service that a fault is about, as a prefix for the message; the place states everything else. */
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

/** Reports hosted clusters that are one object to the API server, or whose control planes share a namespace. */
export function clustersThatMeet(clusters: readonly JudgedCluster[]): Judgement[] {
  const placed = clusters.filter(({ isNamed, raw }) => isNamed && raw.namespace !== UNKNOWN);
  return [...grouped(placed, namespaceOf).values()].flatMap((there) => {
    if (there.length === 1) return [];
    // Sorted once in the order in which findings name them: sorting for each cluster would dominate the run time.
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

/** What decides how a cluster relates to others of its namespace. Clusters of one kind are judged together: all pairs would be too many. */
const kindOf = (cluster: JudgedCluster): string =>
  JSON.stringify([
    cluster.key,
    isPlanned(cluster),
    managementOfCluster(cluster) ?? null,
    managementSaidOf(cluster) ?? null,
    cluster.topology?.placement !== undefined,
    serverOf(cluster) ?? null,
  ]);

/** What clusters of one kind share their namespace with, including themselves. */
interface Among {
  /** Certainly the same object. */
  same: Named;
  /** The same object if both are in one management cluster. */
  perhaps: Named;
  /** Clusters with other names. */
  strangers: Named;
}

function othersOf(cluster: JudgedCluster, there: readonly JudgedCluster[]): Among {
  const sharing = sharingManagement(there)(cluster).filter(
    (other) => mayBeCalled(cluster, other) && mayBeCalled(other, cluster),
  );
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

/** Texts for a sentence that names only the first few. */
class Named {
  readonly #often = new Map<string, number>();
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    for (const text of texts) this.#often.set(text, (this.#often.get(text) ?? 0) + 1);
    this.#texts = [...this.#often.keys()];
  }

  /** The first texts and the number of the others, without `own` if it occurs only once; undefined if none is left. */
  besides(own?: string): string | undefined {
    const leftOut = own !== undefined && this.#often.get(own) === 1 ? own : undefined;
    return firstOf(this.#texts, undefined, undefined, leftOut) || undefined;
  }
}

function judgeAmong(cluster: JudgedCluster, { same, perhaps, strangers }: Among): Judgement[] {
  const { resource, path } = cluster.locate("name");
  // The cluster itself is in `same` if its server is known, otherwise in `perhaps`.
  const own = placeOf(cluster);
  const isSure = serverOf(cluster) !== undefined;
  const twins = same.besides(isSure ? own : undefined);
  const others = perhaps.besides(isSure ? undefined : own);
  const foreign = strangers.besides();
  const found = [
    twins !== undefined && {
      message: `${cluster.key} is defined more than once, and the API server treats all definitions as one object: ${twins}`,
      fix: "keep only one of them, or give the others different names",
    },
    others !== undefined && {
      level: Level.Note,
      message: `${cluster.key} is defined more than once, and the input does not show whether these clusters are in different management clusters: ${others}; each is judged`,
      fix: "use a folder for each management cluster, or keep only one of them: in one management cluster they are one object",
    },
    foreign !== undefined && {
      message: `the control plane of ${cluster.key} goes into ${namespaceOf(cluster)}, and so does that of another cluster: ${foreign}`,
      fix: "give one of them another name or namespace",
    },
  ];
  return found.flatMap((one) => (one ? violated({ resource, path, ...one }) : []));
}

/** The management cluster of a cluster's HostedCluster; without one, the stack of its components if that tells it apart. */
export const managementOfCluster = onceForEach((cluster: JudgedCluster): ManagementLocation | undefined => {
  const object = objectOf(cluster);
  return object ? managementOf(object) : cluster.topology?.placement?.own;
});

/** Whether a cluster is not read from a live cluster: a running object and its plan are one cluster. */
const isPlanned = (cluster: JudgedCluster): boolean => objectOf(cluster)?.origin.live === undefined;

/**
 * The server or provider of a cluster, equal for clusters that are certainly in one management cluster. Undefined if the input
 * does not state it: a folder may hold clusters of several management clusters.
 */
export const serverOf = (cluster: JudgedCluster): string | undefined => serverOfObject(objectOf(cluster));

/** The server or provider of any object. */
export function serverOfObject(object: Resource | undefined): string | undefined {
  const place = object && managementOf(object);
  if (place) return place.by === "folder" ? undefined : keyOfPlace(place);
  // Objects of a stack without an explicit provider all use the stack's default provider.
  return object?.origin.urn === undefined ? undefined : "the stack's provider";
}

function isOneServer(a: JudgedCluster, b: JudgedCluster): boolean {
  const server = serverOf(a);
  return server !== undefined && server === serverOf(b);
}

/** The clusters of a list that are not known to be in another management cluster than a given one. */
const sharingManagement = onceForEach((there: readonly JudgedCluster[]) => {
  const lists = new Map<string, KeyedList<string, JudgedCluster>>();
  return (cluster: JudgedCluster): readonly JudgedCluster[] => {
    const own = managementOfCluster(cluster);
    if (!own) return there;
    // Two folders are two management clusters only if they have clusters of one name.
    const isTold = (one: JudgedCluster) => own.by !== "folder" || one.topology?.placement !== undefined;
    const locationIfTold = (other: JudgedCluster) => {
      const place = managementOfCluster(other);
      return place && kindOfPlace(place) === kindOfPlace(own) && (isTold(cluster) || isTold(other))
        ? place.is
        : undefined;
    };
    const list = onceIn(
      lists,
      `${kindOfPlace(own)} ${isTold(cluster)}`,
      () => new KeyedList(there, locationIfTold),
    );
    return list.of([own.is]);
  };
});

/** Whether the management cluster that the configuration names for a cluster without an object may be that of `other`. */
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

/** Paths in an object by the input of the component that creates such objects: `spec.egressIPs` for `addresses`. */
export type ObjectPaths = Readonly<Record<string, string>>;

/** Translates inputs of a component into paths of the object. */
export function namesIn(paths: ObjectPaths): NameOf {
  const names: ObjectPaths = { ...ELSEWHERE, ...paths };
  return (input) => (Object.hasOwn(names, input) ? names[input]! : input);
}

/** Inputs that no object has, with the source that gives a rule the same information. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  nodeSubnets: "machineNetwork of the HostedCluster",
};

/** Violations for faults at `spec` or `metadata` of an object; faults of inputs that no object has are left out. */
export const objectFaults = (resource: Resource, faults: readonly Fault[]): Judgement[] =>
  faults.filter(({ path }) => /^(spec|metadata)\b/.test(path)).map((fault) => violatedBy(resource, fault));

/** Whether a fault is about something that an object states: what a patch leaves out, the object that it changes has. */
export const isStatedIn =
  ({ type, properties }: Resource) =>
  ({ path }: Fault): boolean =>
    !isPatch(type) || valueAt(properties, path) !== undefined;

/** Paths of an object's name, of the prefix if the API server generates the name, and of its namespace. */
export const NAME_PATH = {
  name: "metadata.name",
  prefix: "metadata.generateName",
  namespace: "metadata.namespace",
} as const;

/** The names of an object; an empty string counts as absent. */
export type ObjectNames = Record<keyof typeof NAME_PATH, PropertyValue | undefined>;

export function namesOfObject({ properties }: Resource): ObjectNames {
  const entries = Object.entries(NAME_PATH).map(([key, path]) => {
    const value = readValue(properties, path);
    return [key, value === "" ? undefined : value];
  });
  return Object.fromEntries(entries) as ObjectNames;
}

/** Faults in an object's names that the API server refuses: it ignores the namespace of a cluster-scoped object. `what` is the kind of object, for the fix of a missing name. */
export function objectNameFaults(resource: Resource, what: string): Judgement[] {
  const { name, prefix, namespace } = namesOfObject(resource);
  return [
    ...wrongText(resource, NAME_PATH.name, name, isSubdomainName, ", hyphens and dots"),
    ...wrongText(resource, NAME_PATH.prefix, prefix, isNameBeginning, ", hyphens and dots"),
    ...(isClusterScoped(resource.type)
      ? []
      : wrongText(resource, NAME_PATH.namespace, namespace, isLabelName, " and hyphens")),
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
    return [violated({ resource, path, message, fix: stringFor(value) })];
  }
  const most = isRight === isLabelName ? LIMIT.labelLength : LIMIT.subdomainLength;
  const message = `${shortValue(value)} is not a Kubernetes name, and the API server refuses the object`;
  return [
    violated({ resource, path, message, fix: `write at most ${most} lowercase letters, digits${signs}` }),
  ];
}

/** Reports a missing name. Only objects in files need one: Pulumi derives it from the resource's name. */
function nameless({ origin }: Resource, what: string): Judgement[] {
  if (origin.urn !== undefined) return [];
  const message = "missing, and the API server refuses the object";
  return [
    violated({ resource: origin, path: NAME_PATH.name, message, fix: `write the name of the ${what}` }),
  ];
}
