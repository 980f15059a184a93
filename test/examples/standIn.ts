import { createHash } from "node:crypto";

/** The id prefixes of resources whose ids are checked where they are used. */
const ID_PREFIX: Readonly<Record<string, string>> = {
  "aws:ec2/eip:Eip": "eipalloc",
  "aws:ec2/internetGateway:InternetGateway": "igw",
  "aws:ec2/managedPrefixList:ManagedPrefixList": "pl",
  "aws:ec2/natGateway:NatGateway": "nat",
  "aws:ec2/networkAcl:NetworkAcl": "acl",
  "aws:ec2/routeTable:RouteTable": "rtb",
  "aws:ec2/securityGroup:SecurityGroup": "sg",
  "aws:ec2/subnet:Subnet": "subnet",
  "aws:ec2/vpc:Vpc": "vpc",
  "aws:ec2/vpcEndpoint:VpcEndpoint": "vpce",
  "aws:ec2/vpcPeeringConnection:VpcPeeringConnection": "pcx",
};

/** The id and outputs of a resource that was never created: the same in every run, and in the form of real ones. */
export function standIn(type: string, name: string, inputs: Record<string, unknown>) {
  const hash = createHash("sha256").update(`${type} ${name}`).digest("hex");
  if (type.startsWith("kubernetes:")) {
    const given = inputs.metadata as { name?: string; namespace?: string } | undefined;
    const metadata = { namespace: "default", name: `${name}-${hash.slice(0, 8)}`, ...given };
    return { id: `${metadata.namespace}/${metadata.name}`, state: { ...inputs, metadata } };
  }
  const prefix = ID_PREFIX[type];
  const id = prefix === undefined ? `${name}-${hash.slice(0, 8)}` : `${prefix}-${hash.slice(0, 17)}`;
  return { id, state: { ...inputs, arn: `arn:aws:ec2:us-east-1:123456789012:${name}/${id}` } };
}
