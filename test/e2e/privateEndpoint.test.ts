import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ModifyVpcEndpointCommand } from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";

import type { Session } from "../../local/session";
import { EndpointAccess, Platform, PublishingType } from "../../src";
import { PrivateEndpointSecurityGroup } from "../../src/securityGroups/component/privateEndpointSecurityGroup";
import type { PrivateEndpointSecurityGroupArgs } from "../../src/securityGroups/component/privateEndpointSecurityGroupArgs";
import { ownStackLines } from "./badInput/output";
import { projectIn } from "./badInput/project";
import { Bench, fine, kubectlWith } from "./conformance/kubernetesBench";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

const topology = {
  name: "tenant-a",
  platform: Platform.AWS,
  endpointAccess: EndpointAccess.Private,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const offices = { cidr: "10.200.0.0/16", description: "The offices" };

/** The workers' VPC with the endpoints and the security group that the controller creates. */
const network = () => {
  const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
  const subnet = new aws.ec2.Subnet("subnet", { vpcId: vpc.id, cidrBlock: "10.0.0.0/20" });
  const group = new aws.ec2.SecurityGroup("controller", { vpcId: vpc.id });
  const [first, second] = ["first", "second"].map((name) => {
    return new aws.ec2.VpcEndpoint(
      name,
      {
        vpcId: vpc.id,
        serviceName: "com.amazonaws.vpce.us-east-1.vpce-svc-0a1b2c3d",
        vpcEndpointType: "Interface",
        subnetIds: [subnet.id],
        securityGroupIds: [group.id],
      },
      { ignoreChanges: ["securityGroupIds"] },
    );
  });
  return Promise.resolve({ vpc: vpc.id, group: group.id, first: first!.id, second: second!.id });
};

describe("M3 the security group of a private cluster's VPC endpoints, on an EC2 API", () => {
  const folder = mkdtempSync(join(tmpdir(), "private-endpoint-"));
  let session: Session;
  let world: World;
  let surroundings: Bench;
  let bench: Bench;
  let made: Record<"vpc" | "group" | "first" | "second", string>;
  let own: string;

  const program =
    (args: Partial<PrivateEndpointSecurityGroupArgs>, name = "tenant") =>
    () => {
      const { vpc: vpcId, first } = made;
      const given = { topology, vpcId, endpointIds: { router: first }, ...args };
      const { securityGroupId } = new PrivateEndpointSecurityGroup(name, given);
      return Promise.resolve({ securityGroupId });
    };

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    surroundings = await Bench.open(session, "surroundings");
    fine(await surroundings.up(network));
    made = (await surroundings.outputs()) as typeof made;
    bench = await Bench.open(session, "endpoint");
  });
  afterAll(async () => {
    for (const each of [bench, surroundings]) each?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("allows the machines and the callers, and is attached in addition to the controller's group", async () => {
    fine(await bench.up(program({ callers: { offices } })));
    own = String((await bench.outputs()).securityGroupId);
    expect(await world.rules(own)).toEqual([
      "ingress tcp 443 10.0.0.0/16",
      "ingress tcp 443 10.200.0.0/16",
      "ingress tcp 6443 10.0.0.0/16",
      "ingress tcp 6443 10.200.0.0/16",
    ]);
    expect(await world.groupsOfEndpoint(made.first)).toEqual([made.group, own].sort());
  });

  test("does not change with a second up, nor after the controller has reconciled", async () => {
    const callers = { offices };
    expect(fine(await bench.up(program({ callers }))).changes).toEqual({ same: 8 });
    await world.ec2.send(
      new ModifyVpcEndpointCommand({ VpcEndpointId: made.first, AddSecurityGroupIds: [made.group] }),
    );
    expect(fine(await bench.up(program({ callers }), true)).changes).toEqual({ same: 8 });
    expect(await world.groupsOfEndpoint(made.first)).toEqual([made.group, own].sort());
  });

  test("updates descriptions in place, adds and removes callers, and keeps the group", async () => {
    const renamed = { ...offices, description: "Offices and their VPN" };
    expect(fine(await bench.up(program({ callers: { offices: renamed } }))).changes).toEqual({
      same: 5,
      update: 3,
    });
    const transit = { cidr: "10.64.0.0/12" };
    expect(fine(await bench.up(program({ callers: { transit } }))).changes).toEqual({
      same: 5,
      update: 1,
      create: 2,
      delete: 2,
    });
    expect(await world.rules(own)).toContain("ingress tcp 6443 10.64.0.0/12");
    expect((await bench.outputs()).securityGroupId).toBe(own);
  });

  test("moves to another endpoint when its id changes", async () => {
    const transit = { cidr: "10.64.0.0/12" };
    fine(await bench.up(program({ callers: { transit }, endpointIds: { router: made.second } })));
    expect(await world.groupsOfEndpoint(made.first)).toEqual([made.group]);
    expect(await world.groupsOfEndpoint(made.second)).toEqual([made.group, own].sort());
  });

  test("is deleted by destroy, which restores the endpoint and keeps the controller's group", async () => {
    fine(await bench.destroy());
    expect(await world.groupsOfEndpoint(made.second)).toEqual([made.group]);
    expect(await world.groupIds(made.vpc)).not.toContain(own);
    expect(await world.groupIds(made.vpc)).toContain(made.group);
  });

  describe("with the ids that AWSEndpointService objects name", () => {
    const services = { apiServer: { type: PublishingType.Route, hostname: "api.tenant-a.example.com" } };
    const reading = program(
      { topology: { ...topology, services }, endpointIds: undefined, readEndpointServices: true },
      "read",
    );
    const metadata = { name: "private-router", namespace: "clusters-tenant-a" };
    const object = { apiVersion: "hypershift.openshift.io/v1beta1", kind: "AWSEndpointService", metadata };
    const apply = (it: object, ...more: string[]) =>
      kubectlWith(session, JSON.stringify(it), "apply", "--server-side", ...more, "-f", "-");
    const endpointIs = (endpointID: string) =>
      apply({ ...object, status: { endpointID } }, "--subresource=status");

    test("fails while the object is missing or names no endpoint", async () => {
      const project = await projectIn(session, "endpoint-services");
      const text = `
        import { PrivateEndpointSecurityGroup } from "hypershift-network";
        new PrivateEndpointSecurityGroup("tenant", {
          topology: ${JSON.stringify({ ...topology, services })} as never,
          vpcId: "${made.vpc}",
          readEndpointServices: true,
        });`;
      const missing = await project.preview(text);
      expect(missing.status).not.toBe(0);
      expect(missing.output).toContain("clusters-tenant-a/private-router");
      apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: metadata.namespace } });
      apply({ ...object, spec: { networkLoadBalancerName: "balancer" } });
      const early = await project.up(text);
      expect(early.status).not.toBe(0);
      expect(early.output).toContain(
        "AWSEndpointService clusters-tenant-a/private-router names no endpoint in its status yet: run again",
      );
      expect(ownStackLines(early.output, project.folder)).toEqual([]);
      await project.destroy();
    });

    test("attaches the group to the endpoint, and to another one when the controller changes it", async () => {
      endpointIs(made.first);
      fine(await bench.up(reading));
      const group = String((await bench.outputs()).securityGroupId);
      expect(await world.groupsOfEndpoint(made.first)).toEqual([made.group, group].sort());
      expect(fine(await bench.up(reading)).changes).toEqual({ same: 5, read: 1 });
      endpointIs(made.second);
      fine(await bench.up(reading));
      expect(await world.groupsOfEndpoint(made.second)).toEqual([made.group, group].sort());
    });

    test("keeps the AWSEndpointService object on destroy", async () => {
      fine(await bench.destroy(reading));
      expect(await world.groupsOfEndpoint(made.second)).toEqual([made.group]);
      const path =
        "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters-tenant-a/awsendpointservices/private-router";
      expect(await world.object(path)).toBeDefined();
    });
  });
});
