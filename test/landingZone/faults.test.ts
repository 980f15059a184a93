import * as pulumi from "@pulumi/pulumi";
import { EgressFirewallRuleType } from "../../src";
import { HostedClusterLandingZone } from "../../src/landingZone/hostedClusterLandingZone";
import { LandingZonePart } from "../../src/landingZone/hostedClusterLandingZoneArgs";
import { run } from "../components/program";
import {
  dedicatedNodes,
  existingHostedCluster,
  faultsOf,
  hosted,
  hostedCluster,
  placesOf,
  privately,
  proxy,
  restOfSpec,
  topology,
  whole,
  zone,
} from "./zone";

/** A fault in every part that does not depend on the topology. */
const wrong = {
  vpcId: "my-vpc",
  securityGroups: { ruleQuota: -1 },
  networkAcls: { dedicatedSubnets: { hosts: { subnetId: "hosts" } }, associatedSubnets: ["others"] },
  privateEndpoint: { securityGroupId: "endpoints" },
  ovnSubnets: { forcePatch: "yes" },
  proxy: { httpProxy: "ftp://proxy.example.com" },
  hostedCluster: { additionalSpecJson: "{" },
  isolation: { denyEgress: "yes" },
  managementProxy: { secondaryNetworkCidrs: ["10.0.8.1/24"] },
  dedicatedNodes: { nodes: ["host 0"], manageTaints: "yes" },
  hostedClusterKubeconfig: hosted.hostedClusterKubeconfig,
  hybridOverlay: { hybridClusterNetwork: [] },
  ipsec: { mode: "Half" },
  egressFirewalls: { shop: { namespace: "Shop", rules: [] } },
  egressIps: { shop: { addresses: ["10.0.0"], namespaceSelector: {} } },
  egressRouters: {
    database: { ...hosted.egressRouters.database, gateway: "10.9.0.1" },
  },
  multicastNamespaces: { stream: "No Label" },
};
const wrongPlaces = [
  "vpcId",
  "securityGroups.ruleQuota",
  "networkAcls.dedicatedSubnets.hosts.subnetId",
  "networkAcls.associatedSubnets[0]",
  "privateEndpoint.securityGroupId",
  "ovnSubnets.forcePatch",
  "proxy.httpProxy",
  "hostedCluster.additionalSpecJson",
  "isolation.denyEgress",
  "managementProxy.secondaryNetworkCidrs[0]",
  "dedicatedNodes.nodes[0]",
  "dedicatedNodes.manageTaints",
  "hybridOverlay.hybridClusterNetwork",
  "ipsec.mode",
  "egressFirewalls.shop.namespace",
  "egressFirewalls.shop.rules",
  "egressIps.shop.addresses[0]",
  "egressRouters.database.gateway",
  "multicastNamespaces.stream",
];

describe("wrong inputs of a landing zone", () => {
  it("are reported for every part at once", async () => {
    const places = await placesOf({
      topology: { ...privately, internalJoinSubnet: "100.99.0.0/16" },
      ...wrong,
    });
    expect(new Set(places)).toEqual(new Set(wrongPlaces));
  });

  it.each<[string, object, string[]]>([
    [
      "that has a fault",
      { ...privately, internalJoinSubnet: "100.99.0.0/16", machineNetwork: [{ cidr: "10.0.0.1/16" }] },
      ["topology.machineNetwork[0].cidr"],
    ],
    [
      "without a name, of an unknown platform",
      { platform: "Amazon", internalJoinSubnet: "100.99.0.0/16", machineNetwork: [{ cidr: "10.0.0.1/16" }] },
      ["topology.name", "topology.platform", "topology.machineNetwork[0].cidr"],
    ],
  ])("are reported together with those of a topology %s, each once", async (_, wrongTopology, own) => {
    const faults = await faultsOf({ topology: wrongTopology, ...wrong });
    const places = faults.map((line) => line.split("  ")[0]!);
    expect(places.filter((place) => place.startsWith("topology")).sort()).toEqual([...own].sort());
    expect(new Set(places)).toEqual(new Set([...own, ...wrongPlaces]));
    expect(places).toHaveLength(new Set(places).size);
  });

  it("do not include parts that depend on a topology with a fault", async () => {
    const places = await placesOf({ ...whole, topology: { ...whole.topology, release: 4.2 } });
    expect(places).toEqual(["topology.release"]);
  });

  it("do not include parts that depend on a topology without name and platform", async () => {
    const places = await placesOf({ ...whole, topology: { machineNetwork: topology.machineNetwork } });
    expect(places.sort()).toEqual(["topology.name", "topology.platform"]);
  });

  it("are reported in parts that wait for the kubeconfig of the hosted cluster", async () => {
    const args = { topology, egressFirewalls: { shop: { namespace: "Shop", rules: [] } } };
    expect(await placesOf(args)).toEqual(["egressFirewalls.shop.namespace", "egressFirewalls.shop.rules"]);
  });

  it("are not reported in parts that are left out", async () => {
    const { failures } = await zone({
      topology,
      egressFirewalls: { shop: { namespace: "Shop", rules: [] } },
      leaveOut: [LandingZonePart.EgressFirewalls],
    });
    expect(failures).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["a missing topology", {}, "topology"],
    ["an unknown part", { topology, leaveOut: ["dns"] }, "leaveOut[0]"],
    ["leaveOut that is not a list", { topology, leaveOut: "proxy" }, "leaveOut"],
    ["settings that are not an object", { topology, proxy: "http://proxy" }, "proxy"],
    ["settings that are an Output", { topology, proxy: pulumi.output({}) }, "proxy"],
    [
      "settings with a secret that are an Output",
      { topology, managementProxy: pulumi.output({}) },
      "managementProxy",
    ],
    ["entries that are an Output", { topology, egressIps: pulumi.output({}) }, "egressIps"],
    [
      "an entry that is not an object",
      { topology, egressRouters: { database: "10.0.0.60" } },
      "egressRouters.database",
    ],
    [
      "a key that cannot be part of a name",
      { topology, egressFirewalls: { "a b": {} } },
      "egressFirewalls.a b",
    ],
    ["settings of a part without its required input", { topology, securityGroups: {} }, "vpcId"],
    [
      "network ACLs without a subnet",
      { topology, vpcId: "vpc-1", networkAcls: {} },
      "networkAcls.dedicatedSubnets",
    ],
    ["an invalid VPC of the workers", { topology: privately, workerVpcId: "workers" }, "workerVpcId"],
    ["an empty kubeconfig", { topology, hostedClusterKubeconfig: " " }, "hostedClusterKubeconfig"],
    [
      "both a new and an existing HostedCluster",
      { topology, hostedCluster, existingHostedCluster },
      "existingHostedCluster",
    ],
    [
      "an existing HostedCluster with another name than the topology's",
      { topology, proxy, existingHostedCluster: { name: "tenant-b", namespace: "clusters" } },
      "existingHostedCluster.name",
    ],
    [
      "a HostedCluster in another namespace than that of the other parts",
      {
        topology: { ...topology, namespace: undefined },
        hostedCluster: { ...hostedCluster, namespace: "tenants" },
      },
      "hostedCluster.namespace",
    ],
    [
      "a node selector in addition to that of the dedicated nodes",
      {
        topology,
        dedicatedNodes,
        hostedCluster: { additionalSpecJson: JSON.stringify({ ...restOfSpec, nodeSelector: { a: "b" } }) },
      },
      "hostedCluster.additionalSpecJson",
    ],
    [
      "an Output that determines which resources exist",
      { ...hosted, topology, egressIps: { shop: { ...hosted.egressIps.shop, nodes: pulumi.output(["n"]) } } },
      "egressIps.shop.nodes",
    ],
    ["an invalid region of the proxy", { topology, proxy: { ...proxy, region: "Paris" } }, "proxy.region"],
  ])("include %s", async (_, args, place) => {
    expect(await placesOf(args)).toContain(place);
  });

  it.each<[string, object, string]>([
    [
      "a namespace with two egress firewalls",
      { egressFirewalls: { ...hosted.egressFirewalls, other: hosted.egressFirewalls.shop } },
      "egressFirewalls.other.namespace",
    ],
    [
      "an address for an EgressIP object and an egress router",
      { egressRouters: { database: { ...hosted.egressRouters.database, address: "10.0.0.50/24" } } },
      "egressRouters.database.address",
    ],
    [
      "a namespace with two egress routers",
      {
        egressRouters: {
          ...hosted.egressRouters,
          other: { ...hosted.egressRouters.database, address: "10.0.0.61/24" },
        },
      },
      "egressRouters.other.namespace",
    ],
    [
      "a namespace with multicast entries of two keys",
      { multicastNamespaces: { stream: "stream", other: "stream" } },
      "multicastNamespaces.other",
    ],
  ])("include %s, before any object is created", async (_, args, place) => {
    expect(await placesOf({ ...whole, ...args })).toEqual([place]);
  });

  it("prevent the creation of all objects", async () => {
    const { objects } = await run(() => {
      expect(() => new HostedClusterLandingZone("zone", { topology, ...wrong } as never)).toThrow();
    });
    expect(objects).toEqual([]);
  });

  it("in Outputs are refused by their part, and the other parts are created", async () => {
    const { failures, objects } = await zone({
      ...whole,
      egressFirewalls: {
        shop: {
          namespace: pulumi.output("Shop"),
          rules: [{ type: EgressFirewallRuleType.Deny, cidr: "192.0.2.0/24" }],
        },
      },
    });
    expect(failures.join()).toContain("EgressFirewall zone-shop: 1 fault");
    expect(objects.some(({ type }) => type.endsWith(":EgressFirewall"))).toBe(false);
    expect(objects.some(({ type }) => type.endsWith(":HostedCluster"))).toBe(true);
  });
});
