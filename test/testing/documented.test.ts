import * as aws from "@pulumi/aws";
import { Platform } from "hypershift-network";
import { judge, previewOf, type ConfigurationDocument } from "hypershift-network/testing";

const configuration: ConfigurationDocument = {
  hostedClusters: [
    { name: "tenant-a", platform: Platform.AWS, release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] },
  ],
};

/** The network of the program, for workers in a block. */
function network(workers: string) {
  const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };
  const group = new aws.ec2.SecurityGroup("hosts", { tags });
  for (const port of [443, 6443])
    new aws.vpc.SecurityGroupIngressRule(`in-${port}`, {
      securityGroupId: group.id, // unknown until the first update
      ipProtocol: "tcp",
      fromPort: port,
      toPort: port,
      cidrIpv4: workers,
    });
}

test("workers reach the API server and the router", async () => {
  const { violated } = judge(await previewOf(() => network("10.0.0.0/16")), configuration);
  expect(violated.filter(({ path }) => path.startsWith("ingress"))).toEqual([]);
});

test("half of the workers is not enough", async () => {
  const { violated } = judge(await previewOf(() => network("10.0.0.0/17")), configuration);
  expect(violated.map(({ rule }) => rule)).toContain("port-missing");
});
