import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { PrivateEndpointSecurityGroup } from "../../../src/securityGroups/component/privateEndpointSecurityGroup";
import type { PrivateEndpointSecurityGroupArgs } from "../../../src/securityGroups/component/privateEndpointSecurityGroupArgs";
import { EndpointAccess, Platform, PublishingType } from "../../../src/requirements/vocabulary";
import { eventually } from "../../components/eventually";
import { run, unknownValue, type Running } from "../../components/program";

const GROUP = "aws:ec2/securityGroup:SecurityGroup";
const RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const GROUP_ID = "sg-tenant-private-endpoint";
const ASSOCIATION = "aws:ec2/securityGroupAssociation:SecurityGroupAssociation";

/** A request of a component to the engine. */
interface Request {
  getName(): string;
  getDependenciesList(): string[];
}

const topology = {
  name: "tenant-a",
  platform: Platform.AWS,
  endpointAccess: EndpointAccess.PublicAndPrivate,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};

/** The endpoint ids that the controller has written so far, by the name of the AWSEndpointService resource. */
let endpoints: Record<string, string | undefined> = {};
const answer: Running["answer"] = (type, name, state) => {
  if (type === GROUP) return { id: `sg-${name}`, state };
  if (!type.includes("AWSEndpointService")) return { id: name, state };
  const endpointID = endpoints[name];
  return { id: name, state: { status: endpointID === undefined ? undefined : { endpointID } } };
};

const make = (args: Partial<PrivateEndpointSecurityGroupArgs> = {}, running: Running = {}) =>
  run(() => new PrivateEndpointSecurityGroup("tenant", { topology, vpcId: "vpc-1", ...args }), {
    answer,
    ...running,
  });
type Made = Awaited<ReturnType<typeof make>>;
const ofType = ({ objects }: Made, type: string) => objects.filter((object) => object.type === type);
const inputs = ({ objects }: Made, name: string) => objects.find((object) => object.name === name)?.inputs;

beforeEach(() => {
  endpoints = {};
});

describe("M3 the security group of the VPC endpoint", () => {
  it("has tags with its cluster and role, and no inline rules", async () => {
    const made = await make({ tags: { team: "network" }, region: "eu-central-1" });
    expect(ofType(made, GROUP)).toEqual([
      {
        type: GROUP,
        name: "tenant-private-endpoint",
        inputs: {
          vpcId: "vpc-1",
          description: "VPC endpoint of a hosted control plane",
          region: "eu-central-1",
          tags: {
            Name: "tenant-private-endpoint",
            team: "network",
            "hypershift-network/cluster": "tenant-a",
            "hypershift-network/role": "private-endpoint",
          },
        },
      },
    ]);
  });

  it("refuses the description of a caller that is an Output, or no text", async () => {
    for (const description of [pulumi.output("The offices"), 10n, Symbol("offices")]) {
      const callers = { offices: { cidr: "10.200.0.0/16", description: description as never } };
      await expect(make({ callers })).rejects.toThrow(/: 1 fault\n +callers\.offices\.description {2}.*is /);
    }
  });

  it("has a resource for each rule and caller, named by protocol, port and the key of the peer", async () => {
    const made = await make({
      callers: {
        offices: { cidr: "10.200.0.0/16", description: "The offices" },
        transit: { prefixListId: pulumi.output("pl-1"), maxEntries: 5 },
        later: { cidr: pulumi.output("2001:db8::/32"), family: "IPv6" },
      },
    });
    const peers = ["10.0.0.0-16", "caller-offices", "caller-later", "pl-caller-transit"];
    expect(ofType(made, RULE).map(({ name }) => name)).toHaveLength(2 * peers.length);
    for (const peer of peers)
      for (const port of [443, 6443])
        expect(inputs(made, `tenant-private-endpoint-ingress-tcp-${port}-${peer}`)).toMatchObject({
          securityGroupId: "sg-tenant-private-endpoint",
          ipProtocol: "tcp",
          fromPort: port,
          toPort: port,
        });
    expect(inputs(made, "tenant-private-endpoint-ingress-tcp-443-caller-offices")).toMatchObject({
      cidrIpv4: "10.200.0.0/16",
      description: "The offices, to the private router through the VPC endpoint",
    });
    const later = inputs(made, "tenant-private-endpoint-ingress-tcp-443-caller-later");
    expect(later).toMatchObject({ cidrIpv6: "2001:db8::/32" });
    expect(later).not.toHaveProperty("cidrIpv4");
  });

  it("is attached to each endpoint after its rules exist", async () => {
    const registered = jest.spyOn(MockMonitor.prototype, "registerResource");
    const endpointIds = { router: "vpce-1", api: pulumi.output("vpce-2") };
    const made = await make({ endpointIds, region: "eu-central-1" });
    const requests = registered.mock.calls.map(([request]) => request as Request);
    registered.mockRestore();
    expect(ofType(made, ASSOCIATION).map(({ name, inputs: given }) => [name, given])).toEqual([
      ["tenant-router", { vpcEndpointId: "vpce-1", securityGroupId: GROUP_ID, region: "eu-central-1" }],
      ["tenant-api", { vpcEndpointId: "vpce-2", securityGroupId: GROUP_ID, region: "eu-central-1" }],
    ]);
    const association = requests.find((request) => request.getName() === "tenant-router");
    expect(association?.getDependenciesList()).toEqual(
      expect.arrayContaining([
        expect.stringContaining("tenant-private-endpoint-ingress-tcp-443-10.0.0.0-16"),
      ]),
    );
    expect(await eventually(made.result.endpointIds)).toEqual({ router: "vpce-1", api: "vpce-2" });
  });

  it("uses an existing group instead of creating one", async () => {
    const made = await make({ securityGroupId: "sg-existing", endpointIds: { router: "vpce-1" } });
    expect(ofType(made, GROUP)).toEqual([]);
    expect(ofType(made, RULE).map(({ inputs: given }) => given.securityGroupId)).toEqual([
      "sg-existing",
      "sg-existing",
    ]);
    expect(await eventually(made.result.securityGroupId)).toBe("sg-existing");
  });

  it("causes a warning that says where the ids are if it is attached to no endpoint", async () => {
    const { warnings } = await make();
    expect(warnings.join()).toContain(
      "endpointIds missing: the group is attached to no VPC endpoint; write the ids in status.endpointID of the " +
        "AWSEndpointService objects private-router and kube-apiserver-private in namespace clusters-tenant-a",
    );
  });

  it("returns its rules with reasons and the topology as outputs", async () => {
    const { result } = await make();
    const [rule] = await eventually(result.rules);
    expect(rule).toMatchObject({
      role: "private-endpoint",
      flows: ["private-endpoint/ingress/endpoint-router"],
      requirements: ["up-aws-vpce-443"],
      documents: [expect.stringContaining("awsprivatelink")],
    });
    expect(await eventually(result.topology)).toMatchObject({ name: "tenant-a", namespace: "clusters" });
  });
});

describe("M3 the endpoints that AWSEndpointService objects name", () => {
  const readEndpointServices = true;

  it("get the group, for the private router and for an API server behind a load balancer", async () => {
    endpoints = { "tenant-private-router": "vpce-1", "tenant-kube-apiserver-private": "vpce-2" };
    const made = await make({ readEndpointServices });
    expect(ofType(made, ASSOCIATION).map(({ name, inputs: given }) => [name, given.vpcEndpointId])).toEqual([
      ["tenant-private-router", "vpce-1"],
      ["tenant-kube-apiserver-private", "vpce-2"],
    ]);
    expect(made.failures).toEqual([]);
    expect(made.warnings).toEqual([]);
  });

  it("are only that of the private router if a Route publishes the API server", async () => {
    endpoints = { "tenant-private-router": "vpce-1" };
    const services = { apiServer: { type: PublishingType.Route, hostname: "api.example.com" } };
    const made = await make({ topology: { ...topology, services }, readEndpointServices });
    expect(ofType(made, ASSOCIATION).map(({ name }) => name)).toEqual(["tenant-private-router"]);
  });

  it("are required: an object without an endpoint is refused, and the fault says to run again", async () => {
    endpoints = { "tenant-private-router": "vpce-1" };
    const made = await make({ readEndpointServices });
    expect(made.failures).toContain(
      "PrivateEndpointSecurityGroup tenant: 1 fault\n  readEndpointServices  AWSEndpointService " +
        "clusters-tenant-a/kube-apiserver-private names no endpoint in its status yet: run again when status.endpointID is there",
    );
    expect(ofType(made, ASSOCIATION).map(({ name }) => name)).toEqual(["tenant-private-router"]);
  });
});

describe("M3 invalid inputs of the endpoint's group", () => {
  const refusal = async (args: object, name = "tenant"): Promise<string[]> => {
    const { result, objects } = await run(() => {
      try {
        new PrivateEndpointSecurityGroup(name, args as PrivateEndpointSecurityGroupArgs);
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
      region: "Frankfurt",
      securityGroupId: "default",
      endpointIds: { "a key": "vpce-1", router: "eni-1" },
      readEndpointServices: true,
      tags: { "kubernetes.io/cluster/tenant-a": "owned" },
    });
    expect(found.map((line) => line.split(" ")[0])).toEqual([
      "PrivateEndpointSecurityGroup",
      "vpcId",
      "region",
      "securityGroupId",
      "endpointIds.router",
      'tags["kubernetes.io/cluster/tenant-a"]',
      "endpointIds.a",
      "endpointIds",
    ]);
  });

  it.each([[undefined], [{}], [{ topology: null, vpcId: null }]])(
    "are refused if required ones are missing: %p",
    async (args) => {
      const found = await refusal(args as object);
      expect(found).toEqual([
        "PrivateEndpointSecurityGroup tenant: 2 faults",
        expect.stringContaining("topology missing") as string,
        expect.stringContaining("vpcId missing") as string,
      ]);
    },
  );

  it("are refused if they have the wrong type", async () => {
    const all = { topology, vpcId: "vpc-1", endpointIds: pulumi.output({}), readEndpointServices: "yes" };
    expect((await refusal(all)).slice(1)).toEqual([
      'readEndpointServices "yes" is neither true nor false: write true or false, without quotes',
      "endpointIds is an Output: write ids under keys of your choice: { key: id }",
    ]);
    expect((await refusal({ topology, vpcId: "vpc-1" }, "sg-tenant"))[1]).toContain("name sg-tenant begins");
  });

  it("that resolve to invalid values reach no resource", async () => {
    const made = await make({
      endpointIds: { router: pulumi.output("eni-1") },
      callers: { all: { cidr: pulumi.output("0.0.0.0/0") } },
    });
    expect(made.failures).toHaveLength(1);
    expect(made.failures[0]).toMatch(/: 2 faults$/m);
    expect(made.failures[0]).toMatch(/endpointIds\.router +eni-1 is not the id of a VPC endpoint/);
    expect(made.failures[0]).toMatch(/callers\.all\.cidr +0\.0\.0\.0\/0 would open .* to everybody/);
    expect(made.objects).toEqual([]);
  });
});

it("M3 a preview with unknown inputs creates every resource", async () => {
  const unknown = () => unknownValue<string>();
  const made = await make(
    {
      vpcId: unknown(),
      endpointIds: { router: unknown() },
      callers: { group: { securityGroupId: unknown() }, network: { cidr: unknown() } },
    },
    { preview: true },
  );
  expect(made.failures).toEqual([]);
  expect(made.objects.map(({ type }) => type).sort()).toEqual([
    GROUP,
    ASSOCIATION,
    ...Array.from({ length: 6 }, () => RULE),
  ]);
});
