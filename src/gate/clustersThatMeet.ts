import { append } from "../resources/append";
import { sourceOf, type Origin, type Resource } from "../resources/resource";
import { UNKNOWN } from "../resources/resource";
import { controlPlaneNamespaceOf } from "../topology/controlPlaneNamespaceOf";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import type { JudgedCluster } from "./clusters";
import { some } from "./notJudged";
import { describeResource, violated, type Judgement } from "./rule";

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
