import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { HostedControlPlaneNetworkAcls } from "../../../src/networkAcls/component/hostedControlPlaneNetworkAcls";
import {
  AddressFamily,
  Direction,
  LoadBalancerTargets,
  Platform,
  Protocol,
  Role,
} from "../../../src/requirements/vocabulary";
import { HostedControlPlaneSecurityGroups } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroups";
import type { HostedControlPlaneSecurityGroupsArgs } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";
import { run, unknownValue, type Running } from "../program";

/** The blocks of a landing zone, each under its key. */
const BLOCKS = {
  vpc: "10.0.0.0/16",
  hosts: "10.8.0.0/16",
  balancers: "10.8.0.0/24",
  nat: "192.0.2.7/32",
  offices: "203.0.113.0/24",
  dns: "10.8.0.2/32",
  registry: "198.51.100.0/24",
} as const;
type Key = keyof typeof BLOCKS;

type Blocks = NonNullable<HostedClusterTopology["addresses"]>;
const blocksOf = (of: (key: Key) => pulumi.Input<string>): Blocks =>
  Object.fromEntries(Object.keys(BLOCKS).map((key) => [key, { cidr: of(key as Key) }]));
const asText = blocksOf((key) => BLOCKS[key]);
const asOutputs = () => blocksOf((key) => pulumi.output(BLOCKS[key]));
const notKnown = () => blocksOf(() => unknownValue<string>());

const topologyWith = (addresses: Blocks): HostedClusterTopology => ({
  name: "tenant-a",
  platform: Platform.AWS,
  addresses,
  machineNetwork: [{ cidr: "vpc" }],
  managementClusterCidrs: ["hosts"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["balancers"],
  workerNatCidrs: ["nat"],
  externalClientCidrs: ["offices"],
  dnsServerCidrs: ["dns"],
  registryCidrs: ["registry"],
});

const additionalRules = (cidr: pulumi.Input<string>, key = "office", formerKey?: string) => ({
  [key]: {
    role: Role.ControlPlane,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    fromPort: 22,
    cidr,
    description: "Administrators",
    ...(formerKey !== undefined && { formerKey }),
  },
});

/** The resources that a program creates besides components, by name. */
async function made(program: () => unknown, running: Running = {}) {
  const { objects, failures, warnings } = await run(program, running);
  const inputs = new Map(objects.map((object) => [object.name, object.inputs]));
  return { inputs, names: [...inputs.keys()].sort(), failures, warnings };
}

const groups =
  (addresses: Blocks, more: Partial<HostedControlPlaneSecurityGroupsArgs> = {}) =>
  () =>
    new HostedControlPlaneSecurityGroups("tenant", {
      topology: topologyWith(addresses),
      vpcId: "vpc-1",
      ...more,
    });

const acls =
  (addresses: Blocks, more: object = {}) =>
  () =>
    new HostedControlPlaneNetworkAcls("tenant", {
      topology: topologyWith(addresses),
      vpcId: "vpc-1",
      dedicatedSubnets: {
        hosts: { subnetId: "subnet-1" },
        nodes: { subnetId: "subnet-2", role: Role.Workers },
      },
      associatedSubnets: ["hosts"],
      ruleQuota: 40,
      ...more,
    });

/** The aliases in the requests to the engine, by resource name. */
async function aliasesOf(program: () => unknown): Promise<Map<string, string[]>> {
  const seen = new Map<string, string[]>();
  const original = Object.getOwnPropertyDescriptor(MockMonitor.prototype, "registerResource")!
    .value as MockMonitor["registerResource"];
  const requests = jest.spyOn(MockMonitor.prototype, "registerResource").mockImplementation(function (
    this: MockMonitor,
    request: Parameters<typeof original>[0],
    callback: Parameters<typeof original>[1],
  ) {
    const { getName, getAliasesList } = request as unknown as {
      getName: () => string;
      getAliasesList: () => { getSpec: () => { getName: () => string } | undefined }[];
    };
    const names = getAliasesList.call(request).map((alias) => alias.getSpec()?.getName() ?? "");
    seen.set(getName.call(request), names);
    return original.call(this, request, callback);
  } as never);
  try {
    await run(program);
    return seen;
  } finally {
    requests.mockRestore();
  }
}

describe.each([
  ["security groups", groups],
  ["network ACLs", acls],
] as const)("%s with keyed addresses", (_, program) => {
  it("are the same resources whether blocks are strings, Outputs or not known yet", async () => {
    const [texts, outputs, preview] = [
      await made(program(asText)),
      await made(program(asOutputs())),
      await made(program(notKnown()), { preview: true }),
    ];
    expect(texts.failures).toEqual([]);
    expect(outputs.failures).toEqual([]);
    expect(preview.failures).toEqual([]);
    expect(outputs.names).toEqual(texts.names);
    expect(preview.names).toEqual(texts.names);
    expect(outputs.inputs).toEqual(texts.inputs);
    expect(preview.warnings).toHaveLength(texts.warnings.length);
  });

  it("are named by keys, never by addresses", async () => {
    const { names } = await made(program(asText));
    const text = names.join("\n");
    for (const block of Object.values(BLOCKS)) expect(text).not.toContain(block.replace("/", "-"));
    expect(names).toContain("tenant-control-plane-ingress-tcp-6443-cidr-offices");
  });

  it("show no placeholder for an unknown address", async () => {
    const { inputs, warnings } = await made(program(notKnown()), { preview: true });
    expect(JSON.stringify([...inputs])).not.toMatch(/"0\.\d+\.0\.0\/16"/);
    expect(JSON.stringify(warnings)).not.toMatch(/\b0\.\d+\.0\.0\/16/);
  });

  it("keep everything else known in a preview if one block is unknown", async () => {
    const blocks = { ...asText, nat: { cidr: unknownValue<string>() } };
    const { inputs } = await made(program(blocks), { preview: true });
    const known = await made(program(asText));
    for (const [name, value] of known.inputs)
      if (!name.includes("cidr-nat")) expect([name, inputs.get(name)]).toEqual([name, value]);
  });

  it("are not created if an Output turns out to be invalid", async () => {
    const blocks = { ...asText, nat: { cidr: pulumi.output("192.0.2.7/24") } };
    const { names, failures } = await made(program(blocks));
    expect(names).toEqual([]);
    expect(failures.join("\n")).toContain(
      "topology.addresses.nat.cidr  192.0.2.7/24 has host bits: write 192.0.2.0/24",
    );
  });

  it("refuse 0.0.0.0/0 for management hosts and machines once it is known", async () => {
    const blocks = {
      ...asText,
      hosts: { cidr: pulumi.output("0.0.0.0/0") },
      vpc: { cidr: pulumi.output("0.0.0.0/0") },
    };
    const { names, failures } = await made(program(blocks));
    expect(names).toEqual([]);
    expect(failures.join("\n")).toMatch(/0\.0\.0\.0\/0/);
  });

  it("accept an IPv6 block only if its family is set to IPv6", async () => {
    const blocks = (cidr: pulumi.Input<string>) => ({
      ...asText,
      offices: { cidr, family: AddressFamily.IPv6 },
    });
    const texts = await made(program(blocks("2001:db8::/48")));
    const outputs = await made(program(blocks(pulumi.output("2001:db8:0::/48"))));
    expect(outputs.failures).toEqual([]);
    expect(outputs.inputs).toEqual(texts.inputs);
    const wrong = await made(program({ ...asText, offices: { cidr: pulumi.output("2001:db8::/48") } }));
    expect(wrong.failures.join("\n")).toContain("add family: IPv6");
    expect(wrong.names).toEqual([]);
  });

  it("have aliases for a new key: those of formerKey and of the former block", async () => {
    const { offices, ...others } = asText;
    const renamed = { ...others, users: { ...offices!, formerKey: "offices" } };
    const topology = { ...topologyWith(renamed), externalClientCidrs: ["users"] };
    const aliases = await aliasesOf(() => program(asText, { topology })());
    expect(aliases.get("tenant-control-plane-ingress-tcp-6443-cidr-users")).toEqual([
      "tenant-control-plane-ingress-tcp-6443-cidr-offices",
      "tenant-control-plane-ingress-tcp-6443-203.0.113.0-24",
    ]);
    const keyed = {
      ...others,
      users: { cidr: pulumi.output("203.0.113.0/24"), formerKey: "203.0.113.0/24" },
    };
    const first = { ...topologyWith(keyed), externalClientCidrs: ["users"] };
    expect(
      (await aliasesOf(() => program(asText, { topology: first })())).get(
        "tenant-control-plane-ingress-tcp-6443-cidr-users",
      ),
    ).toEqual(["tenant-control-plane-ingress-tcp-6443-203.0.113.0-24"]);
  });

  it("keep an additional rule when its string becomes an Output, or its key changes", async () => {
    const office = "tenant-control-plane-ingress-tcp-22-rule-office";
    const text = await made(program(asText, { additionalRules: additionalRules("192.0.2.128/25") }));
    const output = await made(
      program(asText, { additionalRules: additionalRules(pulumi.output("192.0.2.128/25")) }),
    );
    expect(text.names).toContain(office);
    expect(output.inputs.get(office)).toEqual(text.inputs.get(office));
    const aliases = await aliasesOf(
      program(asText, { additionalRules: additionalRules("192.0.2.128/25", "admins", "office") }),
    );
    expect(aliases.get("tenant-control-plane-ingress-tcp-22-rule-admins")).toEqual([
      office,
      "tenant-control-plane-ingress-tcp-22-192.0.2.128-25",
    ]);
  });
});

it("tags can be one Output, which is checked and merged with the component's own tags", async () => {
  const tags = pulumi.output({ team: "network" });
  const { inputs, failures } = await made(groups(asText, { tags }));
  expect(failures).toEqual([]);
  expect(inputs.get("tenant-control-plane")).toMatchObject({
    tags: { Name: "tenant-control-plane", team: "network", "hypershift-network/cluster": "tenant-a" },
  });
  const { failures: refused, names } = await made(groups(asText, { tags: pulumi.output({ "aws:x": "1" }) }));
  expect(refused.join("\n")).toContain("aws:x is reserved for AWS");
  expect(names).toEqual([]);
});

it("a block of another address family than its rules is refused once it is known", async () => {
  const { failures, names } = await made(
    groups(asText, { additionalRules: additionalRules(pulumi.output("2001:db8::/32")) }),
  );
  expect(names).toEqual([]);
  expect(failures.join("\n")).toMatch(
    /additionalRules.office.cidr +2001:db8::.32 is IPv6, and its rules are IPv4: add family: IPv6/,
  );
});

describe("a fault of keyed addresses", () => {
  it.each([
    [
      { ...asText, "10.0.0.0": { cidr: "10.1.0.0/16" } },
      /the key "10.0.0.0" cannot be part of a resource name/,
    ],
    [{ ...asText, nat: { cidr: "192.0.2.7/32", formerKey: "vpc" } }, /vpc is the key of another block/],
    [{ ...asText, nat: {} as never }, /topology.addresses.nat.cidr +missing/],
    [{ ...asText, nat: { cidr: "192.0.2.7/32", family: "v4" as never } }, /"v4" is not one of IPv4 or IPv6/],
  ])("is refused before anything is created", async (addresses, fault) => {
    await expect(run(groups(addresses))).rejects.toThrow(fault);
  });

  it("is a key that no block has, reported with the closest key", async () => {
    const topology = { ...topologyWith(asText), workerNatCidrs: ["natt"] };
    await expect(run(groups(asText, { topology }))).rejects.toThrow(
      /workerNatCidrs\[0\] .*did you mean nat\?/,
    );
  });

  it("is an Output directly in a list, reported with the fix", async () => {
    const topology = { ...topologyWith(asText), workerNatCidrs: [pulumi.output("192.0.2.7/32") as never] };
    await expect(run(groups(asText, { topology }))).rejects.toThrow(
      /an address may be an Output under a key of addresses/,
    );
  });

  it("is one address under two keys if an Output, but not as strings, which make one rule", async () => {
    const twins = (cidr: pulumi.Input<string>) => ({
      ...asText,
      dns: { cidr },
      registry: { cidr: "10.8.0.2/32" },
    });
    const same = (addresses: Blocks) => ({
      ...topologyWith(addresses),
      externalClientCidrs: ["dns", "registry"],
    });
    const text = await made(groups(asText, { topology: same(twins("10.8.0.2/32")) }));
    expect(text.failures).toEqual([]);
    const { failures, names } = await made(
      groups(asText, { topology: same(twins(pulumi.output("10.8.0.2/32"))) }),
    );
    expect(names).toEqual([]);
    expect(failures.join("\n")).toMatch(/topology.addresses.dns.cidr +is the same peer as 10.8.0.2\/32/);
  });
});
