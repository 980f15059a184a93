import { isGiven, isMap } from "../resources/places";
import { UNKNOWN, sourceOf, type Origin, type Resource } from "../resources/resource";
import { OUR_COMPONENTS, isHostedCluster } from "../resources/resourceTypes";
import { isUnknown } from "../topology/normalizedTopology";
import type { JudgedCluster } from "./clusters";
import type { JudgedResources } from "./judgedResources";
import { describeResource, unknown, violated, type Judgement } from "./rule";
import { append } from "../resources/append";
import { controlPlaneNamespaceOf } from "../requirements/names";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import { some } from "./notJudged";

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
        ...(topology !== UNKNOWN && { reason: "cannot be read: it is no object" }),
      }),
    ];
  }),
  ...judged.clusters.flatMap((cluster) => [
    ...cluster.faults.flatMap(({ path, problem }) => {
      const { holder, path: place } = cluster.locate(path.replace(/^topology\./, ""));
      return holder?.type.startsWith(OUR_COMPONENTS)
        ? [unknown({ resource: holder, path: place, reason: `cannot be read: ${problem}` })]
        : [];
    }),
    ...cluster.sources.flatMap(({ kind, resource, raw, pathOf }) =>
      kind === "component" && resource
        ? [
            ...NAMES.filter((property) => isNoText(raw[property])).map((property) =>
              unknown({ resource, path: pathOf(property), reason: "cannot be read: it is no text" }),
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
    .flatMap(({ path, problem, remedy, code }) => {
      const property = path.replace(/^topology\./, "");
      const { resource, holder, path: place } = cluster.locate(property);
      if (!holder || !isHostedCluster(holder.type)) return [];
      const message = `${property}: ${problem}`;
      return [violated({ resource, path: place, message, fix: remedy, ...(code && { code }) })];
    });
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
  return [...byNamespace.values()].flatMap((there) =>
    there.length === 1 ? [] : there.flatMap((cluster) => judgeAmong(cluster, there)),
  );
}

const namespaceOf = ({ raw: { namespace }, name }: JudgedCluster): string =>
  controlPlaneNamespaceOf(typeof namespace === "string" ? namespace : DEFAULT_NAMESPACE, name);

function judgeAmong(cluster: JudgedCluster, there: readonly JudgedCluster[]): Judgement[] {
  const others = there.filter((other) => other !== cluster && mayShareManagement(cluster, other));
  const twins = others.filter(
    (other) => other.key === cluster.key && isPlanned(other) === isPlanned(cluster),
  );
  const { resource, path } = cluster.locate("name");
  const strangers = others.filter(({ key }) => key !== cluster.key);
  return [
    ...(twins.length > 0
      ? [
          violated({
            resource,
            path,
            message: `${cluster.key} stands more than once, and is one object to the API server: ${listed(twins.map(placeOf))}`,
            fix: "leave one of them, or give the others names of their own",
          }),
        ]
      : []),
    ...(strangers.length > 0
      ? [
          violated({
            resource,
            path,
            message: `the control plane of ${cluster.key} goes into ${namespaceOf(cluster)}, where another goes too: ${listed(strangers.map(({ key }) => key))}`,
            fix: "give one of them another name or namespace",
          }),
        ]
      : []),
  ];
}

const listed = (texts: readonly string[]): string => some([...new Set(texts)].sort());

const objectOf = ({ sources }: JudgedCluster): Resource | undefined =>
  sources.find(({ kind }) => kind === "object")?.resource;

/** What runs and what a plan says of it are one cluster. */
const isPlanned = (cluster: JudgedCluster): boolean => objectOf(cluster)?.origin.live === undefined;

/** Clusters of two providers, or of two that run, are in two management clusters. */
function mayShareManagement(a: JudgedCluster, b: JudgedCluster): boolean {
  const [one, other] = [a, b].map(objectOf);
  const differ = (x?: string, y?: string) => x !== undefined && y !== undefined && x !== y;
  return !differ(one?.provider, other?.provider) && !differ(one?.origin.runsIn, other?.origin.runsIn);
}

function placeOf(cluster: JudgedCluster): string {
  const object = objectOf(cluster);
  const { resource } = cluster.locate("name");
  return object && resource.file === undefined ? describeResource(object) : place(resource);
}

const place = (origin: Origin): string =>
  origin.line === undefined ? `${sourceOf(origin)}` : `${origin.file}:${origin.line}`;
