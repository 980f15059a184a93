import type { Kind, Props } from "../kind";
import { defaultSecurityGroup } from "./defaultSecurityGroup";
import { eip } from "./eip";
import { internetGateway } from "./internetGateway";
import { managedPrefixList } from "./managedPrefixList";
import { managedPrefixListEntry } from "./managedPrefixListEntry";
import { natGateway } from "./natGateway";
import { networkAcl } from "./networkAcl";
import { networkAclAssociation } from "./networkAclAssociation";
import { networkAclRule } from "./networkAclRule";
import { route } from "./route";
import { routeTable } from "./routeTable";
import { routeTableAssociation } from "./routeTableAssociation";
import { securityGroup } from "./securityGroup";
import { securityGroupAssociation } from "./securityGroupAssociation";
import { securityGroupRule } from "./securityGroupRule";
import { splitRule } from "./splitRule";
import { subnet } from "./subnet";
import { vpc } from "./vpc";
import { vpcCidrBlockAssociation } from "./vpcCidrBlockAssociation";
import { vpcEndpoint } from "./vpcEndpoint";
import { vpcPeeringConnection } from "./vpcPeeringConnection";

/** Every kind of resource that the stand-in supports. */
export const kinds = [
  defaultSecurityGroup,
  eip,
  internetGateway,
  managedPrefixList,
  managedPrefixListEntry,
  natGateway,
  networkAcl,
  networkAclAssociation,
  networkAclRule,
  route,
  routeTable,
  routeTableAssociation,
  securityGroup,
  securityGroupAssociation,
  securityGroupRule,
  splitRule("ingress"),
  splitRule("egress"),
  subnet,
  vpc,
  vpcCidrBlockAssociation,
  vpcEndpoint,
  vpcPeeringConnection,
  // Each kind has its own type of state; the lifecycle treats all kinds alike.
] as unknown as Kind<Props>[];
