import { spawnSync } from "node:child_process";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { HostedControlPlaneSecurityGroupsArgs } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import { AddressFamily, Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import { eventually } from "../../components/eventually";
import { goldenCases } from "./goldenCases";

/** A resource as it is requested from the engine. */
interface Made {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

let made: Made[] = [];
let warned: jest.SpyInstance;
const mocks: pulumi.runtime.Mocks = {
  newResource: ({ type, name, inputs }) => {
    made.push({ type, name, inputs: inputs as Record<string, unknown> });
    const id = type === GROUP ? `sg-${name}` : name;
    return { id, state: { ...(inputs as object), arn: `arn:aws:ec2:::${name}` } };
  },
  call: ({ inputs }) => inputs as Record<string, unknown>,
};
void pulumi.runtime.setMocks(mocks);

import { HostedControlPlaneSecurityGroups } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroups";

const TYPE = "hypershift-network:index:HostedControlPlaneSecurityGroups";
const GROUP = "aws:ec2/securityGroup:SecurityGroup";
const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule";

function topologyOf(name: string): HostedControlPlaneSecurityGroupsArgs["topology"] {
  const found = goldenCases.find((each) => each.name === name);
  if (!found) throw new Error(`no case ${name}`);
  return found.topology;
}
const topology = topologyOf("aws-route");

/** Waits until all requested resources have been created. */
const settled = (): Promise<void> => pulumi.runtime.disconnect();

async function make(
  args: Partial<HostedControlPlaneSecurityGroupsArgs>,
  name = "tenant",
): Promise<HostedControlPlaneSecurityGroups> {
  const component = new HostedControlPlaneSecurityGroups(name, { topology, vpcId: "vpc-1", ...args });
  await settled();
  return component;
}
const named = (name: string): Made | undefined => made.find((each) => each.name === name);
const ofType = (...types: string[]): Made[] => made.filter(({ type }) => types.includes(type));

beforeEach(async () => {
  await pulumi.runtime.setMocks(mocks, "project", "stack", false);
  made = [];
  warned = jest.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => settled());

describe("the security groups and their rules", () => {
  it("creates a group for control-plane hosts and one for workers, without inline rules", async () => {
    await make({ tags: { team: "network" }, region: "eu-central-1" });
    expect(ofType(GROUP)).toEqual([
      {
        type: GROUP,
        name: "tenant-control-plane",
        inputs: {
          vpcId: "vpc-1",
          description: "Hosts of a hosted control plane",
          region: "eu-central-1",
          tags: {
            Name: "tenant-control-plane",
            team: "network",
            "hypershift-network/cluster": "tenant-a",
            "hypershift-network/role": "control-plane",
          },
        },
      },
      expect.objectContaining({ name: "tenant-workers" }),
    ]);
  });

  it("names each rule by protocol, ports and peer", async () => {
    await make({});
    expect(named("tenant-control-plane-ingress-tcp-6443-10.0.0.0-16")).toEqual({
      type: INGRESS,
      name: "tenant-control-plane-ingress-tcp-6443-10.0.0.0-16",
      inputs: {
        securityGroupId: "sg-tenant-control-plane",
        ipProtocol: "tcp",
        fromPort: 6443,
        toPort: 6443,
        cidrIpv4: "10.0.0.0/16",
        description: expect.stringContaining("API server") as unknown,
        tags: { "hypershift-network/requirement": "cp-in-kas" },
      },
    });
    expect(named("tenant-workers-egress-udp-53-10.1.0.2-32")?.type).toBe(EGRESS);
  });

  it.each([
    "aws-route",
    "agent-nodeport-pinned",
    "aws-route-instance-targets",
    "aws-route-nothing-but-a-name",
  ])("%s: creates a resource for each planned rule, all with unique names", async (name) => {
    const component = await make({ topology: topologyOf(name) });
    expect(ofType(INGRESS, EGRESS)).toHaveLength((await eventually(component.rules)).length);
    expect(new Set(made.map((each) => each.name)).size).toBe(made.length);
  });

  it("creates rules of both address families", async () => {
    await make({ topology: topologyOf("aws-route-dual-stack") });
    expect(named("tenant-control-plane-ingress-tcp-6443-fd00-10---48")?.inputs).toMatchObject({
      cidrIpv6: "fd00:10::/48",
    });
  });

  it("creates the workers' group in the VPC of the workers", async () => {
    await make({ workerVpcId: "vpc-2" });
    expect(named("tenant-control-plane")?.inputs.vpcId).toBe("vpc-1");
    expect(named("tenant-workers")?.inputs.vpcId).toBe("vpc-2");
  });

  it("adds rules to existing groups instead of creating groups", async () => {
    await make({ controlPlaneSecurityGroupId: "sg-a", workerSecurityGroupId: "sg-b" });
    expect(ofType(GROUP)).toEqual([]);
    expect(named("tenant-control-plane-ingress-tcp-443-10.0.0.0-16")?.inputs.securityGroupId).toBe("sg-a");
    expect(named("tenant-workers-egress-udp-53-10.1.0.2-32")?.inputs.securityGroupId).toBe("sg-b");
  });

  it("refers to other groups, prefix lists and its own groups", async () => {
    await make({
      topology: { ...topologyOf("agent-nodeport"), machineNetwork: undefined },
      peers: {
        externalClients: {
          securityGroupIds: { ci: pulumi.output("sg-ci") },
          prefixLists: { office: { id: pulumi.output("pl-office"), maxEntries: 5 } },
        },
      },
    });
    const peer = (slug: string): unknown => named(`tenant-control-plane-ingress-tcp-${slug}`)?.inputs;
    expect(peer("6443-sg-externalClients-ci")).toMatchObject({ referencedSecurityGroupId: "sg-ci" });
    expect(peer("6443-pl-externalClients-office")).toMatchObject({ prefixListId: "pl-office" });
    expect(peer("8091-workers")).toMatchObject({ referencedSecurityGroupId: "sg-tenant-workers" });
  });

  it("adds the user's rules, of any protocol and with blocks from other resources", async () => {
    const rule = { role: Role.ControlPlane, direction: Direction.Ingress, description: "why" };
    await make({
      additionalRules: {
        all: { ...rule, protocol: Protocol.Any, cidr: "192.0.2.0/24" },
        ping: { ...rule, protocol: Protocol.Icmp, cidr: "2001:db8::/32" },
        esp: { ...rule, protocol: Protocol.Esp, cidr: "192.0.2.0/24" },
        tcp: { ...rule, protocol: Protocol.Tcp, cidr: "192.0.2.0/24" },
        later4: { ...rule, protocol: Protocol.Tcp, fromPort: 22, cidr: pulumi.output("198.51.100.0/24") },
        later6: {
          ...rule,
          protocol: Protocol.Tcp,
          fromPort: 22,
          cidr: pulumi.output("2001:db8::/32"),
          family: AddressFamily.IPv6,
        },
      },
    });
    const inputs = (slug: string): unknown => named(`tenant-control-plane-ingress-${slug}`)?.inputs;
    expect(inputs("any-rule-all")).toMatchObject({ ipProtocol: "-1" });
    expect(inputs("any-rule-all")).not.toHaveProperty("fromPort");
    expect(inputs("icmp-rule-ping")).toMatchObject({ ipProtocol: "icmpv6", fromPort: -1, toPort: -1 });
    expect(inputs("esp-rule-esp")).toMatchObject({ ipProtocol: "50" });
    expect(inputs("tcp-rule-tcp")).toMatchObject({ fromPort: 0, toPort: 65535 });
    expect(inputs("tcp-22-rule-later4")).toMatchObject({ cidrIpv4: "198.51.100.0/24" });
    expect(inputs("tcp-22-rule-later4")).not.toHaveProperty("cidrIpv6");
    expect(inputs("tcp-22-rule-later6")).toMatchObject({ cidrIpv6: "2001:db8::/32" });
  });
});

describe("outputs", () => {
  it("contain the ids of the groups and the rules", async () => {
    const component = await make({});
    await expect(eventually(component.controlPlaneSecurityGroupId)).resolves.toBe("sg-tenant-control-plane");
    await expect(eventually(component.workerSecurityGroupId)).resolves.toBe("sg-tenant-workers");
    const [first] = await eventually(component.rules);
    expect(first).toEqual({
      key: "tcp-6443-10.0.0.0-16",
      role: "control-plane",
      direction: "ingress",
      protocol: "TCP",
      ports: "6443",
      peer: "10.0.0.0/16",
      flows: ["control-plane/ingress/kube-apiserver"],
      requirements: ["cp-in-kas"],
      purpose: expect.any(String) as unknown,
      documents: expect.arrayContaining([expect.stringContaining("OKD networking")]) as unknown,
      notes: expect.any(Array) as unknown,
    });
    expect(await eventually(component.urn)).toContain(`${TYPE}::tenant`);
  });

  it("contain the topology with its defaults", async () => {
    const component = await make({});
    expect(await eventually(component.topology)).toMatchObject({
      name: "tenant-a",
      namespace: "clusters",
      endpointAccess: "Public",
      bootstrap: true,
    });
  });

  it("contain no proxy credentials, and neither do the inputs in the state", async () => {
    const httpsProxy = "http://user:hunter2@proxy.example.com:3128";
    const component = await make({ topology: { ...topology, proxy: { httpsProxy } } });
    expect((await eventually(component.topology)).proxy).toEqual({
      httpsProxy: "http://proxy.example.com:3128",
    });
    expect(JSON.stringify(made)).not.toContain("hunter2");
  });
});

it("a missing input of the topology is a warning of the deployment", async () => {
  await make({ topology: { ...topology, externalClientCidrs: undefined } });
  const warnings = warned.mock.calls.flat().join("\n");
  expect(warnings).toContain(
    "topology.externalClientCidrs missing: no rule for it: control-plane/ingress/kube-apiserver",
  );
});

describe("invalid inputs are refused with all faults at once, and no resource is created", () => {
  const refusal = (args: unknown, name = "tenant"): string => {
    try {
      new HostedControlPlaneSecurityGroups(name, args as HostedControlPlaneSecurityGroupsArgs);
    } catch (error) {
      expect(pulumi.ResourceError.isInstance(error) && error.hideStack).toBe(true);
      return (error as Error).message;
    }
    throw new Error("was not refused");
  };
  afterEach(async () => {
    await settled();
    expect(made.filter(({ type }) => type !== TYPE)).toEqual([]);
  });

  it("plain values of every kind", () => {
    const message = refusal({
      topology: topologyOf("aws-nodeport"),
      vpcId: "my-vpc",
      workerVpcId: "subnet-1",
      region: "Frankfurt",
      tags: {
        "kubernetes.io/cluster/tenant-a": "owned",
        "hypershift-network/role": "workers",
        "aws:x": "y",
        size: 3,
      },
      controlPlaneSecurityGroupId: "default",
      peers: { workers: { securityGroupIds: { a: "pl-1" } } },
      ruleQuota: 0,
    });
    expect(message.split("\n").map((line) => line.trim().split("  ")[0])).toEqual(
      [
        "HostedControlPlaneSecurityGroups tenant: 14 faults",
        "topology.services.apiServer.type",
        "topology.services.oauthServer.type",
        "topology.services.konnectivity.type",
        "topology.services.ignition.type",
        "peers.workers.securityGroupIds.a",
        "ruleQuota",
        "vpcId",
        "workerVpcId",
        "region",
        "controlPlaneSecurityGroupId",
        'tags["kubernetes.io/cluster/tenant-a"]',
        'tags["hypershift-network/role"]',
        'tags["aws:x"]',
        'tags["size"]',
        "",
      ].filter((line) => line !== ""),
    );
  });

  it.each([[undefined], [null], [{}], [{ topology: null, vpcId: null }]])(
    "missing required inputs: %p",
    (args) => {
      const message = refusal(args);
      expect(message).toContain("topology  missing");
      expect(message).toContain("vpcId     missing");
    },
  );

  it("a topology with an Output in it", () => {
    const withOutput = { ...topology, externalClientCidrs: [pulumi.output("203.0.113.0/24")] };
    expect(refusal({ topology: withOutput, vpcId: "vpc-1" })).toContain(
      "topology.externalClientCidrs[0]  an Output",
    );
  });

  it("a component name that looks like a security group id", () => {
    expect(refusal({ topology, vpcId: "vpc-1" }, "sg-tenant")).toContain("name  sg-tenant begins with sg-");
  });
});

describe("Outputs are checked when they become known", () => {
  it("invalid values reach no resource, and the deployment prints all faults once", () => {
    const run = [
      "-r",
      path.join(__dirname, "../../components/typescript.cjs"),
      path.join(__dirname, "wrongOutput.program.ts"),
    ];
    const { stdout } = spawnSync(process.execPath, run, { encoding: "utf8" });
    const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)![1]!) as { errors: string[]; made: string[] };
    expect(result.errors).toEqual([
      [
        "HostedControlPlaneSecurityGroups tenant: 5 faults",
        "  peers.workers.securityGroupIds.pool  vpc-1 is not the id of a security group: write the id, which begins with sg-",
        "  additionalRules.ssh.cidr             [secret] has host bits: correct it at its source: showing what to write would reveal the secret",
        "  vpcId                                my-vpc is not the id of a VPC: write the id, which begins with vpc-",
        '  tags["team"]                         the value has 257 characters: use at most 256',
        "  additionalRules.kubelet.cidr         is the same peer as [secret], and AWS accepts each rule only once: additionalRules.kubelet: use one key for both, remove one of the two, or write plain values, which become one rule",
      ].join("\n"),
    ]);
    expect(result.made).toEqual(["tenant"]);
  });
});

describe("a preview that does not know the VPC yet", () => {
  beforeEach(() => pulumi.runtime.setMocks(mocks, "project", "stack", true));

  it("creates every group and rule, and the rules are known", async () => {
    const unknown = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
    const component = await make({
      vpcId: unknown,
      peers: { workers: { securityGroupIds: { pool: unknown } } },
    });
    expect(ofType(GROUP)).toHaveLength(2);
    const rows = await eventually(component.rules);
    expect(ofType(INGRESS, EGRESS)).toHaveLength(rows.length);
    expect(named("tenant-control-plane")?.inputs.vpcId).toEqual({ __pulumiUnknown: true });
    expect(named("tenant-control-plane-ingress-tcp-443-sg-workers-pool")).toBeDefined();
  });
});
