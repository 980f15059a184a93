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

/** The other end of a rule. */
export type Peer = { cidr: string } | { group: Role };

/** A security group rule, independent of its form. */
export interface GroupRule {
  role: Role;
  direction: Direction;
  traffic: RuleTraffic;
  peer: Peer;
  /** Its name within its group and direction, as in the components. */
  key: string;
}

/** A network ACL rule, independent of its form. */
export interface AclRule extends Omit<AclEntry, "ruleAction"> {
  role: SubnetRole;
  ruleAction: "allow" | "deny";
}

/** The filters that components create for a case. */
export interface Filters {
  rules: readonly GroupRule[];
  acls: readonly AclRule[];
  /** Topology properties whose absence makes components report that they leave something closed. */
  unsaid: readonly string[];
  /** The table of their rules, as the components output it. */
  rows: readonly PropertyValue[];
}

/** The largest quotas of AWS, because a quota error says nothing about flows. */
const QUOTA = { group: 1_000, acl: 40 };
const SUBNETS = {
  "control-plane": { hosts: { subnetId: "subnet-1" } },
  both: { hosts: { subnetId: "subnet-1" }, workers: { subnetId: "subnet-2", role: Role.Workers } },
} as const;

/** The filters that components create for a case, or the faults. */
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
  // With too many rules, or two rules of one number, the user has to choose: then there is no plan, and these faults do not count.
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

/** User rules that deny before everything that components allow, whose numbers begin at 1000. */
const denials = (role: SubnetRole, cidrBlock: string): AclRule[] =>
  [false, true].map((egress) => ({
    role,
    ruleNumber: 10,
    egress,
    ruleAction: "deny",
    protocol: "-1",
    cidrBlock,
  }));
