import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { faultsUnder, ownStackLines } from "./badInput/output";
import { projectIn, type Project } from "./badInput/project";
import { outputFaults, plainFaults, type WrongInput } from "./badInput/wrongInputs";
import { sharedSession } from "./sharedSession";

/** The components as programs in any language use them: in a separate process, through the component provider. */
let session: Session;
let project: Project;

beforeAll(async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), "component-provider-"));
  session = await sharedSession(stateFolder);
  const provider = `{ name: hypershift-network, path: ${JSON.stringify(repositoryRoot)} }`;
  project = await projectIn(session, "consumer", `plugins:\n  providers:\n    - ${provider}\n`);
}, 900_000);
afterAll(async () => {
  await session?.stop();
  rmSync(session.stateFolder, { recursive: true, force: true });
});

/** A program that knows only the type tokens of the package, like generated SDKs. */
const program = (...lines: string[]) =>
  [
    `import * as aws from "@pulumi/aws";`,
    `import * as pulumi from "@pulumi/pulumi";`,
    // Over the wire a known Output becomes a plain value, unless it is a secret.
    `const later = (value: string) => pulumi.secret(value);`,
    `class Remote extends pulumi.ComponentResource {`,
    `  constructor(component: string, name: string, inputs: pulumi.Inputs) {`,
    "    super(`hypershift-network:index:${component}`, name, inputs, {}, true);",
    `  }`,
    `}`,
    ...lines,
  ].join("\n");

const remote = (component: string, inputs: string) => `new Remote("${component}", "wrong", ${inputs});`;

async function refusal(text: string, headline: string) {
  const { status, output } = await project.preview(program(text));
  expect(status).toBe(1);
  expect(ownStackLines(output, project.folder)).toEqual([]);
  expect(output).not.toContain("hunter2");
  return faultsUnder(headline, output);
}

const headline = ({ component, faults }: WrongInput) => `${component} wrong: ${faults.length} faults`;
const cluster = `{ name: "tenant-a", platform: "AWS", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] }`;

describe("an invalid input through the component provider", () => {
  it.each(plainFaults)(
    "$component reports all its faults at once, without stack lines of our code or passwords",
    async (wrong) => {
      const faults = await refusal(remote(wrong.component, wrong.inputs), headline(wrong));
      expect(faults).toEqual(wrong.faults);
    },
  );

  it.each(outputFaults)("$component reports all faults of its Outputs, without secrets", async (wrong) => {
    const faults = await refusal(remote(wrong.component, wrong.inputs), headline(wrong));
    const place = (fault: string) => fault.split(" ")[0];
    expect(faults.map(place)).toEqual(wrong.faults.map(place));
  });

  it("is reported for each Output, secret or not, even if a preview does not know all inputs", async () => {
    const rule = `role: "control-plane", direction: "ingress", protocol: "TCP", description: "why"`;
    const inputs = `{
      topology: ${cluster}, vpcId: vpc.id, workerVpcId: later("my-vpc"),
      additionalRules: { a: { ${rule}, cidr: later("192.0.2.1/24") }, b: { ${rule}, securityGroupId: vpc.id } },
      tags: { vpc: vpc.arn, team: later("hunter2-".repeat(40)) },
    }`;
    const vpc = `const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });`;
    const text = `${vpc}\n${remote("HostedControlPlaneSecurityGroups", inputs)}`;
    expect(await refusal(text, "HostedControlPlaneSecurityGroups wrong: 3 faults")).toEqual([
      "additionalRules.a.cidr [secret] has host bits: correct it at its source: showing what to write would reveal the secret",
      "workerVpcId [secret] is not the id of a VPC: write the id, which begins with vpc-",
      'tags["team"] the value has 320 characters: use at most 256',
    ]);
  });

  it("is reported with its path if it is an Output where a plain value is required", async () => {
    const vpc = `const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });`;
    const inputs = `{ topology: { ...${cluster}, name: vpc.id }, internalJoinSubnet: "100.99.0.0/16" }`;
    const text = `${vpc}\n${remote("OvnSubnetConfig", inputs)}`;
    const [fault] = await refusal(text, "OvnSubnetConfig wrong: 1 fault");
    expect(fault).toMatch(/^topology.* is an Output, whose value is not known .*: give a plain value/);
  });
});

describe("inputs that a preview accepts through the component provider", () => {
  const right = program(
    `const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });`,
    remote("HostedControlPlaneSecurityGroups", `{ topology: ${cluster}, vpcId: vpc.id }`),
    remote("OvnSubnetConfig", `{ topology: ${cluster}, internalJoinSubnet: "100.99.0.0/16" }`),
    remote(
      "EgressFirewall",
      `{ namespace: "default", allowApiServer: true, rules: [{ type: "Deny", cidr: "0.0.0.0/0" }] }`,
    ),
  );

  it("create the children at preview, even if some values are not known yet", async () => {
    const { status, output, steps } = await project.preview(right);
    expect(output).not.toMatch(/error/i);
    expect(status).toBe(0);
    const children = (component: string) => steps.filter((step) => step.includes(`:${component}$`));
    const groups = children("HostedControlPlaneSecurityGroups");
    expect(groups.filter((step) => step.includes("aws:ec2/securityGroup:SecurityGroup "))).toHaveLength(2);
    expect(groups.some((step) => step.includes("aws:vpc/securityGroupIngressRule"))).toBe(true);
    expect(children("EgressFirewall")).toEqual([
      "hypershift-network:index:EgressFirewall$kubernetes:k8s.ovn.org/v1:EgressFirewall wrong",
    ]);
  });

  it("are refused at the update if a value that was not known at preview is invalid", async () => {
    const wrong = program(
      `const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });`,
      remote("HostedControlPlaneSecurityGroups", `{ topology: ${cluster}, vpcId: vpc.arn }`),
    );
    expect((await project.preview(wrong)).status).toBe(0);
    const { status, output } = await project.up(wrong);
    await project.destroy();
    expect(status).toBe(1);
    expect(output).toMatch(
      /vpcId +arn:aws:ec2:\S+ is not the id of a VPC: write the id, which begins with vpc-/,
    );
    expect(ownStackLines(output, project.folder)).toEqual([]);
  });

  it("are refused at the update by the keys of invalid topology blocks, before a security group is created", async () => {
    const later = (cidr: string) => `{ cidr: vpc.arn.apply(() => "${cidr}") }`;
    const topology = `{
      ...${cluster}, externalClientCidrs: ["offices"], workerNatCidrs: ["nat"],
      addresses: { offices: ${later("203.0.113.7/24")}, nat: ${later("192.0.2.300/32")} },
    }`;
    const wrong = program(
      `const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });`,
      remote("HostedControlPlaneSecurityGroups", `{ topology: ${topology}, vpcId: vpc.id }`),
    );
    expect((await project.preview(wrong)).status).toBe(0);
    const { status, output, steps } = await project.up(wrong);
    await project.destroy();
    expect(status).toBe(1);
    expect(faultsUnder("HostedControlPlaneSecurityGroups wrong: 2 faults", output)).toEqual([
      "topology.addresses.nat.cidr 192.0.2.300/32 is not a CIDR block: write a CIDR block such as 10.0.0.0/16",
      "topology.addresses.offices.cidr 203.0.113.7/24 has host bits: write 203.0.113.0/24",
    ]);
    expect(ownStackLines(output, project.folder)).toEqual([]);
    expect(steps.filter((step) => step.includes("aws:ec2/vpc:Vpc"))).not.toEqual([]);
    expect(steps.filter((step) => /ecurityGroup/.test(step.split("$")[1] ?? ""))).toEqual([]);
  });
});
