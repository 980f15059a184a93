import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

import { startSession, type Session } from "../../local/session";
import {
  EgressFirewallRuleType,
  EndpointAccess,
  LoadBalancerTargets,
  Platform,
  PodSecurityLevel,
} from "../../src";
import { EgressRouterProtocol } from "../../src/egressRouter/egressRouter";
import { HostedClusterLandingZone } from "../../src/landingZone/hostedClusterLandingZone";
import {
  LandingZonePart,
  type HostedClusterLandingZoneArgs,
} from "../../src/landingZone/hostedClusterLandingZoneArgs";
import { restJson } from "../hostedCluster/inputs";
import { Bench, fine, kubectl, kubectlWith } from "./conformance/kubernetesBench";
import { networkOperatorObject } from "./networkOperatorObject";
import { sharedSession } from "./sharedSession";

const topology = {
  name: "tenant-z",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.Private,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  internalJoinSubnet: "100.99.0.0/16",
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  externalClientCidrs: ["10.200.0.0/16"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

const network = networkOperatorObject({ mtu: 1400, genevePort: 6081 });
/** Nodes of the management cluster that are dedicated to the control plane. */
const ownNodes = ["host-0", "host-1", "host-2"];
const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** Every part on the real engine, with separate API servers for the management cluster and the hosted cluster. */
describe("a landing zone with all its parts", () => {
  const folders = ["management", "hosted"].map((name) => mkdtempSync(join(tmpdir(), `zone-${name}-`)));
  let management: Session;
  let hosted: Session;
  let bench: Bench;

  const apply = (session: Session, object: object) =>
    kubectlWith(session, JSON.stringify(object), "apply", "--server-side", "--validate=strict", "-f", "-");
  const names = (session: Session, kind: string) =>
    kubectl(session, "get", kind, "-A", "-o", "name").trim().split("\n").filter(Boolean);
  const json = (session: Session, ...args: string[]) =>
    JSON.parse(kubectl(session, "get", ...args, "-o", "json")) as { spec: object; metadata: object };

  beforeAll(async () => {
    management = await sharedSession(folders[0]!);
    hosted = await startSession({ stateFolder: folders[1], plugins: "stand-in" });
    for (const name of ["clusters", "clusters-tenant-z"]) apply(management, namespace(name));
    for (const name of ownNodes) apply(management, { apiVersion: "v1", kind: "Node", metadata: { name } });
    for (const name of ["shop", "stream"]) apply(hosted, namespace(name));
    apply(hosted, network);
    bench = await Bench.open(management, "landing-zone");
  }, 900_000);
  afterAll(async () => {
    bench?.close();
    await Promise.all([management?.stop(), hosted?.stop()]);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const zone = (more: Partial<HostedClusterLandingZoneArgs> = {}) => {
    return () => {
      const hosts = new aws.ec2.Vpc("hosts", { cidrBlock: "10.1.0.0/16" });
      const workers = new aws.ec2.Vpc("workers", { cidrBlock: "10.0.0.0/16" });
      const subnet = new aws.ec2.Subnet("hosts", { vpcId: hosts.id, cidrBlock: "10.1.16.0/24" });
      const made = new HostedClusterLandingZone("tenant", {
        topology,
        vpcId: hosts.id,
        workerVpcId: workers.id,
        region: "us-east-1",
        networkAcls: { dedicatedSubnets: { hosts: { subnetId: subnet.id } }, associatedSubnets: ["hosts"] },
        proxy: { httpsProxy: "http://proxy.example.com:3128" },
        hostedCluster: { additionalSpecJson: restJson(Platform.AWS) },
        isolation: { denyEgress: true, podSecurityLevel: PodSecurityLevel.Baseline },
        managementProxy: { secondaryNetworkCidrs: ["10.0.8.0/24"] },
        dedicatedNodes: { nodes: ownNodes.map((node) => ({ name: node, zone: node })), manageTaints: false },
        hostedClusterKubeconfig: pulumi.secret(readFileSync(hosted.kubeconfig, "utf8")),
        hybridOverlay: { hybridClusterNetwork: [{ cidr: "10.136.0.0/14", hostPrefix: 24 }] },
        ipsec: {},
        egressFirewalls: {
          shop: {
            namespace: "shop",
            allowApiServer: true,
            rules: [{ type: EgressFirewallRuleType.Deny, cidr: "192.0.2.0/24" }],
          },
        },
        egressIps: {
          shop: {
            addresses: ["10.0.128.50"],
            namespaceSelector: { matchLabels: { tenant: "shop" } },
            assignableNodeCount: 2,
          },
        },
        egressRouters: {
          database: {
            namespace: "shop",
            address: "10.0.128.60/24",
            gateway: "10.0.128.1",
            redirectRules: [{ port: 3306, protocol: EgressRouterProtocol.TCP, destinationIp: "192.0.2.10" }],
            acceptUnsupportedPlatform: true,
          },
        },
        multicastNamespaces: { stream: "stream" },
        ...more,
      });
      return Promise.resolve({ parts: made.parts, group: made.controlPlaneSecurityGroupId });
    };
  };

  test("creates each part in its own cluster", async () => {
    fine(await bench.preview(zone()));
    const outcome = fine(await bench.up(zone()));
    expect((await bench.outputs()).parts).toEqual(Object.values(LandingZonePart));
    expect(outcome.output + bench.state()).not.toContain(tokenOf(hosted));

    expect(names(management, "hostedclusters")).toHaveLength(1);
    expect(names(management, "networkpolicies").length).toBeGreaterThan(3);
    const inside = ["egressfirewalls", "egressips", "egressrouters"];
    for (const kind of inside) expect(names(management, kind)).toEqual([]);
    for (const kind of inside) expect(names(hosted, kind)).toHaveLength(1);
    for (const kind of ["hostedclusters", "networkpolicies"]) expect(names(hosted, kind)).toEqual([]);
    const label = "hypershift.openshift.io/cluster=clusters-tenant-z";
    const labelled = kubectl(management, "get", "nodes", "-l", label, "-o", "name");
    expect(labelled.trim().split("\n")).toHaveLength(ownNodes.length);
  });

  test("puts subnets, proxy, node selector and annotation into the HostedCluster, and both settings into the network operator", () => {
    const cluster = json(management, "hostedcluster", "tenant-z", "-n", "clusters");
    expect(cluster).toMatchObject({
      metadata: {
        annotations: { "hypershift.openshift.io/pod-security-admission-label-override": "baseline" },
      },
      spec: {
        nodeSelector: { "hypershift.openshift.io/cluster": "clusters-tenant-z" },
        configuration: { proxy: { httpsProxy: "http://proxy.example.com:3128" } },
        operatorConfiguration: {
          clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.99.0.0/16" } } },
        },
      },
    });
    expect(json(hosted, "networks.operator.openshift.io", "cluster").spec).toMatchObject({
      defaultNetwork: {
        ovnKubernetesConfig: {
          mtu: 1400,
          hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "10.136.0.0/14", hostPrefix: 24 }] },
          ipsecConfig: { mode: "Full" },
        },
      },
    });
  });

  test("changes nothing in a second up, with or without refresh", async () => {
    expect(Object.keys(fine(await bench.up(zone())).changes)).toEqual(["same"]);
    expect(Object.keys(fine(await bench.up(zone(), true)).changes)).toEqual(["same"]);
  });

  const proxy = { httpsProxy: "http://proxy.example.com:3129" };

  test("updates objects in place in both clusters", async () => {
    const { changes } = fine(await bench.up(zone({ proxy, multicastNamespaces: {} })));
    expect(Object.keys(changes).sort()).toEqual(["delete", "same", "update"]);
    expect(JSON.stringify(json(management, "hostedcluster", "tenant-z", "-n", "clusters").spec)).toContain(
      ":3129",
    );
    expect(JSON.stringify(json(hosted, "namespace", "stream").metadata)).not.toContain("multicast-enabled");
  });

  test("deletes only the parts that are left out", async () => {
    const leaveOut = [LandingZonePart.EgressRouters];
    const { changes } = fine(await bench.up(zone({ proxy, multicastNamespaces: {}, leaveOut })));
    expect(Object.keys(changes).sort()).toEqual(["delete", "same", "update"]);
    expect(names(hosted, "egressrouters")).toEqual([]);
    expect(names(hosted, "egressfirewalls")).toHaveLength(1);
  });

  test("refuses to remove the network ACLs of a protected HostedCluster", async () => {
    const { ok, output } = await bench.preview(zone({ leaveOut: [LandingZonePart.NetworkAcls] }));
    expect(ok).toBe(false);
    expect(output).toMatch(/protected/);
  });

  test("refuses destroy while the HostedCluster is protected", async () => {
    const { ok, output } = await bench.destroy();
    expect(ok).toBe(false);
    expect(output).toMatch(/protected/);
    expect(names(management, "hostedclusters")).toHaveLength(1);
  });

  test("keeps the HostedCluster and its filters on destroy after unprotect, and deletes the other objects", async () => {
    const policies = names(management, "networkpolicies");
    await bench.unprotect();
    fine(await bench.destroy());
    expect(names(management, "hostedclusters")).toHaveLength(1);
    expect(policies.length).toBeGreaterThan(3);
    expect(names(management, "networkpolicies")).toEqual(policies);
    expect(names(hosted, "egressfirewalls")).toHaveLength(1);
    for (const kind of ["egressips", "egressrouters"]) expect(names(hosted, kind)).toEqual([]);
    // Settings of a running cluster stay.
    expect(JSON.stringify(json(hosted, "networks.operator.openshift.io", "cluster").spec)).toContain("Full");
  });
});

const tokenOf = ({ kubeconfig }: Session): string =>
  /token: (\S+)/.exec(readFileSync(kubeconfig, "utf8"))?.[1] ?? "no token";
