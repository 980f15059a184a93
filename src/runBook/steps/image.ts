import { HYPERSHIFT, at, describeReference } from "../../requirements/documents";
import { formatRelease } from "../../requirements/release";
import { readText } from "../../resources/read";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { RELEASE_IMAGE } from "../objectFields";
import { hostedClusterPatch, shell } from "../patches";
import { Disruption, Place, type Check } from "../runBook";
import type { Draft, Way } from "./draft";

/** The two images where the wanted object has another one of the same minor release. */
export function imageChange({ change }: Pick<Way, "change">): { before: string; after: string } | undefined {
  const sides = [change.current, change.wanted];
  if (sides.some(({ topology }) => isUnknown(topology, "release"))) return undefined;
  const releases = sides.map(({ topology: { release } }) => release && formatRelease(release));
  const [before, after] = sides.map(({ object }) => readText(object, `spec.${RELEASE_IMAGE}`));
  if (typeof before !== "string" || typeof after !== "string" || before === after) return undefined;
  return releases[0] === releases[1] ? { before, after } : undefined;
}

/** Another image of the same minor release: no other range and no other port, but other nodes. */
export function changeImage(way: Way): Draft[] {
  const images = imageChange(way);
  if (!images) return [];
  const { current } = way;
  const patch = (image: string) => hostedClusterPatch(current, [[RELEASE_IMAGE, image]]);
  return [
    {
      id: "release-image",
      title: "Change the release image",
      place: Place.Management,
      disruption: Disruption.NodesRollOut,
      effect: "the control plane is updated, then each NodePool: its nodes are replaced, or updated in place",
      facets: [`spec.${RELEASE_IMAGE}`],
      preChecks: [
        {
          what: "the HostedCluster can be updated: its condition ValidReleaseImage",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o yaml`,
        },
      ],
      patches: [patch(images.after)],
      actions: ["When its update is over, write the same image into each NodePool."],
      verification: [
        {
          what: "the history of the HostedCluster's version has the image as Completed, and every node is Ready",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o jsonpath={.status.version.history}`,
        },
        noUpdate(current, "UpdatingVersion"),
      ],
      wayBack: {
        text: "write the former image, where the release can go back to it",
        patches: [patch(images.before)],
      },
      documents: [describeReference(at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go"))],
    },
  ];
}

/** That the nodes have rolled out, before anything else begins. */
export const noUpdate = (
  { namespace }: Pick<NormalizedTopology, "namespace">,
  condition: "UpdatingConfig" | "UpdatingVersion",
): Check => ({
  what: `no NodePool has ${condition} True any more`,
  command: shell`oc get nodepools -n ${namespace}`,
});
