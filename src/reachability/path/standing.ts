import type { Direction } from "../../requirements/vocabulary";
import type { NetworkAcl } from "../../resources/networkAcls";
import type { Resource } from "../../resources/resource";
import type { SecurityGroup } from "../../resources/securityGroups";

/** What stands at a place as it is written: a rule that is missing would have to be written there. */
export type Standing =
  /** Groups of one interface, which add up. */
  | { kind: "securityGroups"; groups: readonly SecurityGroup[] }
  | { kind: "networkAcl"; acl: NetworkAcl }
  /** Policies of pods: a rule may stand in a policy of its own. */
  | { kind: "networkPolicies"; direction: Direction }
  | { kind: "egressFirewall"; firewall: Resource }
  /** Those whom public load balancers let in, as a HostedCluster lists them. */
  | { kind: "allowList"; listedBy: Resource };
