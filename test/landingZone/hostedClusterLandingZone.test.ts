import { EgressRouterProtocol } from "../../src/egressRouter/egressRouter";
import { EgressFirewallRuleType, NodeApiProxy, PodSecurityLevel } from "../../src";
import { HostedClusterLandingZone } from "../../src/landingZone/hostedClusterLandingZone";
import { LandingZonePart } from "../../src/landingZone/hostedClusterLandingZoneArgs";
import { choiceOfParts } from "../../src/landingZone/judge";
import { normal } from "../topology/topologies";
import { eventually } from "../components/eventually";
import { run, unknownValue, type Registered } from "../components/program";
import {
  componentsOf,
  dedicatedNodes,
  existingHostedCluster,
  hosted,
  hostedCluster,
  privately,
  proxy,
  restOfSpec,
  subnets,
  topology,
  whole,
  zone,
} from "./zone";

const EVERY = Object.values(LandingZonePart);
const selector = { "hypershift.openshift.io/cluster": "clusters-tenant-a" };
const annotation = "hypershift.openshift.io/pod-security-admission-label-override";

/** What a patch of a HostedCluster states. */
interface Content {
  level?: string | undefined;
  spec?: object | undefined;
}

describe("the parts of a landing zone", () => {
  it("are those that the topology needs and whose required inputs are given", async () => {
    const { resources } = await zone({ topology: { ...privately, ...subnets }, vpcId: "vpc-1", proxy });
    expect(componentsOf(resources)).toEqual([
      "HostedControlPlaneSecurityGroups",
      "OvnSubnetConfig",
      "PrivateEndpointSecurityGroup",
      "ProxyConfig",
    ]);
  });

  it("are listed with a reason if they are left out", async () => {
    const { result } = await zone({ topology });
    const reasons = await eventually(result.leftOut);
    expect(Object.fromEntries(reasons.map(({ part, reason }) => [part, reason]))).toEqual({
      securityGroups: "vpcId is not given",
      networkAcls: "no subnet is declared dedicated",
      privateEndpoint: "a cluster with Public access has no VPC endpoints",
      ovnSubnets: "the topology states no internal subnet",
      proxy: "the topology has no proxy",
      hostedCluster: "its settings are not given",
      isolation: "its settings are not given",
      managementProxy: "its settings are not given",
      dedicatedNodes: "its settings are not given",
      hybridOverlay: "its settings are not given",
      ipsec: "its settings are not given",
      egressFirewalls: "none is given",
      egressIps: "none is given",
      egressRouters: "none is given",
      multicastNamespaces: "none is given",
    });
    expect(await eventually(result.parts)).toEqual([]);
  });

  it("can all be created at once", async () => {
    const { resources, result, failures } = await zone(whole);
    expect(failures).toEqual([]);
    expect(componentsOf(resources)).toHaveLength(EVERY.length);
    expect(await eventually(result.parts)).toEqual(EVERY);
    expect(await eventually(result.leftOut)).toEqual([]);
  });

  it.each(EVERY)("can be created alone if all others are left out: %s", async (part) => {
    const others = EVERY.filter((other) => other !== part);
    const { resources, result, failures } = await zone({ ...whole, leaveOut: others });
    expect(failures).toEqual([]);
    expect(componentsOf(resources)).toHaveLength(1);
    const leftOut = await eventually(result.leftOut);
    expect(leftOut).toEqual(others.map((other) => ({ part: other, reason: "it is in leaveOut" })));
  });

  it.each(EVERY)("can be left out without affecting the others: %s", (part) => {
    const { made } = choiceOfParts({ ...whole, leaveOut: [part] }, normal(whole.topology));
    expect([...made]).toEqual(EVERY.filter((other) => other !== part));
  });

  it("use existing groups instead of new ones, and additional rules", async () => {
    const { objects, result } = await zone({
      topology: privately,
      vpcId: "vpc-1",
      securityGroups: { controlPlaneSecurityGroupId: "sg-1", workerSecurityGroupId: "sg-2" },
      privateEndpoint: { securityGroupId: "sg-3", callers: { offices: { cidr: "10.200.0.0/16" } } },
    });
    expect(objects.filter(({ type }) => type.endsWith(":SecurityGroup"))).toEqual([]);
    expect(await eventually(result.controlPlaneSecurityGroupId!)).toBe("sg-1");
    expect(await eventually(result.privateEndpointSecurityGroupId!)).toBe("sg-3");
    expect(objects.some(({ inputs }) => inputs.cidrIpv4 === "10.200.0.0/16")).toBe(true);
  });

  it("have their results as outputs of the landing zone", async () => {
    const { result } = await zone(whole);
    const { egressRouters } = result;
    expect(await eventually(result.hostedClusterReference)).toEqual(existingHostedCluster);
    expect(await eventually(result.hostedControlPlaneNamespace)).toBe("clusters-tenant-a");
    expect(await eventually(result.securityGroupRules!)).not.toEqual([]);
    expect(await eventually(result.networkAclRules!)).not.toEqual([]);
    expect(await eventually(result.privateEndpointRules!)).not.toEqual([]);
    expect(await eventually(result.controlPlaneNetworkAclId!)).toMatch(/^zone-/);
    expect(result.workerNetworkAclId).toBeUndefined();
    expect(await eventually(result.nodeApiProxy!)).toBe(NodeApiProxy.Haproxy);
    expect((await eventually(result.isolationPolicies!)).map(({ name }) => name)).toContain(
      "isolation-kube-apiserver",
    );
    expect(await eventually(result.managementNoProxyMissing!)).toEqual(["10.0.8.0/24"]);
    expect(await eventually(result.dedicatedNodeLabels!)).toMatchObject(selector);
    expect(await eventually(result.dedicatedHostedClusterFragment!)).toEqual({ nodeSelector: selector });
    expect((await eventually(result.ipsecNodePorts!)).map(({ protocol }) => protocol)).toContain("ESP");
    expect(await eventually(result.egressAddresses!)).toEqual({ shop: ["10.0.0.50"] });
    expect(await eventually(egressRouters!)).toMatchObject({
      database: { serviceHost: "database.shop.svc", sourceAddress: "10.0.0.60" },
    });
  });

  it("have their warnings in one list, with the paths of the inputs", async () => {
    const { result } = await zone(whole);
    const warnings = await eventually(result.warnings);
    const places = warnings.map((text) => text.split(" ")[0]);
    expect(places).toEqual(
      expect.arrayContaining([
        "topology.managementClusterCidrs",
        "privateEndpoint.endpointIds",
        "proxy.region",
        "isolation.namespace",
        "managementProxy.manage",
        "hybridOverlay.hybridClusterNetwork",
        "ipsec.mode",
      ]),
    );
    expect(new Set(warnings).size).toBe(warnings.length);
  });
});

describe("a new HostedCluster", () => {
  const made = (objects: readonly Registered[]) =>
    objects.filter(({ type }) => type.endsWith(":HostedCluster"));

  it("contains subnets, proxy and the pod security annotation, without a patch", async () => {
    const { objects } = await zone({
      ...whole,
      isolation: { podSecurityLevel: PodSecurityLevel.Baseline },
      hostedCluster: { ...hostedCluster, annotations: { owner: "network" } },
    });
    expect(objects.filter(({ type }) => type.endsWith("HostedClusterPatch"))).toEqual([]);
    expect(made(objects)).toHaveLength(1);
    expect(made(objects)[0]).toMatchObject({
      inputs: {
        metadata: { ...existingHostedCluster, annotations: { owner: "network", [annotation]: "baseline" } },
        spec: {
          pullSecret: restOfSpec.pullSecret,
          nodeSelector: selector,
          configuration: { proxy },
          operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
        },
      },
    });
  });

  it("contains the topology's values for parts that are left out", async () => {
    const { objects } = await zone({ ...whole, leaveOut: [LandingZonePart.OvnSubnets] });
    expect(JSON.stringify(made(objects)[0]?.inputs.spec)).toContain("100.99.0.0/16");
  });

  it("contains the trusted CA of the proxy", async () => {
    const { objects } = await zone({
      topology,
      proxy: { ...proxy, trustedCaConfigMap: "ca" },
      hostedCluster: { ...hostedCluster, namespace: "clusters" },
    });
    expect(made(objects)[0]).toMatchObject({
      inputs: { spec: { configuration: { proxy: { ...proxy, trustedCA: { name: "ca" } } } } },
    });
  });
});

describe("an existing HostedCluster", () => {
  const patches = (objects: readonly Registered[]) =>
    objects.filter(({ type }) => type.endsWith("HostedClusterPatch"));

  it("gets subnets, proxy and annotation in one patch, because fields have one owner", async () => {
    const { objects, result } = await zone({
      topology: { ...topology, ...subnets },
      proxy,
      isolation: { podSecurityLevel: PodSecurityLevel.Baseline },
      existingHostedCluster,
    });
    expect(patches(objects)).toHaveLength(1);
    expect(patches(objects)[0]).toMatchObject({
      inputs: {
        metadata: { annotations: { [annotation]: "baseline" } },
        spec: {
          configuration: { proxy },
          operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
        },
      },
    });
    expect(await eventually(result.hostedClusterReference)).toEqual(existingHostedCluster);
  });

  const subnetsOnly = {
    operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
  };
  it.each<[string, object, Content]>([
    [
      "one patch for the subnets without a proxy",
      { topology: { ...topology, ...subnets } },
      { spec: subnetsOnly },
    ],
    [
      "one patch for the annotation with the subnets",
      {
        topology: { ...topology, ...subnets },
        isolation: { podSecurityLevel: PodSecurityLevel.Baseline },
      },
      { level: "baseline", spec: subnetsOnly },
    ],
    [
      "one patch for only the annotation",
      { topology, isolation: { podSecurityLevel: PodSecurityLevel.Baseline } },
      { level: "baseline" },
    ],
  ])("gets %s", async (_, args, content) => {
    const { objects } = await zone({ existingHostedCluster, ...args } as never);
    const found = patches(objects).map(({ inputs }): Content => {
      const { metadata, spec } = inputs as {
        metadata: { annotations: Record<string, string> };
        spec?: object;
      };
      return { level: metadata.annotations[annotation], spec };
    });
    expect(found).toEqual([content]);
  });

  it("gets the node selector in a patch if no other part patches it", async () => {
    const { objects } = await zone({ topology, existingHostedCluster, dedicatedNodes });
    expect(patches(objects)).toHaveLength(1);
    expect(patches(objects)[0]).toMatchObject({ inputs: { spec: { nodeSelector: selector } } });
  });

  it("gets no node selector, but a warning, if another part patches it", async () => {
    const { objects, result } = await zone({ topology, proxy, existingHostedCluster, dedicatedNodes });
    expect(patches(objects)).toHaveLength(1);
    expect(JSON.stringify(patches(objects))).not.toContain("nodeSelector");
    expect((await eventually(result.warnings)).join("\n")).toContain(
      "existingHostedCluster gets no node selector: proxy patches it",
    );
    expect(await eventually(result.dedicatedHostedClusterFragment!)).toEqual({ nodeSelector: selector });
  });

  it("gets no patch if no part changes it", async () => {
    const { objects } = await zone({ topology, isolation: {}, existingHostedCluster });
    expect(patches(objects)).toEqual([]);
  });

  it("is not needed: fragments are outputs for one that is created elsewhere", async () => {
    const { objects, result } = await zone({ topology: { ...topology, ...subnets }, proxy });
    expect(objects).toEqual([]);
    expect(await eventually(result.proxyFragment!)).toMatchObject({ configuration: { proxy } });
    expect(await eventually(result.ovnSubnetFragment!)).toBeDefined();
    expect(await eventually(result.hostedClusterReference)).toEqual(existingHostedCluster);
  });
});

describe("objects in the hosted cluster", () => {
  it("have their own provider, which objects of the management cluster do not use", async () => {
    const providers = new Map<string, string>();
    const { resources } = await run(() => new HostedClusterLandingZone("zone", whole), {
      seen: ({ type, provider = "" }) => providers.set(type, provider.split("::").at(-2) ?? ""),
    });
    const made = [...providers].filter(([type]) => type.startsWith("kubernetes:"));
    expect(Object.fromEntries(made)).toEqual({
      "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster": "",
      "kubernetes:networking.k8s.io/v1:NetworkPolicy": "",
      "kubernetes:operator.openshift.io/v1:NetworkPatch": "zone-hosted-cluster",
      "kubernetes:k8s.ovn.org/v1:EgressFirewall": "zone-hosted-cluster",
      "kubernetes:k8s.ovn.org/v1:EgressIP": "zone-hosted-cluster",
      "kubernetes:network.operator.openshift.io/v1:EgressRouter": "zone-hosted-cluster",
      "kubernetes:core/v1:Service": "zone-hosted-cluster",
      "kubernetes:core/v1:NamespacePatch": "zone-hosted-cluster",
      "kubernetes:core/v1:NodePatch": "zone-hosted-cluster",
    });
    expect(JSON.stringify(resources.map(({ inputs }) => inputs))).toContain(
      "1b47061264138c4ac30d75fd1eb44270",
    );
  });

  it("include overlay network and IPsec in one patch", async () => {
    const patches = async (args: object) =>
      (await zone({ topology, ...hosted, ...args })).objects
        .filter(({ type }) => type.endsWith(":NetworkPatch"))
        .map(({ inputs }) => Object.keys((inputs as never as Patch).spec.defaultNetwork.ovnKubernetesConfig));
    expect(await patches({})).toEqual([["hybridOverlayConfig", "ipsecConfig"]]);
    expect(await patches({ ipsec: undefined })).toEqual([["hybridOverlayConfig"]]);
    expect(await patches({ hybridOverlay: undefined })).toEqual([["ipsecConfig"]]);
  });

  it("are left out with a warning without its kubeconfig", async () => {
    const { hostedClusterKubeconfig: _, ...parts } = hosted;
    const { objects, warnings, result } = await zone({ topology, ...parts });
    expect(objects).toEqual([]);
    const warning =
      "hostedClusterKubeconfig missing: hybridOverlay, ipsec, egressFirewalls, egressIps, egressRouters, multicastNamespaces left out";
    expect(warnings.join()).toContain(warning);
    expect((await eventually(result.warnings)).join()).toContain(warning);
  });

  it("do not exist if only its kubeconfig is given, and neither does a provider", async () => {
    const { objects } = await zone({ topology, hostedClusterKubeconfig: "{ token: sesame }" });
    expect(objects).toEqual([]);
  });
});

interface Patch {
  spec: { defaultNetwork: { ovnKubernetesConfig: object } };
}

describe("secrets", () => {
  const marked = "1b47061264138c4ac30d75fd1eb44270";

  it("in the inputs are secret or omitted in the state", async () => {
    const { resources } = await zone({
      topology: { ...topology, proxy: { httpProxy: "http://me:hunter2@proxy.example.com:3128" } },
      hostedClusterKubeconfig: "{ token: sesame }",
      managementProxy: { secondaryNetworkCidrs: ["10.0.8.0/24"], kubeconfig: "{ token: sesame }" },
      dedicatedNodes: { ...dedicatedNodes, kubeconfig: "{ token: sesame }" },
    });
    const { inputs } = resources.find(({ type }) => type.endsWith(":HostedClusterLandingZone"))!;
    expect(JSON.stringify(inputs.topology)).not.toContain("hunter2");
    expect(JSON.stringify(inputs.hostedClusterKubeconfig)).toContain(marked);
    expect(JSON.stringify(inputs.managementProxy)).toContain(marked);
    expect(JSON.stringify(inputs.dedicatedNodes)).toContain(marked);
  });
});

describe("a preview", () => {
  it("succeeds with unknown ids, kubeconfig and other values", async () => {
    const { failures, resources } = await zone(
      {
        ...whole,
        vpcId: unknownValue(),
        networkAcls: { dedicatedSubnets: { hosts: { subnetId: unknownValue() } } },
        hostedCluster: { additionalSpecJson: unknownValue() },
        isolation: { namespace: unknownValue() },
        managementProxy: { secondaryNetworkCidrs: unknownValue() },
        hostedClusterKubeconfig: unknownValue(),
        hybridOverlay: { hybridClusterNetwork: [{ cidr: unknownValue(), hostPrefix: 24 }] },
        ipsec: { mode: unknownValue() },
        egressFirewalls: {
          shop: {
            namespace: unknownValue(),
            rules: [{ type: EgressFirewallRuleType.Deny, cidr: unknownValue() }],
            allowApiServer: true,
          },
        },
        egressRouters: {
          database: {
            ...hosted.egressRouters.database,
            address: unknownValue(),
            redirectRules: [
              { port: 3306, protocol: EgressRouterProtocol.TCP, destinationIp: unknownValue() },
            ],
          },
        },
        multicastNamespaces: { stream: unknownValue() },
      },
      true,
    );
    expect(failures).toEqual([]);
    expect(componentsOf(resources)).toHaveLength(EVERY.length);
  });
});
