import type { InlineProgramArgs } from "@pulumi/pulumi/automation";
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { HostedControlPlaneSecurityGroups, LoadBalancerTargets, Platform } from "../../src/index";
import { TYPE } from "../../src/resources/resourceTypes";

/** A resource as a program defines it. */
export interface Written {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

type Program = InlineProgramArgs["program"];

/** Security groups of that many hosted clusters, with the component. */
export const components =
  (clusters: number): Program =>
  () => {
    for (let place = 0; place < clusters; place++)
      new HostedControlPlaneSecurityGroups(`tenant-${place}`, {
        topology: {
          name: `tenant-${place}`,
          namespace: "clusters",
          platform: Platform.AWS,
          release: "4.20",
          machineNetwork: [{ cidr: `10.${place >> 1}.${(place & 1) * 128}.0/17` }],
          managementClusterCidrs: ["172.16.0.0/16"],
          externalClientCidrs: ["172.17.0.0/16"],
          registryCidrs: ["198.51.100.0/24"],
          dnsServerCidrs: ["172.16.0.2/32"],
          controlPlaneEndpointCidrs: ["172.16.1.0/24"],
          loadBalancerSubnetCidrs: ["172.16.1.0/24"],
          loadBalancerTargets: LoadBalancerTargets.Instance,
          workerNatCidrs: ["203.0.113.8/32"],
        },
        vpcId: "vpc-0a1b2c3d4e5f60718",
      });
    return Promise.resolve();
  };

/** The classes with which programs define these resources. */
const CLASSES: Readonly<Record<string, new (name: string, inputs: never) => pulumi.CustomResource>> = {
  [TYPE.securityGroup]: aws.ec2.SecurityGroup,
  [TYPE.ingressRule]: aws.vpc.SecurityGroupIngressRule,
  [TYPE.egressRule]: aws.vpc.SecurityGroupEgressRule,
};

/** The same resources one by one; rules reference their group by its output. */
export const raw =
  (resources: readonly Written[]): Program =>
  () => {
    // The rules of a group come after it, and their names begin with its name.
    const groups: { name: string; made: pulumi.CustomResource }[] = [];
    for (const { type, name, inputs } of resources) {
      const isGroup = type.endsWith(":SecurityGroup");
      const owner = isGroup ? undefined : groups.findLast((group) => name.startsWith(`${group.name}-`));
      const Class = CLASSES[type];
      if (!Class) throw new Error(`${type} has no class here`);
      const made = new Class(name, { ...inputs, ...(owner && { securityGroupId: owner.made.id }) } as never);
      if (isGroup) groups.push({ name, made });
    }
    return Promise.resolve();
  };
