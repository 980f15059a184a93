import type { Resource } from "../../resources/resource";
import { isUnknown } from "../../topology/normalizedTopology";
import type { Hosts } from "../../gate/hosts";
import { unknown, type Judgement } from "../../gate/rule";

/** Properties that decide which flows there are. */
const DECIDING = ["platform", "services", "endpointAccess", "loadBalancerTargets", "bootstrap"];

/** Properties that are not known, and without which nobody knows which flows a cluster has. */
export function undecidedFlows(cluster: Hosts["cluster"], holder: Resource): Judgement[] {
  return DECIDING.filter((property) => isUnknown(cluster.topology, property)).map((property) => {
    const { holder: from, path } = cluster.locate(property);
    return unknown({ resource: from ?? holder, path });
  });
}
