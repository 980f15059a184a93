import type { OthersSource } from "../../requirements/othersFilters";
import type { Direction } from "../../requirements/vocabulary";
import type { NetworkAcl } from "../../resources/networkAcls";
import type { Resource, UnknownValue } from "../../resources/resource";
import type { SecurityGroup } from "../../resources/securityGroups";
import type { Filter } from "../filters/filter";

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

/** What stands at one place, as a plan shows it. */
export interface Guard {
  /** What it is: `security groups of workers`. */
  name: string;
  /** What its rules are written in. Absent: it is not stated how to repair it. */
  standing?: Standing;
  /** Filters one behind the other. */
  filters: readonly Filter[];
  /** True where answers are judged too, by filters of their own. */
  answers?: readonly Filter[];
  /** Other rules that may stand here and that the plan does not show. */
  incomplete?: UnknownValue;
  /** Values that decide whether it stands here at all: as long as they are unknown, what it drops may pass. */
  doubtful?: readonly UnknownValue[];
  /** What decides before that: what it drops is dropped, whatever those values are. */
  foremost?: readonly Filter[];
  /** What others have here, with what the plan has: both add up. `isOnlyOne` where the plan has nothing. */
  others?: { by: OthersSource; filters: () => readonly Filter[]; isOnlyOne: boolean };
}
