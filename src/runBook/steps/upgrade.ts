import { at, describeReference, HYPERSHIFT } from "../../requirements/documents";
import { type ImplicitRange, implicitRangeOf, implicitRanges } from "../../requirements/implicitRanges";
import { internalSubnetProperties, type InternalSubnetProperty } from "../../requirements/internalSubnets";
import { compareReleases, formatRelease, type Release } from "../../requirements/release";
import { NetworkType } from "../../requirements/vocabulary";
import { readText } from "../../resources/read";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { RELEASE_IMAGE } from "../facets";
import {
  type Draft,
  hostedClusterPatch,
  networkOperatorPatch,
  shell,
  type Transition,
  draftOf,
} from "../drafts";
import { type Check, Disruption, StepTarget } from "../runBook";
import { movedSubnets, moveSubnets, presetSubnet, subnetsFrom } from "./internalSubnets";

/** Upgrades one release at a time, each with its prerequisites, and moves internal subnets once their field exists. */
export function upgrades(transition: Transition): Draft[] {
  return releasesBetween(transition).flatMap((release) => {
    const coming = introducedBy(transition.reachable, release);
    const moved = movedSubnets(transition);
    return [
      ...moved
        .filter((property) => subnetsFrom(transition, property) && bringsRangeOf(coming, property))
        .map((property) => presetSubnet(transition, property, release)),
      ...keepMasquerade(coming, release),
      upgrade(transition, release, coming),
      ...moveSubnets(
        transition,
        moved.filter((property) => isSame(subnetsFrom(transition, property), release)),
      ),
    ];
  });
}

/** Internal subnets that the current release supports. */
export const movableNow = (transition: Transition): InternalSubnetProperty[] =>
  movedSubnets(transition).filter((property) => subnetsFrom(transition, property) === undefined);

/** Internal subnets that differ and that no HostedCluster release on the upgrade path supports; presets count as support. */
export const neverMovable = (transition: Transition): InternalSubnetProperty[] =>
  movedSubnets(transition).filter((property) => {
    const from = subnetsFrom(transition, property);
    if (from === undefined) return false;
    return !releasesBetween(transition).some(
      (release) =>
        isSame(from, release) || bringsRangeOf(introducedBy(transition.reachable, release), property),
    );
  });

const isSame = (a: Release | undefined, b: Release): boolean =>
  a !== undefined && compareReleases(a, b) === 0;

/** Every minor release up to the wanted one; none of them can be skipped. */
export function releasesBetween({
  current,
  reachable,
}: Pick<Transition, "current" | "reachable">): Release[] {
  const [from, to] = [current.release, reachable.release];
  if (!from || !to || compareReleases(from, to) >= 0) return [];
  if (from.major !== to.major) return [to];
  return Array.from({ length: to.minor - from.minor }, (_, step) => ({
    major: from.major,
    minor: from.minor + step + 1,
  }));
}

/** The ranges that clusters use from a release on. */
function introducedBy(topology: NormalizedTopology, release: Release): ImplicitRange[] {
  const families = new Set(topology.clusterNetwork.map(({ prefix }) => prefix.family));
  return implicitRanges.filter(
    ({ releases, family, platforms, ovnOnly }) =>
      isSame(releases?.from, release) &&
      families.has(family) &&
      platforms.includes(topology.platform) &&
      (!ovnOnly || topology.networkType === NetworkType.OVNKubernetes),
  );
}

const bringsRangeOf = (coming: readonly ImplicitRange[], property: InternalSubnetProperty): boolean =>
  coming.some(({ replacedBy = [] }) => replacedBy.includes(property));

function upgrade(transition: Transition, release: Release, coming: readonly ImplicitRange[]): Draft {
  const { current, reachable } = transition;
  const name = formatRelease(release);
  const image = imageOf(transition, release);
  return draftOf({
    id: `upgrade-${name}`,
    title: `Upgrade to ${name}`,
    place: StepTarget.Management,
    disruption: Disruption.NodesRollOut,
    effect: "the control plane is upgraded, then each NodePool: its nodes are replaced or updated in place",
    facets: ["release", ...(image === undefined ? [] : [`spec.${RELEASE_IMAGE}`])],
    preChecks: [
      ...coming.filter(({ newClustersOnly }) => !newClustersOnly).map((range) => freeRange(reachable, range)),
      {
        what: "the HostedCluster can be upgraded: see its conditions ClusterVersionUpgradeable and ValidReleaseImage",
        command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o yaml`,
      },
    ],
    patches: image === undefined ? [] : [hostedClusterPatch(current, [[RELEASE_IMAGE, image]])],
    actions: [
      ...(image === undefined
        ? [`Write a release image of ${name} into spec.release.image of the HostedCluster.`]
        : []),
      "When the upgrade is complete, write the same image into each NodePool.",
    ],
    verification: [
      {
        what: `the history of the HostedCluster's version has ${name} as Completed, and every node is Ready`,
        command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o jsonpath={.status.version.history}`,
      },
    ],
    wayBack: { text: "none: a hosted cluster cannot return to an older minor release", patches: [] },
    documents: [
      describeReference(at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go")),
      ...new Set(coming.flatMap(({ documents }) => documents.map(describeReference))),
    ],
  });
}

/** Checks a range that comes with a release, or the subnet in the topology that replaces it. */
function freeRange(topology: NormalizedTopology, { name, cidr, replacedBy = [] }: ImplicitRange): Check {
  const property = internalSubnetProperties.find((one) => replacedBy.includes(one) && topology[one]);
  if (property) return { what: `${topology[property]!.text} replaces ${name} ${cidr}`, result: "met" };
  const way = replacedBy.length > 0 ? `; if it is, write ${replacedBy[0]} into the wanted topology` : "";
  return { what: `${cidr} is used nowhere around the cluster: ${name} comes with this release${way}` };
}

/** The release image of the wanted HostedCluster object, if it is of this release. */
function imageOf({ change, reachable }: Transition, release: Release): string | undefined {
  const image = readText(change.wanted.object, `spec.${RELEASE_IMAGE}`);
  return typeof image === "string" && isSame(reachable.release, release) ? image : undefined;
}

const BEFORE = "ovn-masquerade-before-4.17";

/** New clusters get another masquerade subnet; upgraded clusters keep theirs, and can state it. */
function keepMasquerade(coming: readonly ImplicitRange[], release: Release): Draft[] {
  const range = coming.find(({ id }) => id === "ovn-masquerade");
  if (!range) return [];
  const kept = implicitRangeOf(BEFORE);
  const field = "defaultNetwork.ovnKubernetesConfig.gatewayConfig.ipv4.internalMasqueradeSubnet";
  return [
    draftOf({
      id: "keep-masquerade",
      title: `State the masquerade subnet before release ${formatRelease(release)}`,
      place: StepTarget.Hosted,
      disruption: Disruption.None,
      effect: `${kept.cidr} is what the cluster has; new clusters of this release get ${range.cidr}, upgraded clusters keep theirs even without this step`,
      optional: true,
      facets: ["release"],
      preChecks: [
        {
          what: `nothing else is set there: the answer is empty or ${kept.cidr}`,
          command: shell`oc --kubeconfig HOSTED get network.operator.openshift.io cluster -o jsonpath={.spec.${field}}`,
        },
      ],
      patches: [networkOperatorPatch([[field, kept.cidr]])],
      verification: [
        {
          what: "ovnkube-node did not roll out: its generation is the same",
          command:
            "oc --kubeconfig HOSTED get daemonset ovnkube-node -n openshift-ovn-kubernetes -o jsonpath={.metadata.generation}",
        },
      ],
      wayBack: { text: "remove it before the upgrade", patches: [networkOperatorPatch([[field, null]])] },
      documents: kept.documents.map(describeReference),
    }),
  ];
}

/** The two images, if the wanted object has another image of the same minor release. */
export function imageChange({
  change,
}: Pick<Transition, "change">): { before: string; after: string } | undefined {
  const sides = [change.current, change.wanted];
  if (sides.some(({ topology }) => isUnknown(topology, "release"))) return undefined;
  const releases = sides.map(({ topology: { release } }) => release && formatRelease(release));
  const [before, after] = sides.map(({ object }) => readText(object, `spec.${RELEASE_IMAGE}`));
  if (typeof before !== "string" || typeof after !== "string" || before === after) return undefined;
  return releases[0] === releases[1] ? { before, after } : undefined;
}

/** Another image of the same minor release: the same ranges and ports, but the nodes roll out. */
export function changeImage(transition: Transition): Draft[] {
  const images = imageChange(transition);
  if (!images) return [];
  const { current } = transition;
  const patch = (image: string) => hostedClusterPatch(current, [[RELEASE_IMAGE, image]]);
  return [
    draftOf({
      id: "release-image",
      title: "Change the release image",
      place: StepTarget.Management,
      disruption: Disruption.NodesRollOut,
      effect: "the control plane is updated, then each NodePool: its nodes are replaced or updated in place",
      facets: [`spec.${RELEASE_IMAGE}`],
      preChecks: [
        {
          what: "the HostedCluster can be updated: see its condition ValidReleaseImage",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o yaml`,
        },
      ],
      patches: [patch(images.after)],
      actions: ["When the update is complete, write the same image into each NodePool."],
      verification: [
        {
          what: "the history of the HostedCluster's version has the image as Completed, and every node is Ready",
          command: shell`oc get hostedcluster ${current.name} -n ${current.namespace} -o jsonpath={.status.version.history}`,
        },
        noUpdate(current, "UpdatingVersion"),
      ],
      wayBack: {
        text: "write the old image, if the release can return to it",
        patches: [patch(images.before)],
      },
      documents: [describeReference(at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go"))],
    }),
  ];
}

/** Checks that the nodes have rolled out, before anything else begins. */
export const noUpdate = (
  { namespace }: Pick<NormalizedTopology, "namespace">,
  condition: "UpdatingConfig" | "UpdatingVersion",
): Check => ({
  what: `no NodePool has ${condition} True`,
  command: shell`oc get nodepools -n ${namespace}`,
});
