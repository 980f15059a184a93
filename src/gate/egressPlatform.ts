import { egressCluster, type ClusterInputs, type EgressCluster } from "../objects/egressCluster";
import { platformFindings, type PlatformGate } from "../objects/platformGate";
import type { Origin, Resource } from "../resources/resource";
import { OUR_COMPONENTS } from "../resources/resourceTypes";
import type { JudgedCluster } from "./clusters";
import { guestCluster } from "./guestCluster";
import type { JudgedResources } from "./judgedResources";
import { describeResource, unknown, violated, type Judgement } from "./rule";

/** Whether the platform and the release of the hosted cluster have what these objects ask for. */
export const judgePlatform = (
  judged: JudgedResources,
  gate: PlatformGate,
  objects: readonly Resource[],
): Judgement[] =>
  objects.flatMap((resource) => {
    const described = describedCluster(resource, judged);
    return described.guest.platform
      ? judgeObject(resource, gate, described)
      : unknown({ resource, path: "", reason: "which hosted cluster it belongs to, and its platform" });
  });

/** The cluster to which an object goes, and where that is written. */
interface Described {
  guest: EgressCluster;
  locate: (property: "platform" | "release") => { resource: Origin; holder?: Resource; path: string };
}

/** What the component that made the object says of platform and release comes before what the stack says of the cluster. */
function describedCluster({ parent, origin }: Resource, judged: JudgedResources): Described {
  const parentResource = judged.index.at(parent);
  const maker = parentResource?.type.startsWith(OUR_COMPONENTS) ? parentResource : undefined;
  const cluster = clusterOf(maker, judged);
  const stated: ClusterInputs = maker?.properties ?? {};
  return {
    guest: egressCluster({
      topology: cluster && { ...cluster.raw },
      platform: stated.platform,
      release: stated.release,
    }),
    locate: (property) => {
      if (maker && typeof stated[property] === "string")
        return { resource: maker.origin, holder: maker, path: property };
      return cluster?.locate(property) ?? { resource: origin, path: "" };
    },
  };
}

/** The cluster that the component belongs to, else the only one. */
function clusterOf(maker: Resource | undefined, judged: JudgedResources): JudgedCluster | undefined {
  const own = judged.clusters.find(
    ({ sources }) => maker && sources.some(({ resource }) => resource === maker),
  );
  const cluster = own ?? guestCluster(judged);
  return cluster?.topology && cluster;
}

function judgeObject(resource: Resource, gate: PlatformGate, { guest, locate }: Described): Judgement[] {
  const { faults } = platformFindings(gate, guest, {});
  const row = guest.platform && gate.support[guest.platform];
  const { resource: origin, path } = locate("platform");
  const { holder, path: release } = locate("release");
  return [
    ...faults.map(({ problem }) =>
      violated({ resource: origin, path, message: `${describeResource(resource)}: ${problem}` }),
    ),
    ...(row?.since && !guest.release && holder
      ? [unknown({ resource: holder, path: release, reason: `whether it has ${gate.feature}` })]
      : []),
  ];
}
