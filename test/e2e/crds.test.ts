import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { EgressFirewall } from "../../src/egressFirewall/component/egressFirewall";
import { EgressFirewallProtocol, EgressFirewallRuleType, Platform } from "../../src";
import { OvnSubnetConfig } from "../../src/ovnSubnets/component/ovnSubnetConfig";
import { ProxyConfig } from "../../src/proxy/component/proxyConfig";
import type { OvnSubnetConfigArgs } from "../../src/ovnSubnets/component/ovnSubnetArgs";
import type { Session } from "../../local/session";
import { certificate } from "../objects/certificate";
import { Bench } from "./conformance/kubernetesBench";
import { hostedClusterObject } from "./hostedCluster";
import { sharedSession } from "./sharedSession";
import { World } from "./world";

const { Allow, Deny } = EgressFirewallRuleType;
const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.None,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  dnsServerCidrs: ["10.0.0.2/32"],
};
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const path = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";

/** The real API server validates what the components create, with the CRDs of the product. */
describe("the objects of the components", () => {
  const folder = mkdtempSync(join(tmpdir(), "crds-"));
  let session: Session;
  let world: World;
  const benches: Bench[] = [];

  const apply = (object: object, manager: string) =>
    execFileSync("kubectl", ["apply", "--server-side", `--field-manager=${manager}`, "-f", "-"], {
      env: { ...process.env, KUBECONFIG: session.kubeconfig },
      input: JSON.stringify(object),
    });
  const open = async (name: string) => {
    const bench = await Bench.open(session, name);
    benches.push(bench);
    return bench;
  };
  const specOf = async (at = path) => (await world.object(at))?.spec as Record<string, never> | undefined;
  const subnetsOf = async (at = path) =>
    ((await specOf(at)) as { operatorConfiguration?: unknown } | undefined)?.operatorConfiguration;
  const configured = (internalJoinSubnet: string, internalTransitSwitchSubnet: string) => ({
    clusterNetworkOperator: expect.objectContaining({
      ovnKubernetesConfig: { ipv4: { internalJoinSubnet, internalTransitSwitchSubnet } },
    }) as unknown,
  });

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" } }, "admin");
    apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }, "admin");
    apply(hostedClusterObject(), "admin");
  });
  afterAll(async () => {
    for (const bench of benches) bench.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("M6 subnets of an existing HostedCluster", () => {
    const subnets = (join: string, transit: string, more: Partial<OvnSubnetConfigArgs> = {}) => {
      return () => {
        const args = { internalJoinSubnet: join, internalTransitSwitchSubnet: transit };
        new OvnSubnetConfig("subnets", { topology, ...args, existingHostedCluster, ...more });
        return Promise.resolve();
      };
    };

    test("are set by up, and a second up changes nothing", async () => {
      const bench = await open("subnets");
      const program = subnets("100.99.0.0/16", "100.69.0.0/16");
      expect(await bench.up(program)).toMatchObject({ ok: true });
      expect(await subnetsOf()).toMatchObject(configured("100.99.0.0/16", "100.69.0.0/16"));
      expect((await bench.up(program)).changes).toEqual({ same: 3 });
    });

    test("are updated in place", async () => {
      const outcome = await benches[0]!.up(subnets("100.98.0.0/16", "100.68.0.0/16"));
      expect(outcome.changes).toEqual({ same: 1, update: 2 });
      expect(await subnetsOf()).toMatchObject(configured("100.98.0.0/16", "100.68.0.0/16"));
    });

    test("stay after destroy, and the next up with others meets no conflict", async () => {
      expect(await benches[0]!.destroy()).toMatchObject({ ok: true });
      expect(await subnetsOf()).toMatchObject(configured("100.98.0.0/16", "100.68.0.0/16"));
      const other = await open("subnets-again");
      expect(await other.up(subnets("100.97.0.0/16", "100.67.0.0/16"))).toMatchObject({ ok: true });
      expect(await subnetsOf()).toMatchObject(configured("100.97.0.0/16", "100.67.0.0/16"));
    });

    test("that another owner set are replaced only with forcePatch", async () => {
      const elsewhere = { ...existingHostedCluster, name: "tenant-b" };
      const at = path.replace("tenant-a", "tenant-b");
      const ipv4 = { internalJoinSubnet: "100.90.0.0/16", internalTransitSwitchSubnet: "100.91.0.0/16" };
      const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
      apply(hostedClusterObject({ operatorConfiguration }, "tenant-b"), "admin");
      const more = { topology: { ...topology, name: "tenant-b" }, existingHostedCluster: elsewhere };
      const bench = await open("subnets-of-others");
      const refused = await bench.up(subnets("100.99.0.0/16", "100.69.0.0/16", more));
      expect(refused.ok).toBe(false);
      expect(refused.output).toMatch(/conflict/i);
      expect(await subnetsOf(at)).toMatchObject(configured("100.90.0.0/16", "100.91.0.0/16"));
      const forced = subnets("100.99.0.0/16", "100.69.0.0/16", { ...more, forcePatch: true });
      expect(await bench.up(forced)).toMatchObject({ ok: true });
      expect(await subnetsOf(at)).toMatchObject(configured("100.99.0.0/16", "100.69.0.0/16"));
    });
  });

  describe("M8 the proxy", () => {
    test("of an existing HostedCluster is patched with its trust bundle and its subnets, and stays after destroy", async () => {
      const cluster = { ...topology, name: "tenant-d" };
      const at = path.replace("tenant-a", "tenant-d");
      apply(hostedClusterObject({}, "tenant-d"), "admin");
      const bench = await open("proxy");
      const password = "hunter2";
      const url = `http://me:${password}@proxy.example.com:3128`;
      const outcome = await bench.up(() => {
        const proxies = { httpProxy: pulumi.secret(url), httpsProxy: "http://proxy.example.com:3128" };
        const args = { topology: cluster, ...proxies, noProxy: [".example.com"], trustedCa: certificate };
        const subnets = new OvnSubnetConfig("subnets", {
          topology: cluster,
          internalJoinSubnet: "100.99.0.0/16",
          internalTransitSwitchSubnet: "100.69.0.0/16",
        });
        const proxy = new ProxyConfig("proxy", {
          ...args,
          additionalTrustBundle: true,
          existingHostedCluster: { ...existingHostedCluster, name: "tenant-d" },
          ovnSubnets: subnets.fragment,
        });
        const { ignitionStub, sidecarProxy, controlPlaneWorkloads, nodeApiProxyReason } = proxy;
        return Promise.resolve({ ignitionStub, sidecarProxy, controlPlaneWorkloads, nodeApiProxyReason });
      });
      expect(outcome.output).not.toMatch(/error/i);
      expect(outcome.output).not.toContain(password);
      expect(bench.state()).not.toContain(password);
      const expected = {
        configuration: {
          proxy: { httpProxy: url, noProxy: ".example.com", trustedCA: { name: "tenant-d-proxy-ca" } },
        },
        additionalTrustBundle: { name: "tenant-d-proxy-ca" },
      };
      expect(await specOf(at)).toMatchObject(expected);
      expect(await subnetsOf(at)).toMatchObject(configured("100.99.0.0/16", "100.69.0.0/16"));
      const bundle = "/api/v1/namespaces/clusters/configmaps/tenant-d-proxy-ca";
      expect(await world.object(bundle)).toMatchObject({ data: { "ca-bundle.crt": certificate } });
      expect(await bench.destroy()).toMatchObject({ ok: true });
      expect(await specOf(at)).toMatchObject(expected);
      expect(await world.object(bundle)).toBeDefined();
    });
  });

  test("M6 M8 fragments of subnets and proxy are accepted in a new HostedCluster", async () => {
    const bench = await open("fragments");
    const outcome = await bench.up(() => {
      const cluster = { ...topology, name: "tenant-c" };
      const subnets = new OvnSubnetConfig("subnets", {
        topology: cluster,
        internalJoinSubnet: "100.99.0.0/16",
      });
      const proxy = new ProxyConfig("proxy", {
        topology: cluster,
        httpProxy: "http://proxy.example.com:3128",
        trustedCa: certificate,
      });
      const { spec, ...object } = hostedClusterObject({}, "tenant-c");
      new kubernetes.apiextensions.CustomResource("tenant-c", {
        ...object,
        spec: {
          ...spec,
          operatorConfiguration: subnets.fragment.operatorConfiguration,
          configuration: proxy.fragment.configuration,
        },
      });
      return Promise.resolve();
    });
    expect(outcome).toMatchObject({ ok: true });
    expect(await specOf(path.replace("tenant-a", "tenant-c"))).toMatchObject({
      operatorConfiguration: {
        clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.99.0.0/16" } } },
      },
      configuration: { proxy: { trustedCA: { name: "tenant-c-proxy-ca" } } },
    });
  });

  test("M15 an egress firewall with every kind of rule is accepted, updated in place and deleted", async () => {
    const bench = await open("firewall");
    const program = (cidr: string) => () => {
      new EgressFirewall("shop", {
        namespace: "shop",
        allowApiServer: true,
        labels: { team: "shop" },
        rules: [
          {
            type: Allow,
            dnsName: "*.example.com",
            ports: [{ port: 443, protocol: EgressFirewallProtocol.TCP }],
          },
          { type: Allow, nodeLabels: { "node-role.kubernetes.io/worker": "" } },
          { type: Allow, cidr: "2001:db8::/32" },
          { type: Deny, cidr },
        ],
      });
      return Promise.resolve();
    };
    const at = "/apis/k8s.ovn.org/v1/namespaces/shop/egressfirewalls/default";
    expect(await bench.up(program("192.0.2.0/24"))).toMatchObject({ ok: true });
    expect((await bench.up(program("0.0.0.0/0"))).changes).toMatchObject({ update: 2 });
    const egress = ((await world.object(at))!.spec as { egress: { to: object }[] }).egress;
    expect(egress.map(({ to }) => to)).toEqual([
      { cidrSelector: "172.20.0.1/32" },
      { cidrSelector: "fd00::1/128" },
      { dnsName: "*.example.com" },
      { nodeSelector: { matchLabels: { "node-role.kubernetes.io/worker": "" } } },
      { cidrSelector: "2001:db8::/32" },
      { cidrSelector: "0.0.0.0/0" },
    ]);
    expect((await bench.destroy()).output).not.toMatch(/error/i);
    expect(await world.object(at)).toBeUndefined();
  });
});
