import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { HostedControlPlaneNetworkAcls } from "../../../src/networkAcls/component/hostedControlPlaneNetworkAcls";
import type { HostedControlPlaneNetworkAclsArgs } from "../../../src/networkAcls/component/hostedControlPlaneNetworkAclsArgs";
import {
  Direction,
  LoadBalancerTargets,
  Platform,
  Protocol,
  Role,
} from "../../../src/requirements/vocabulary";
import { eventually } from "../../components/eventually";
import { run, unknownValue, type Running } from "../../components/program";
import { networkAcl } from "./stateless";
import type { AclEntry } from "../../../src/networkAcls/component/aclResources";

const ACL = "aws:ec2/networkAcl:NetworkAcl";
const RULE = "aws:ec2/networkAclRule:NetworkAclRule";
const ASSOCIATION = "aws:ec2/networkAclAssociation:NetworkAclAssociation";

/** A request of a component to the engine. */
interface Request {
  getName(): string;
  getDependenciesList(): string[];
  getDeletebeforereplace(): boolean;
}

const topology = {
  name: "tenant-a",
  platform: Platform.AWS,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.8.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.8.0.0/24"],
  workerNatCidrs: ["192.0.2.7/32"],
};
const dedicatedSubnets = {
  "hosts-a": { subnetId: "subnet-1" },
  "hosts-b": { subnetId: pulumi.output("subnet-2") },
  nodes: { subnetId: "subnet-3", role: Role.Workers },
};
const answer: Running["answer"] = (type, name, state) => ({
  id: type === ACL ? `acl-${name}` : name,
  state,
});

const make = (args: Partial<HostedControlPlaneNetworkAclsArgs> = {}, running: Running = {}) =>
  run(() => new HostedControlPlaneNetworkAcls("tenant", { topology, vpcId: "vpc-1", ...args }), {
    answer,
    ...running,
  });
type Made = Awaited<ReturnType<typeof make>>;
const ofType = ({ objects }: Made, type: string) => objects.filter((object) => object.type === type);

async function requestsOf(args: Partial<HostedControlPlaneNetworkAclsArgs>): Promise<Request[]> {
  const registered = jest.spyOn(MockMonitor.prototype, "registerResource");
  try {
    await make(args);
    return registered.mock.calls.map(([request]) => request as Request);
  } finally {
    registered.mockRestore();
  }
}

describe("M12 network ACLs", () => {
  it("are created for control-plane hosts, and for workers if a subnet of workers is declared", async () => {
    const single = await make({ tags: { team: "network" }, region: "eu-central-1" });
    expect(ofType(single, ACL)).toEqual([
      {
        type: ACL,
        name: "tenant-control-plane",
        inputs: {
          vpcId: "vpc-1",
          region: "eu-central-1",
          tags: {
            Name: "tenant-control-plane",
            team: "network",
            "hypershift-network/cluster": "tenant-a",
            "hypershift-network/role": "control-plane",
          },
        },
      },
    ]);
    const both = await make({ dedicatedSubnets, workerVpcId: "vpc-2" });
    expect(ofType(both, ACL).map(({ name, inputs }) => [name, inputs.vpcId])).toEqual([
      ["tenant-control-plane", "vpc-1"],
      ["tenant-workers", "vpc-2"],
    ]);
    expect(await eventually(both.result.controlPlaneNetworkAclId)).toBe("acl-tenant-control-plane");
    expect(await eventually(both.result.workerNetworkAclId!)).toBe("acl-tenant-workers");
    expect(single.result.workerNetworkAclId).toBeUndefined();
  });

  it("have no inline rules or subnets, and a resource for each rule, named after the allowed traffic", async () => {
    const made = await make();
    expect(Object.keys(ofType(made, ACL)[0]!.inputs).sort()).toEqual(["tags", "vpcId"]);
    const inputs = (name: string) => made.objects.find((object) => object.name === name)?.inputs;
    expect(inputs("tenant-control-plane-ingress-udp-6081-10.8.0.0-16")).toEqual({
      networkAclId: "acl-tenant-control-plane",
      ruleNumber: expect.any(Number) as number,
      egress: false,
      ruleAction: "allow",
      protocol: "udp",
      fromPort: 6081,
      toPort: 6081,
      cidrBlock: "10.8.0.0/16",
    });
    expect(inputs("tenant-control-plane-egress-icmp-too-big-0.0.0.0-0")).toMatchObject({
      egress: true,
      protocol: "icmp",
      icmpType: 3,
      icmpCode: 4,
    });
    expect(inputs("tenant-control-plane-ingress-icmp-10.8.0.0-16")).toMatchObject({
      icmpType: -1,
      icmpCode: -1,
    });
    expect(ofType(made, RULE)).toHaveLength((await eventually(made.result.rules)).length);
    expect(new Set(made.objects.map(({ name }) => name)).size).toBe(made.objects.length);
  });

  it("allow over IPv6 what they allow over IPv4", async () => {
    const managementClusterCidrs = ["10.8.0.0/16", "fd00:20::/48"];
    const made = await make({ topology: { ...topology, managementClusterCidrs } });
    const inputs = (name: string) => made.objects.find((object) => object.name === name)?.inputs;
    expect(inputs("tenant-control-plane-ingress-tcp-10250-fd00-20---48")).toMatchObject({
      ipv6CidrBlock: "fd00:20::/48",
      fromPort: 10250,
    });
    expect(inputs("tenant-control-plane-ingress-icmp-fd00-20---48")).toMatchObject({
      protocol: "58",
      icmpType: -1,
    });
    expect(inputs("tenant-control-plane-ingress-icmp-too-big----0")).toMatchObject({
      protocol: "58",
      icmpType: 2,
      icmpCode: -1,
    });
  });

  it("allow the required packets and their answers, and nothing else", async () => {
    const entries = ofType(await make(), RULE).map(({ inputs }) => inputs as unknown as AclEntry);
    const passes = networkAcl(entries);
    const packet = { egress: false, protocol: 6, remote: "10.8.7.7" } as const;
    expect(passes({ ...packet, port: 10250 })).toBe(true);
    expect(passes({ ...packet, egress: true, port: 40000 })).toBe(true);
    expect(passes({ ...packet, port: 22 })).toBe(false);
    expect(passes({ ...packet, remote: "10.9.0.1", port: 10250 })).toBe(false);
    expect(passes({ ...packet, remote: "10.9.0.1", port: 40000 })).toBe(true);
  });

  it("are associated only with subnets that associatedSubnets names", async () => {
    expect(ofType(await make({ dedicatedSubnets }), ASSOCIATION)).toEqual([]);
    const made = await make({ dedicatedSubnets, associatedSubnets: ["hosts-b", "nodes"] });
    expect(ofType(made, ASSOCIATION).map(({ name, inputs }) => [name, inputs])).toEqual([
      ["tenant-hosts-b", { networkAclId: "acl-tenant-control-plane", subnetId: "subnet-2" }],
      ["tenant-nodes", { networkAclId: "acl-tenant-workers", subnetId: "subnet-3" }],
    ]);
  });

  it("are associated with a subnet only after all of their rules exist", async () => {
    const requests = await requestsOf({ dedicatedSubnets, associatedSubnets: ["hosts-a"] });
    const names = (urns: string[]) => urns.map((urn) => urn.split("::").at(-1)).sort();
    const association = requests.find((request) => request.getName() === "tenant-hosts-a")!;
    const rules = requests
      .map((request) => request.getName())
      .filter((name) => /^tenant-control-plane-(in|e)gress-/.test(name));
    expect(rules.length).toBeGreaterThan(10);
    expect(names(association.getDependenciesList())).toEqual(expect.arrayContaining(rules.sort()));
  });

  it("accept blocks from other resources, of either family", async () => {
    const rule = {
      role: Role.ControlPlane,
      direction: Direction.Ingress,
      protocol: Protocol.Icmp,
      description: "why",
      answers: false,
    };
    const additionalRules = {
      four: { ...rule, cidr: pulumi.output("192.0.2.0/24") },
      six: { ...rule, cidr: pulumi.output("2001:db8::/32"), family: "IPv6" as const },
      known: { ...rule, cidr: "198.51.100.0/24" },
    };
    const made = await make({ additionalRules });
    const inputs = (name: string) =>
      made.objects.find((object) => object.name === `tenant-control-plane-ingress-icmp-${name}`)?.inputs;
    expect(inputs("rule-four")).toMatchObject({ protocol: "icmp", cidrBlock: "192.0.2.0/24" });
    expect(inputs("rule-six")).toMatchObject({ protocol: "58", ipv6CidrBlock: "2001:db8::/32" });
    expect(inputs("rule-six")).not.toHaveProperty("cidrBlock");
    const requests = await requestsOf({ additionalRules });
    const gap = (name: string) =>
      requests
        .find((request) => request.getName() === `tenant-control-plane-ingress-icmp-${name}`)!
        .getDeletebeforereplace();
    expect([gap("rule-four"), gap("rule-known"), gap("too-big-0.0.0.0-0")]).toEqual([true, true, false]);
  });

  it("return every rule with number and reason, and the topology without credentials", async () => {
    const httpsProxy = "http://user:hunter2@proxy.example.com:3128";
    const made = await make({ topology: { ...topology, proxy: { httpsProxy } } });
    const rows = await eventually(made.result.rules);
    expect(rows.find(({ key }) => key === "control-plane/ingress/udp-6081-10.8.0.0-16")).toMatchObject({
      ruleNumber: expect.any(Number) as number,
      flows: ["control-plane/ingress/nodes-geneve"],
      requirements: ["up-aws-worker-udp-6081"],
    });
    expect(await eventually(made.result.topology)).toMatchObject({ namespace: "clusters" });
    expect(JSON.stringify([made.resources, rows])).not.toContain("hunter2");
  });
});

describe("M12 invalid inputs of network ACLs", () => {
  const refusal = async (args: unknown): Promise<string[]> => {
    const { result, objects } = await run(() => {
      try {
        new HostedControlPlaneNetworkAcls("tenant", args as HostedControlPlaneNetworkAclsArgs);
      } catch (error) {
        return (error as Error).message;
      }
      return "was not refused";
    });
    expect(objects).toEqual([]);
    return result.split("\n").map((line) => line.trim().replace(/ {2,}/g, " "));
  };

  it("are refused with all faults at once", async () => {
    const found = await refusal({
      topology,
      vpcId: "subnet-1",
      workerVpcId: "vpc",
      region: "Frankfurt",
      dedicatedSubnets: { hosts: { subnetId: "vpc-1" } },
      associatedSubnets: ["shared", pulumi.output("hosts")],
      enabledRules: ["control-plane/ingress/nothing"],
      ruleQuota: 100,
      tags: { "aws:x": "y" },
    });
    expect(found.map((line) => line.split(" ")[0])).toEqual([
      "HostedControlPlaneNetworkAcls",
      "associatedSubnets[0]",
      "associatedSubnets[1]",
      "enabledRules[0]",
      "ruleQuota",
      "vpcId",
      "workerVpcId",
      "region",
      "dedicatedSubnets.hosts.subnetId",
      'tags["aws:x"]',
    ]);
  });

  it.each([[undefined], [{}], [{ topology: null, vpcId: null }]])(
    "are refused if required ones are missing: %p",
    async (args) => {
      expect(await refusal(args)).toEqual([
        "HostedControlPlaneNetworkAcls tenant: 2 faults",
        expect.stringContaining("topology missing") as string,
        expect.stringContaining("vpcId missing") as string,
      ]);
    },
  );

  it("that resolve to invalid values reach no resource", async () => {
    const made = await make({
      dedicatedSubnets: { hosts: { subnetId: pulumi.output("eni-1") } },
      associatedSubnets: ["hosts"],
    });
    expect(made.failures).toContain(
      "HostedControlPlaneNetworkAcls tenant: 1 fault\n  dedicatedSubnets.hosts.subnetId  eni-1 is not the id of a subnet: " +
        "write the id, which begins with subnet-",
    );
    expect(ofType(made, ASSOCIATION)).toEqual([]);
  });
});

it("M12 a preview with unknown inputs creates every resource", async () => {
  const unknown = () => unknownValue<string>();
  const made = await make(
    {
      vpcId: unknown(),
      dedicatedSubnets: { hosts: { subnetId: unknown() } },
      associatedSubnets: ["hosts"],
      additionalRules: {
        later: {
          role: Role.ControlPlane,
          direction: Direction.Ingress,
          protocol: Protocol.Tcp,
          cidr: unknown(),
          description: "why",
        },
      },
    },
    { preview: true },
  );
  expect(made.failures).toEqual([]);
  expect(ofType(made, ACL)).toHaveLength(1);
  expect(ofType(made, ASSOCIATION)).toHaveLength(1);
  expect(ofType(made, RULE).map(({ name }) => name)).toContain("tenant-control-plane-ingress-tcp-rule-later");
});
