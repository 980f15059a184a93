import { D4, at, describeReference } from "../../requirements/documents";
import { compareReleases, formatRelease } from "../../requirements/release";
import { LOCAL_TRAFFIC_POLICY_SINCE } from "../../requirements/publishing";
import { NetworkType } from "../../requirements/vocabulary";
import { readText } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isService } from "../../resources/resourceTypes";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { placesOf, type JudgedCluster } from "../../gate/clusters";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** A Service asks for a traffic policy that the release's OVN-Kubernetes does not have. */
export const serviceTrafficPolicy: Rule = {
  id: "service-traffic-policy",
  title: "Traffic policy of a Service is not supported by OVN-Kubernetes",
  level: Level.Warning,
  description:
    "externalTrafficPolicy and internalTrafficPolicy of Services and of patches on them, against the releases of the hosted clusters with OVN-Kubernetes. Older releases take Local and treat it as Cluster: traffic goes to endpoints on other nodes, and pods do not see the client's address.",
  documents: [at(D4, "15.1.3. OVN-Kubernetes limitations")],
  remediation: "Write Cluster, or leave the policy out.",
  single: isService,
  judge: (judged) =>
    judged
      .ofKind(isService)
      .flatMap((service) => POLICIES.flatMap((policy) => judgePolicy(service, policy, judged.clusters))),
};

const POLICIES = ["externalTrafficPolicy", "internalTrafficPolicy"] as const;

function judgePolicy(
  service: Resource,
  policy: (typeof POLICIES)[number],
  clusters: readonly JudgedCluster[],
): Judgement[] {
  const path = `spec.${policy}`;
  const value = readText(service.properties, path);
  if (value !== "Local" && value !== UNKNOWN) return [];
  const { release: first, documents } = LOCAL_TRAFFIC_POLICY_SINCE[policy];
  const withOvn = clusters.flatMap(({ topology }) =>
    topology?.networkType === NetworkType.OVNKubernetes ? [topology] : [],
  );
  const without = withOvn.filter(({ release }) => release && compareReleases(release, first) < 0);
  const undecided = withOvn.filter(({ release }) => !release);
  if (without.length === 0 && undecided.length === 0) return [];
  if (value === UNKNOWN) return [unknown({ resource: service, path })];
  if (without.length < withOvn.length)
    return [
      unknown({
        resource: service,
        path,
        reason: openQuestion(undecided[0]),
        because: clusters.flatMap((cluster) => placesOf(cluster, "release")),
      }),
    ];
  return [
    violated({
      resource: service.origin,
      path,
      message: `Local has no effect in ${without.map(clusterText).join(", ")}: OVN-Kubernetes treats it as Cluster before ${formatRelease(first)}`,
      fix: `write Cluster, or upgrade to ${formatRelease(first)} or newer`,
      documents: documents.map(describeReference),
    }),
  ];
}

const clusterText = ({ name, release }: NormalizedTopology) =>
  `release ${formatRelease(release!)} of ${name}`;

/** No Service says in which cluster it is. */
const openQuestion = (undecided: NormalizedTopology | undefined): string =>
  undecided
    ? `the release of hosted cluster ${undecided.name} is not known`
    : "hosted clusters of old and of new releases are described, and nothing says in which one the Service is";
