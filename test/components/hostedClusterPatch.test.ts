import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { ControlPlaneIsolation } from "../../src/isolation/component/controlPlaneIsolation";
import { DedicatedControlPlaneNodes } from "../../src/dedicatedNodes/component/dedicatedControlPlaneNodes";
import { OvnSubnetConfig } from "../../src/ovnSubnets/component/ovnSubnetConfig";
import { Platform, PodSecurityLevel } from "../../src";
import { ProxyConfig } from "../../src/proxy/component/proxyConfig";
import { run, unknownValue } from "./program";

const url = "http://proxy.example.com:3128";
const internalJoinSubnet = "100.99.0.0/16";
const referenceTo = (name: pulumi.Input<string>) => ({ name, namespace: "clusters" });

/** Creates each component that patches a HostedCluster, for a HostedCluster of the given name. */
const PATCHING = {
  OvnSubnetConfig: (name: string, existingHostedCluster = referenceTo(name), opts = {}) =>
    new OvnSubnetConfig(
      `subnets-${name}`,
      { topology: topologyOf(name), internalJoinSubnet, existingHostedCluster },
      opts,
    ),
  ProxyConfig: (name: string, existingHostedCluster = referenceTo(name), opts = {}) =>
    new ProxyConfig(
      `proxy-${name}`,
      { topology: topologyOf(name), httpProxy: url, httpsProxy: url, existingHostedCluster },
      opts,
    ),
  ControlPlaneIsolation: (name: string, existingHostedCluster = referenceTo(name), opts = {}) =>
    new ControlPlaneIsolation(
      `isolation-${name}`,
      { topology: topologyOf(name), podSecurityLevel: PodSecurityLevel.Restricted, existingHostedCluster },
      opts,
    ),
  DedicatedControlPlaneNodes: (name: string, existingHostedCluster = referenceTo(name), opts = {}) =>
    new DedicatedControlPlaneNodes(
      `nodes-${name}`,
      {
        topology: topologyOf(name),
        nodes: ["a", "b", "c"].map((node) => ({ name: `${name}-${node}` })),
        existingHostedCluster,
      },
      opts,
    ),
};
type Kind = keyof typeof PATCHING;
const KINDS = Object.keys(PATCHING) as Kind[];

const topologyOf = (name: string) => ({ name, platform: Platform.None, release: "4.20" });
const pairs = KINDS.flatMap((one, position) =>
  KINDS.slice(position + 1).map((other) => [one, other] as const),
);

describe("one HostedCluster accepts one patch", () => {
  it.each(pairs)("%s and %s: the second patch is refused, with the fix", async (one, other) => {
    const both = () => [PATCHING[one]("tenant-a"), PATCHING[other]("tenant-a")];
    const refusal = `existingHostedCluster  clusters/tenant-a is already patched by ${one} `;
    await expect(run(both)).rejects.toThrow(refusal);
    await expect(run(both)).rejects.toThrow(
      /remove it from one of the two: a ProxyConfig accepts the fragment/,
    );
  });

  it.each(pairs)("%s and %s can patch two different hosted clusters", async (one, other) => {
    const { failures } = await run(() => [PATCHING[one]("tenant-a"), PATCHING[other]("tenant-b")]);
    expect(failures).toEqual([]);
  });

  it("clusters of one name behind two providers are different clusters", async () => {
    const { failures } = await run(() =>
      KINDS.slice(0, 2).map((kind) => {
        const provider = new kubernetes.Provider(kind, { kubeconfig: "{}" });
        return PATCHING[kind]("tenant-a", undefined, { providers: [provider] });
      }),
    );
    expect(failures).toEqual([]);
  });

  it("a name from an Output is checked when it is known, and a preview continues without it", async () => {
    const both = (name: pulumi.Input<string>) => () =>
      KINDS.slice(0, 2).map((kind) => PATCHING[kind]("tenant-a", referenceTo(name)));
    const late = await run(both(pulumi.output("tenant-a")));
    expect(late.failures.join("\n")).toContain("clusters/tenant-a is already patched by ");
    expect((await run(both(unknownValue<string>()), { preview: true })).failures).toEqual([]);
  });

  it("the fragment of one component goes into the patch of another", async () => {
    const { objects, failures } = await run(() => {
      const { fragment } = new OvnSubnetConfig("subnets", {
        topology: topologyOf("tenant-a"),
        internalJoinSubnet,
      });
      return new ProxyConfig("proxy", {
        ...{ topology: topologyOf("tenant-a"), httpProxy: url, httpsProxy: url },
        ...{ ovnSubnets: fragment, existingHostedCluster: referenceTo("tenant-a") },
      });
    });
    expect(failures).toEqual([]);
    expect(objects.map(({ name }) => name)).toEqual(["proxy"]);
  });
});
