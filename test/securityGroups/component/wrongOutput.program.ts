import * as pulumi from "@pulumi/pulumi";
import { HostedControlPlaneSecurityGroups } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroups";
import { Direction, Platform, Protocol, Role } from "../../../src/requirements/vocabulary";

/** A program whose VPC id resolves to a name: prints the errors of the deployment, and the resources that it requested. */
const made: string[] = [];
const errors = new Set<string>();
process.on("unhandledRejection", (error) => {
  errors.add(pulumi.ResourceError.isInstance(error) && error.hideStack ? error.message : String(error));
});

process.on("exit", () => process.stdout.write(`RESULT ${JSON.stringify({ errors: [...errors], made })}\n`));

const rule = {
  role: Role.ControlPlane,
  direction: Direction.Ingress,
  protocol: Protocol.Tcp,
  description: "why",
};

void pulumi.runtime
  .setMocks({
    newResource: ({ name, inputs }) => {
      made.push(name);
      return { id: name, state: inputs as Record<string, unknown> };
    },
    call: () => ({}),
  })
  .then(
    () =>
      new HostedControlPlaneSecurityGroups("tenant", {
        topology: { name: "tenant-a", platform: Platform.AWS, machineNetwork: [{ cidr: "10.0.0.0/16" }] },
        vpcId: pulumi.output("my-vpc"),
        peers: { workers: { securityGroupIds: { pool: pulumi.output("vpc-1") } } },
        tags: { team: pulumi.output("x".repeat(257)) },
        additionalRules: {
          ssh: { ...rule, fromPort: 22, cidr: pulumi.secret("10.0.0.1/16") },
          kubelet: { ...rule, fromPort: 6443, cidr: pulumi.output("10.0.0.0/16") },
        },
      }),
  );
