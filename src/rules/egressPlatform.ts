import { egressCluster } from "../manifests/egressCluster";
import { platformFindings, type PlatformGate } from "../manifests/platformGate";
import type { Resource } from "../resources/resource";
import { guestCluster, guestInputs } from "./guestCluster";
import type { JudgedResources } from "./judgedResources";
import { describeResource, unknown, violated, type Judgement } from "./rule";

/** Whether the platform and the release of the hosted cluster have what these objects ask for. */
export function judgePlatform(
  judged: JudgedResources,
  gate: PlatformGate,
  objects: readonly Resource[],
): Judgement[] {
  const cluster = guestCluster(judged);
  const inputs = guestInputs(judged);
  if (!cluster || !inputs.topology)
    return objects.map((resource) =>
      unknown({ resource, path: "", reason: "which hosted cluster it belongs to, and its platform" }),
    );
  const guest = egressCluster(inputs);
  const { faults } = platformFindings(gate, guest, {});
  const row = guest.platform && gate.support[guest.platform];
  const { resource: origin, path } = cluster.locate("platform");
  const { holder, path: release } = cluster.locate("release");
  return objects.flatMap((resource) => [
    ...faults.map(({ problem }) =>
      violated({
        resource: origin,
        path,
        message: `${describeResource(resource)}: ${problem}`,
      }),
    ),
    ...(row?.since && !guest.release && holder
      ? [unknown({ resource: holder, path: release, reason: `whether it has ${gate.feature}` })]
      : []),
  ]);
}
