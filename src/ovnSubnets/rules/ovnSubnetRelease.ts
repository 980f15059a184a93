import { D0, HYPERSHIFT, at } from "../../requirements/documents";
import { internalSubnet, internalSubnetProperties } from "../../requirements/internalSubnets";
import { INTERNAL_SUBNETS_SINCE } from "../../requirements/limits";
import { formatRelease } from "../../requirements/release";
import { isHostedCluster } from "../../resources/resourceTypes";
import { OvnSubnetRule } from "../../topology/normalize/ovnSubnets";
import { writtenSubnets, type WrittenSubnets } from "./ovnSubnets";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

const first = formatRelease(INTERNAL_SUBNETS_SINCE);

/** An internal subnet in a HostedCluster whose release does not have it. */
export const ovnSubnetRelease: Rule = {
  id: OvnSubnetRule.Release,
  title: "Internal subnets are set in releases that have them",
  level: Level.Error,
  description: `The join and transit switch subnets of HostedClusters and of patches on them, which release ${first} brings: an older one drops or refuses them. The release is read from the image's tag; an image named by its digest tells none, and the configuration can.`,
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.operatorConfiguration"),
  ],
  remediation: `Upgrade to ${first} or newer, or leave the subnet out.`,
  single: isHostedCluster,
  judge: (judged) =>
    writtenSubnets(judged)
      .filter(({ resource }) => isHostedCluster(resource.type))
      .flatMap(judgeSubnets),
};

function judgeSubnets({ resource, values, faults, surroundings, pathOf }: WrittenSubnets): Judgement[] {
  if (!surroundings.release)
    return internalSubnetProperties.flatMap((property) => {
      const { since } = internalSubnet(property);
      if (typeof values[property] !== "string" || !since) return [];
      const reason = `whether the release is ${formatRelease(since)} or newer`;
      const because = [{ resource, path: "spec.release" }];
      return [unknown({ resource, path: pathOf(property), reason, because })];
    });
  return faults
    .filter(({ rule }) => rule === OvnSubnetRule.Release)
    .map(({ path, problem, remedy }) =>
      violated({ resource: resource.origin, path, message: problem, fix: remedy }),
    );
}
