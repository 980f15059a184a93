// A program of Pulumi in this process, without an engine: `components` makes security groups of hosted clusters by the component,
// `raw FILE` the same resources one by one, as a program that writes them out. Says to FILE which resources there were.
import { readFileSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

interface Made {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

/** What a provider's class is to the engine. */
class Plain extends pulumi.CustomResource {}

const [kind = "", file = "", count = "1"] = process.argv.slice(2);
const made: Made[] = [];

void pulumi.runtime.setMocks(
  {
    newResource: ({ type, name, inputs }) => {
      made.push({ type, name, inputs: inputs as Made["inputs"] });
      return { id: `${name}-id`, state: inputs as Made["inputs"] };
    },
    call: ({ inputs }) => inputs as Made["inputs"],
  },
  "components",
  "bench",
);

async function components(): Promise<void> {
  const { HostedControlPlaneSecurityGroups, LoadBalancerTargets, Platform } =
    await import("../../src/index.js");
  for (let place = 0; place < Number(count); place++)
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
      vpcId: "vpc-1",
    });
}

/** Rules name the group by its output, as programs do; what no provider makes is left out. */
async function raw(): Promise<void> {
  // The package's classes bring the provider's library along; a plain program loads it too.
  await import("@pulumi/aws");
  const groups = new Map<string, pulumi.CustomResource>();
  for (const { type, name, inputs } of JSON.parse(readFileSync(file, "utf8")) as Made[]) {
    const of = inputs.securityGroupId;
    const group = typeof of === "string" ? groups.get(of) : undefined;
    const one = new Plain(type, name, {
      ...inputs,
      ...(group && { securityGroupId: group.id }),
    });
    if (type.endsWith(":SecurityGroup")) groups.set(`${name}-id`, one);
  }
}

async function main(): Promise<void> {
  await (kind === "raw" ? raw() : components());
  await pulumi.runtime.disconnect();
  if (kind === "components" && file !== "")
    writeFileSync(file, JSON.stringify(made.filter(({ type }) => type.startsWith("aws:"))));
}

void main();
