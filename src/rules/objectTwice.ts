import { at, KUBERNETES } from "../requirements/documents";
import type { JudgedResources } from "../gate/judgedResources";
import { type Judgement, Level, violated, type Rule } from "../gate/rule";
import { managementOf, nearestOf } from "../resources/managementCluster";
import { areApart, placeOf, textOfSpec, writtenTwice } from "../resources/oneObject";
import { readText } from "../resources/read";
import type { Resource } from "../resources/resource";
import { isAnyNetworkPolicy, isHostedCluster, isNetworkPolicy } from "../resources/resourceTypes";

/** Two objects are one to the API server. */
export const objectTwice: Rule = {
  id: "object-twice",
  title: "Object is written twice",
  level: Level.Error,
  description:
    "NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy objects of one kind, namespace and name. To the API server they are one object: the one that is applied last stands, or the other is refused. Where they differ, what they do not have in common is unknown to every verdict; where they say the same, they count once, and a note says so. A note also names those of two folders that nothing tells apart, and those of namespaces that may be in several hosted clusters. HostedClusters are judged by hosted-cluster-name, EgressFirewalls by egress-firewall-duplicate.",
  documents: [at(KUBERNETES, "Object names and IDs")],
  remediation: "Leave one of them, or give the others names of their own.",
  judge: (judged) =>
    [...writtenTwice(judged.ofKind(isAnyNetworkPolicy)).values()].flatMap((versions) =>
      judgeVersions(versions, judged),
    ),
};

function judgeVersions(versions: readonly Resource[], judged: JudgedResources): Judgement[] {
  const apart: Resource[][] = [];
  for (const one of versions) {
    const there = apart.find(([first]) => !areApart(first!, one));
    if (there) there.push(one);
    else apart.push([one]);
  }
  return apart.flatMap((all) => (all.length > 1 ? judgeOne(all, judged) : []));
}

/** Versions of which nothing says that they are several objects. */
function judgeOne(all: readonly Resource[], judged: JudgedResources): Judgement[] {
  const isDifferent = new Set(all.map(textOfSpec)).size > 1;
  const isSure = new Set(all.map((one) => managementOf(one)?.is)).size === 1;
  if (!isSure && (!isDifferent || areToldApart(all, judged))) return [];
  const what = isDifferent
    ? "another object of this name says something else"
    : "this object is written again";
  const becomes = isSure ? "the API server keeps one of them" : "in one cluster they are one object";
  const places = all.map(({ origin }) => placeOf(origin)).sort();
  return all.map((one) => {
    const others = besides(places, placeOf(one.origin));
    return violated({
      resource: one.origin,
      path: "metadata.name",
      message: `${what}, and ${becomes}`,
      ...(!(isDifferent && isSure && isOfManagement(one, judged)) && { level: Level.Note }),
      fix: isSure
        ? `leave one of them, or give them names of their own: another stands at ${others}`
        : `keep a folder for each management cluster, with its HostedClusters, or leave one of them: another stands at ${others}`,
    });
  });
}

/** So many other places are named. */
const NAMED = 3;

/** The first places but one's own, and how many there are besides. */
function besides(places: readonly string[], own: string): string {
  const first = places.slice(0, NAMED + 1);
  const at = first.indexOf(own);
  const named = first.filter((_, place) => place !== at).slice(0, NAMED);
  const more = places.length - 1 - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Whether every HostedCluster has one that is nearest to it. */
function areToldApart(versions: readonly Resource[], judged: JudgedResources): boolean {
  const clusters = judged.ofKind(isHostedCluster);
  return clusters.length > 0 && clusters.every((cluster) => nearestOf(versions, cluster).length === 1);
}

/** Whether an object surely is in the management cluster, and not in one of several hosted clusters. */
function isOfManagement({ type, properties }: Resource, { clusters }: JudgedResources): boolean {
  if (!isNetworkPolicy(type) || clusters.length < 2) return true;
  const namespace = readText(properties, "metadata.namespace");
  return clusters.some(({ topology }) => topology?.controlPlaneNamespace === namespace);
}
