import type { NetworkAcl, NetworkAclEntry } from "@aws-sdk/client-ec2";

import { LIMIT } from "../../requirements/limits";
import type { PropertyValue, Resource } from "../../resources/resource";
import { TYPE } from "../../resources/resourceTypes";
import { ec2Resource, tagsOf } from "./ec2Resource";

/** A network ACL with its rules inline and the subnets that have it, as the AWS provider shows it. */
export function networkAclResource(acl: NetworkAcl): Resource {
  const { NetworkAclId: id = "", IsDefault: isDefault, VpcId, Entries = [], Associations = [] } = acl;
  // Rules behind it are AWS's own: they deny what no other rule names, and they cannot be changed. (EC2, NetworkAclEntry)
  const { max } = LIMIT.networkAclRuleNumber;
  const own = Entries.filter(({ RuleNumber = 0 }) => RuleNumber <= max);
  return ec2Resource(isDefault ? TYPE.defaultNetworkAcl : TYPE.networkAcl, id, {
    vpcId: VpcId,
    ...(isDefault && { defaultNetworkAclId: id }),
    subnetIds: Associations.flatMap(({ SubnetId }) => SubnetId ?? []),
    ingress: own.filter(({ Egress }) => !Egress).map(ruleOf),
    egress: own.filter(({ Egress }) => Egress).map(ruleOf),
    tags: tagsOf(acl.Tags),
  });
}

function ruleOf(entry: NetworkAclEntry): PropertyValue {
  const {
    RuleNumber = 0,
    RuleAction,
    Protocol = "-1",
    CidrBlock,
    Ipv6CidrBlock,
    PortRange,
    IcmpTypeCode,
  } = entry;
  return {
    ruleNo: RuleNumber,
    action: RuleAction ?? "deny",
    protocol: Protocol,
    fromPort: PortRange?.From ?? 0,
    toPort: PortRange?.To ?? 0,
    ...(CidrBlock !== undefined && { cidrBlock: CidrBlock }),
    ...(Ipv6CidrBlock !== undefined && { ipv6CidrBlock: Ipv6CidrBlock }),
    ...(IcmpTypeCode && { icmpType: IcmpTypeCode.Type ?? -1, icmpCode: IcmpTypeCode.Code ?? -1 }),
  };
}
