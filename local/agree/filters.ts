import { networkAclRules } from "../../src/networkAcls/component/networkAclRules";
import { ruleKey, type PlannedRule } from "../../src/components/hostRules/plannedRule";
import { privateEndpointRules } from "../../src/securityGroups/component/privateEndpointRules";
import { rulePeer, ruleTraffic, type RuleTraffic } from "../../src/securityGroups/component/groupResource";
import { ruleRow, securityGroupRules } from "../../src/securityGroups/component/securityGroupRules";
import type { SubnetRole } from "../../src/networkAcls/component/answers";
import { EndpointAccess, Platform, Role, type Direction } from "../../src/requirements/vocabulary";
import type { PropertyValue } from "../../src/resources/resource";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import type { Case } from "./case";
import { type AclEntry, aclEntry } from "../../src/networkAcls/component/aclResources";

/** Who is at the other end of a rule. */
export type Peer = { cidr: string } | { group: Role };

/** A rule of a security group, however it is written. */
export interface GroupRule {
  role: Role;
  direction: Direction;
  traffic: RuleTraffic;
  peer: Peer;
  /** Its name in its group and direction, as components have it. */
  key: string;
}

/** A rule of a network ACL, however it is written. */
export interface AclRule extends Omit<AclEntry, "ruleAction"> {
  role: SubnetRole;
  ruleAction: "allow" | "deny";
}

/** The filters that components make for a case. */
export interface Filters {
  rules: readonly GroupRule[];
  acls: readonly AclRule[];
  /** Properties of the topology for want of which components say that they leave something closed. */
  unsaid: readonly string[];
  /** The table of their rules, which components have as an output. */
  rows: readonly PropertyValue[];
}

/** As many as AWS takes: what the quota refuses says nothing about flows. */
const QUOTA = { group: 1_000, acl: 40 };
const SUBNETS = {
  "control-plane": { hosts: { subnetId: "subnet-1" } },
  both: { hosts: { subnetId: "subnet-1" }, workers: { subnetId: "subnet-2", role: Role.Workers } },
} as const;

/** What components make for a case, or what is wrong with it. */
export function filtersOf(given: Case): Filters | { faults: readonly string[] } {
  const { topology, disabledRules = [], additionalRules = {}, acls, denied } = given;
  const read = normalizeTopology(topology);
  const groups = securityGroupRules(
    topology,
    { disabledRules, additionalRules, ruleQuota: QUOTA.group },
    read,
  );
  const endpoint = hasEndpoint(given)
    ? privateEndpointRules(topology, { ruleQuota: QUOTA.group }, read)
    : undefined;
  const lists =
    acls && networkAclRules(topology, { dedicatedSubnets: SUBNETS[acls], ruleQuota: QUOTA.acl }, read);
  const plans = [groups, endpoint, lists].flatMap((plan) => plan ?? []);
  const faults = plans.flatMap((plan) => plan.faults);
  // Where there are too many rules, or two of one number, the user has to choose: there is no plan.
  if (faults.length > 0)
    return {
      faults: faults
        .filter(({ path }) => !/^rule(Numbers|Quota)/.test(path))
        .map(({ path, problem }) => `${path} ${problem}`),
    };
  const planned = [...groups.rules, ...(endpoint?.rules ?? [])];
  const allows = (lists?.rules ?? []).map((rule): AclRule => ({
    role: rule.role as SubnetRole,
    ...aclEntry(rule),
  }));
  const roles = [...new Set(allows.map(({ role }) => role))];
  return {
    rules: planned.map(groupRule),
    acls: [...(denied === undefined ? [] : roles.flatMap((role) => denials(role, denied))), ...allows],
    unsaid: plans.flatMap(({ warnings }) =>
      warnings.flatMap((text) => /^topology\.(\S+) /.exec(text)?.[1] ?? []),
    ),
    rows: planned.map((rule) => ruleRow(rule) as unknown as PropertyValue),
  };
}

const hasEndpoint = ({ topology: { platform, endpointAccess } }: Case): boolean =>
  platform === Platform.AWS && endpointAccess !== undefined && endpointAccess !== EndpointAccess.Public;

function groupRule(rule: PlannedRule): GroupRule {
  const { role, direction } = rule;
  const ids = Object.fromEntries(Object.values(Role).map((one) => [one, one]));
  const { cidrIpv4, cidrIpv6, referencedSecurityGroupId } = rulePeer<string>(rule.peer, {
    groups: ids,
    values: new Map(),
    ofFamily: (cidr) => cidr,
  });
  const cidr = cidrIpv4 ?? cidrIpv6;
  const peer = cidr === undefined ? { group: referencedSecurityGroupId as Role } : { cidr };
  return { role, direction, traffic: ruleTraffic(rule), peer, key: ruleKey(rule) };
}

/** What a user denies before all that components allow, whose numbers begin at 1000. */
const denials = (role: SubnetRole, cidrBlock: string): AclRule[] =>
  [false, true].map((egress) => ({
    role,
    ruleNumber: 10,
    egress,
    ruleAction: "deny",
    protocol: "-1",
    cidrBlock,
  }));
