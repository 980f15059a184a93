import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { HostedControlPlaneSecurityGroups, Platform } from "hypershift-network";
import {
  judge,
  manifest,
  previewOf,
  resource,
  UNKNOWN,
  type ConfigurationDocument,
  type Judged,
} from "hypershift-network/testing";

import { repositoryRoot } from "../../local/repository";
import { Folder } from "../plan/plans";

beforeEach(() => jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined));
afterEach(() => jest.restoreAllMocks());

const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };
const configuration: ConfigurationDocument = {
  hostedClusters: [
    { name: "tenant-a", platform: Platform.AWS, release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] },
  ],
  rules: { all: "disabled", "port-missing": "mandatory", "port-public": "mandatory" },
};
const said = (found: Judged["violated"]) =>
  found.map(({ rule, message }) => `${rule}: ${message}`).join("\n");

/** Security groups as programs write them, never deployed: ids are unknown, but rules still belong to groups. */
function hosts(cidrIpv4: pulumi.Input<string>): void {
  const vpc = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
  const group = new aws.ec2.SecurityGroup("hosts", { vpcId: vpc.id, tags });
  for (const port of [443, 6443])
    new aws.vpc.SecurityGroupIngressRule(`in-${port}`, {
      securityGroupId: group.id,
      ipProtocol: "tcp",
      fromPort: port,
      toPort: port,
      cidrIpv4,
    });
  new aws.vpc.SecurityGroupEgressRule("out", {
    securityGroupId: group.id,
    ipProtocol: "-1",
    cidrIpv4: "0.0.0.0/0",
  });
}

describe("previewOf", () => {
  it("returns what a program registers as in a preview: connected, with unknown ids", async () => {
    const resources = await previewOf(() => hosts("10.0.0.0/16"));
    const rule = resources.find(({ name }) => name === "in-443");
    const group = resources.find(({ name }) => name === "hosts");
    expect(group?.properties).toMatchObject({ vpcId: UNKNOWN, tags });
    expect(rule?.properties.securityGroupId).toBe(UNKNOWN);
    expect(rule?.propertyDependencies?.securityGroupId).toEqual([group?.origin.urn]);
    expect(judge(resources, configuration)).toMatchObject({ violated: [], unknown: [] });
  });

  it("returns what judge needs to find a rule for half of the workers, and an unknown peer", async () => {
    const half = judge(await previewOf(() => hosts("10.0.0.0/17")), configuration);
    expect(said(half.violated)).toMatch(/^port-missing: .*443/);
    expect(half.violated[0]?.witness).toContain("10.0.128.1");
    const open = judge(
      await previewOf(() => hosts(new aws.ec2.Eip("nat").publicIp.apply((ip) => `${ip}/32`))),
      configuration,
    );
    expect(open.violated).toEqual([]);
    expect(open.unknown).not.toEqual([]);
  });

  it("includes the topology of a component, whose rules have no violations", async () => {
    const resources = await previewOf(() => {
      new HostedControlPlaneSecurityGroups("tenant-a", {
        vpcId: "vpc-0a1b2c3d",
        topology: {
          name: "tenant-a",
          platform: Platform.AWS,
          release: "4.20",
          machineNetwork: [{ cidr: "10.0.0.0/16" }],
          managementClusterCidrs: ["10.1.0.0/16"],
          externalClientCidrs: ["203.0.113.0/24"],
          dnsServerCidrs: ["10.1.0.2/32"],
        },
      });
    });
    const judged = judge(resources);
    expect(judged.hostedClusters).toEqual(["clusters/tenant-a"]);
    expect(said(judged.violated)).toBe("");
  });

  it("passes configuration, known ids and answers of provider functions to the program", async () => {
    const seen: unknown[] = [];
    await previewOf(
      async () => {
        const { cidr } = new pulumi.Config().requireObject<{ cidr: string }>("network");
        const vpc = new aws.ec2.Vpc("workers", { cidrBlock: cidr });
        vpc.id.apply((id) => seen.push(cidr, id));
        seen.push((await aws.ec2.getVpc({ id: "vpc-1" })).cidrBlock);
      },
      {
        config: { "project:network": '{ "cidr": "10.0.0.0/16" }' },
        ids: { workers: "vpc-0a1b2c3d" },
        call: (token) => (token === "aws:ec2/getVpc:getVpc" ? { cidrBlock: "10.9.0.0/16" } : {}),
      },
    );
    expect(seen.sort()).toEqual(["10.0.0.0/16", "10.9.0.0/16", "vpc-0a1b2c3d"]);
  });

  it("returns secrets as unknown values", async () => {
    const resources = await previewOf(() => hosts(pulumi.secret("198.18.19.20/32")));
    expect(resources.find(({ name }) => name === "in-443")?.properties.cidrIpv4).toBe(UNKNOWN);
  });

  it("rejects with the faults of a component, and with what a program throws", async () => {
    const wrong = previewOf(() => {
      new HostedControlPlaneSecurityGroups("tenant-a", {
        vpcId: "vpc-0a1b2c3d",
        topology: { name: "tenant-a", platform: Platform.AWS, machineNetwork: [{ cidr: "10.0.0.1/16" }] },
      });
    });
    await expect(wrong).rejects.toThrow("10.0.0.1/16 has host bits: write 10.0.0.0/16");
    await expect(previewOf(() => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
  });

  it("rejects with what an Output fails with, and the next preview runs", async () => {
    const topology = {
      name: "tenant-a",
      platform: Platform.AWS,
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
    };
    const groupsIn = (vpcId: () => pulumi.Input<string>) =>
      previewOf(() => new HostedControlPlaneSecurityGroups("tenant-a", { vpcId: vpcId(), topology }));
    const later = () =>
      new Promise<string>((_, reject) => setTimeout(() => reject(new Error("no answer")), 50));
    await expect(groupsIn(() => pulumi.output("nonsense"))).rejects.toThrow(
      "vpcId  nonsense is not the id of a VPC: write the id, which begins with vpc-",
    );
    await expect(groupsIn(() => pulumi.output(later()))).rejects.toThrow("no answer");
    const unread = groupsIn(() => pulumi.output("vpc-1").apply(() => Promise.reject(new Error("not read"))));
    await expect(unread).rejects.toThrow("not read");
    await expect(previewOf(() => hosts(pulumi.output(later())))).rejects.toThrow("no answer");
    const unused = previewOf(() => {
      hosts("10.0.0.0/16");
      pulumi.output("a").apply(() => {
        throw new Error("of no resource");
      });
    });
    await expect(unused).rejects.toThrow("of no resource");
    expect(await groupsIn(() => pulumi.output("vpc-0a1b2c3d"))).toHaveLength(10);
  });

  it("does not reject with a failure that the program handles", async () => {
    const read = () => aws.ec2.getVpc({ id: "vpc-1" }).catch(() => ({ cidrBlock: "10.9.0.0/16" }));
    const call = () => {
      throw new Error("no such VPC");
    };
    const resources = await previewOf(async () => hosts((await read()).cidrBlock), { call });
    expect(resources.find(({ name }) => name === "in-443")?.properties.cidrIpv4).toBe("10.9.0.0/16");
  });
});

describe("judge", () => {
  const firewall = (cidrSelector: string | typeof UNKNOWN) =>
    manifest({
      apiVersion: "k8s.ovn.org/v1",
      kind: "EgressFirewall",
      metadata: { name: "default", namespace: "team" },
      spec: { egress: [{ type: "Deny", to: { cidrSelector } }] },
    });
  const rules = { all: "disabled", "cidr-invalid": "advisory" } as const;

  it("returns findings at the levels of the configuration, and unknown values separately", () => {
    const { violated } = judge([firewall("10.0.0.1/8")], { rules });
    expect(violated).toMatchObject([{ rule: "cidr-invalid", level: "warning", fix: "write 10.0.0.0/8" }]);
    expect(judge([firewall("10.0.0.0/8")], { rules })).toMatchObject({ violated: [], unknown: [] });
    const { violated: none, unknown } = judge([firewall(UNKNOWN)], { rules });
    expect(none).toEqual([]);
    expect(unknown).toMatchObject([{ rule: "cidr-invalid", path: "spec.egress[0].to.cidrSelector" }]);
  });

  it("returns which exemptions apply, and which are stale", () => {
    const exemption = (name: string) => ({ rule: "cidr-invalid", resource: name, reason: "mended in May" });
    const exemptions = [exemption("EgressFirewall/team/default"), exemption("EgressFirewall/team/other")];
    const { violated, exempted, stale } = judge([firewall("10.0.0.1/8")], { rules, exemptions });
    expect(violated).toEqual([]);
    expect(exempted).toMatchObject([{ exemption: { reason: "mended in May" } }]);
    expect(stale).toMatchObject([{ path: "exemptions[1]" }]);
  });

  it("reads a configuration file, and throws all of its faults with their lines", () => {
    const folder = new Folder();
    const file = folder.write(
      "hypershift-network.yaml",
      "rules: { all: disabled, cidr-invalid: mandatory }\n",
    );
    expect(judge([firewall("10.0.0.1/8")], file).violated).toHaveLength(1);
    writeFileSync(file, "rules:\n  cidr-invalit: advisory\nexemption: []\n");
    expect(() => judge([], file)).toThrow(
      /:3 {2}exemption no such property[\s\S]*:2 {2}rules\.cidr-invalit no such rule/,
    );
    folder.remove();
    const misspelt = { rules: { "cidr-invalit": "advisory" } } as const;
    expect(() => judge([], misspelt)).toThrow("did you mean cidr-invalid?");
  });

  it("throws where the configuration does not fit the resources", () => {
    const spec = { platform: { type: "AWS", aws: { endpointAccess: "Private" } } };
    const metadata = { name: "tenant-a", namespace: "clusters" };
    const object = { apiVersion: "hypershift.openshift.io/v1beta1", kind: "HostedCluster", metadata, spec };
    const said = { ...metadata, externalClientCidrs: ["0.0.0.0/0"] };
    expect(() => judge([manifest(object)], { hostedClusters: [said] })).toThrow(
      "hostedClusters[0].externalClientCidrs of clusters/tenant-a: ",
    );
    expect(judge([manifest(object)], { hostedClusters: [metadata] }).hostedClusters).toEqual([
      "clusters/tenant-a",
    ]);
  });

  it("connects built resources by the resources that their properties come from", () => {
    const group = resource("aws:ec2/securityGroup:SecurityGroup", "hosts", { id: UNKNOWN, tags });
    const rule = resource(
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      "in-8091",
      { securityGroupId: UNKNOWN, ipProtocol: "tcp", fromPort: 8091, toPort: 8091, cidrIpv4: "0.0.0.0/0" },
      { securityGroupId: group },
    );
    expect(said(judge([group, rule], configuration).violated)).toMatch(/^port-public: .*8091/m);
    expect(said(judge([rule], configuration).violated)).not.toContain("port-public");
  });

  it("cannot get a manifest without apiVersion, which manifest() rejects", () => {
    expect(() => manifest({ kind: "Service" })).toThrow("apiVersion or kind is missing");
  });
});

test("the example of docs/testing.md is the one that is run", () => {
  const page = readFileSync(join(repositoryRoot, "docs/testing.md"), "utf8");
  const example = readFileSync(join(__dirname, "documented.test.ts"), "utf8");
  expect(page).toContain(`\`\`\`ts\n${example}\`\`\``);
});
