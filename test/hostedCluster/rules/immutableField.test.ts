import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { immutableField } from "../../../src/hostedCluster/rules/identity";
import {
  HOSTED_CLUSTER,
  hostedCluster,
  networking,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

/** A HostedCluster that a plan changes. */
const changed = (from: Properties, to: Properties): Resource => {
  const old = hostedCluster(from).properties;
  return { ...hostedCluster(to), before: { inputs: old, outputs: old } };
};
const cluster = (clusterNetwork: string) => ({
  networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: clusterNetwork }] }),
});
const path = "spec.networking.clusterNetwork";

describe("immutable-field", () => {
  it("finds a changed cluster network", () => {
    const found = violations(immutableField, [changed(cluster("10.132.0.0/14"), cluster("10.136.0.0/14"))]);
    expect(found).toMatchObject([{ path, message: expect.stringContaining("would destroy") as string }]);
  });

  it("accepts unchanged fields, fields that may change, and new clusters", () => {
    expect(violations(immutableField, [changed({}, {})])).toEqual([]);
    const release = { release: { image: "quay.io/openshift-release-dev/ocp-release:4.21.1-x86_64" } };
    expect(violations(immutableField, [changed({}, release), hostedCluster({}, "tenant-b")])).toEqual([]);
  });

  describe("of a HostedCluster that the plan replaces", () => {
    const replaced = (to: Resource): Resource => {
      const old = hostedCluster().properties;
      return { ...to, before: { inputs: old, outputs: old, isDestroyed: true } };
    };
    const found = (to: Resource) => violations(immutableField, [replaced(to)]);

    it("finds another name and namespace", () => {
      expect(found(hostedCluster({}, "tenant-b"))).toMatchObject([
        { path: "metadata.name", message: expect.stringContaining("tenant-b replaces tenant-a") as string },
      ]);
      const { properties, ...rest } = hostedCluster();
      const elsewhere = { ...properties, metadata: { name: "tenant-a", namespace: "shop" } };
      expect(found({ ...rest, properties: elsewhere })).toMatchObject([{ path: "metadata.namespace" }]);
    });

    it("finds one for which no field changes, or whose name is unknown", () => {
      expect(found(hostedCluster())).toMatchObject([{ path: "metadata.name" }]);
      const { properties, ...rest } = hostedCluster();
      expect(found({ ...rest, properties: { ...properties, metadata: UNKNOWN } })).toHaveLength(1);
    });

    it("is found once if an immutable field changes", () => {
      expect(found(hostedCluster(cluster("10.136.0.0/14")))).toMatchObject([{ path }]);
    });
  });

  it("finds a patch that contradicts its HostedCluster", () => {
    const patch = (spec: Properties) =>
      resource(`${HOSTED_CLUSTER}Patch`, "patch", {
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec,
      });
    const wrong = patch({ networking: { clusterNetwork: [{ cidr: "10.136.0.0/14" }] } });
    expect(violations(immutableField, [hostedCluster(), wrong])).toMatchObject([
      { resource: wrong.origin, path },
    ]);
    const fine = patch({ networking: { clusterNetwork: [{ cidr: "10.132.0.0/14" }] } });
    expect(violations(immutableField, [hostedCluster(), fine])).toEqual([]);
    expect(violations(immutableField, [wrong])).toEqual([]);
  });

  it("counts a new value that is unknown, and judges the other fields", () => {
    const unsaid = { networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }) };
    expect(violations(immutableField, [changed({}, unsaid)])).toEqual([]);
    expect(unknowns(immutableField, [changed({}, unsaid)])).toMatchObject([{ path }]);
    const other = { networking: { ...unsaid.networking, serviceNetwork: [{ cidr: "172.29.0.0/16" }] } };
    expect(violations(immutableField, [changed({}, other)])).toMatchObject([
      { path: "spec.networking.serviceNetwork" },
    ]);
  });

  it("counts an old value that is unknown, such as a secret", () => {
    const secret = { networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }) };
    const part = { networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: UNKNOWN }] }) };
    const all: Properties[] = [secret, part, { networking: UNKNOWN }];
    for (const from of all) {
      expect(violations(immutableField, [changed(from, {})])).toEqual([]);
      expect(unknowns(immutableField, [changed(from, {})]).map((one) => one.path)).toContain(path);
    }
  });

  it("counts the fields of a new section that is unknown", () => {
    const unsaid = changed({}, { networking: UNKNOWN });
    expect(violations(immutableField, [unsaid])).toEqual([]);
    expect(unknowns(immutableField, [unsaid])).toMatchObject(
      ["machineNetwork", "clusterNetwork", "serviceNetwork", "networkType"].map((name) => ({
        path: `spec.networking.${name}`,
        message: expect.stringContaining("whether it changes") as string,
      })),
    );
  });

  it("names the object that a patch contradicts, and keeps values that the patch does not state", () => {
    const object = hostedCluster({ networking: networking("10.0.0.0/16", { apiServer: { port: 7443 } }) });
    const patch = (spec: Properties) =>
      resource(`${HOSTED_CLUSTER}Patch`, "patch", {
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec,
      });
    const machines = { networking: { machineNetwork: [{ cidr: "10.1.0.0/16" }] } };
    expect(violations(immutableField, [object, patch(machines)])).toMatchObject([
      {
        level: "error",
        path: "spec.networking.machineNetwork",
        message: expect.stringMatching(
          /^is in HostedCluster tenant-a \[\{"cidr":"10\.0\.0\.0\/16"\}\] and can never change: /,
        ) as string,
        fix: "keep the current value",
      },
    ]);
    expect(
      violations(immutableField, [object, patch({ networking: { apiServer: { port: 7443 } } })]),
    ).toEqual([]);
    expect(violations(immutableField, [object, patch({ networking: { apiServer: "none" } })])).toMatchObject([
      { path: "spec.networking.apiServer.port" },
    ]);
  });
});

describe("immutable-field of Network objects", () => {
  const OVN = "spec.defaultNetwork.ovnKubernetesConfig";
  const lists = {
    clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
    serviceNetwork: ["172.30.0.0/16"],
  };
  const dual = {
    clusterNetwork: [...lists.clusterNetwork, { cidr: "fd01::/48", hostPrefix: 64 }],
    serviceNetwork: [...lists.serviceNetwork, "fd02::/112"],
  };
  const ovn = (config: Properties) => ({ defaultNetwork: { ovnKubernetesConfig: config } });
  const type = (name: PropertyValue, more: Properties = {}): Properties => ({
    defaultNetwork: { type: name },
    ...more,
  });
  const network = (
    from: Properties,
    to: Properties,
    kind = "operator.openshift.io/v1:Network",
  ): Resource => ({
    ...resource(`kubernetes:${kind}`, "cluster", { metadata: { name: "cluster" }, spec: to }),
    before: { inputs: { spec: from }, outputs: { spec: from } },
  });
  const paths = (...resources: Resource[]) => violations(immutableField, resources).map((one) => one.path);
  const pods = (...clusterNetwork: { cidr: string; hostPrefix?: number }[]) => ({ ...lists, clusterNetwork });
  const [wide, narrow, moved] = ["10.128.0.0/13", "10.128.0.0/15", "10.132.0.0/14"].map((cidr) =>
    pods({ cidr, hostPrefix: 23 }),
  );
  const to = (networkType: PropertyValue, mode: PropertyValue = "Offline"): Properties => ({
    migration: { networkType, mode },
  });
  const toMtu = (mtu: PropertyValue): Properties => ({
    migration: { mtu: { network: { from: 1400, to: mtu } } },
  });
  const forwarding = (ipForwarding: PropertyValue) => ovn({ gatewayConfig: { ipForwarding } });
  const hybrid = (cidr: string) =>
    ovn({ hybridOverlayConfig: { hybridClusterNetwork: [{ cidr, hostPrefix: 23 }] } });

  it.each<[string, Properties, Properties, string]>([
    ["another network type", type("OVNKubernetes"), type("OpenShiftSDN"), "spec.defaultNetwork.type"],
    [
      "a network type that the operator does not manage",
      type("ovnkubernetes"),
      type("Calico"),
      "spec.defaultNetwork.type",
    ],
    [
      "a network type whose migration begins at the same time",
      type("OpenShiftSDN"),
      type("OVNKubernetes", to("OVNKubernetes")),
      "spec.defaultNetwork.type",
    ],
    [
      "a network type with an empty migration",
      type("OpenShiftSDN", to("")),
      type("OVNKubernetes", to("")),
      "spec.defaultNetwork.type",
    ],
    [
      "a network type other than that of the migration",
      type("OpenShiftSDN", to("OVNKubernetes")),
      type("Calico", to("OVNKubernetes")),
      "spec.defaultNetwork.type",
    ],
    [
      "another migration than the one that has begun",
      type("OpenShiftSDN", to("OVNKubernetes")),
      type("OpenShiftSDN", to("Calico")),
      "spec.migration.networkType",
    ],
    ["an MTU", ovn({ mtu: 1400 }), ovn({ mtu: 1300 }), `${OVN}.mtu`],
    [
      "an MTU other than that of the migration",
      { ...ovn({ mtu: 1400 }), ...toMtu(1300) },
      ovn({ mtu: 1350 }),
      `${OVN}.mtu`,
    ],
    ["emptied IP forwarding", forwarding("Global"), forwarding(""), `${OVN}.gatewayConfig.ipForwarding`],
    ["a Geneve port", ovn({ genevePort: 6081 }), ovn({ genevePort: 6082 }), `${OVN}.genevePort`],
    ["the default Geneve port", ovn({}), ovn({ genevePort: 6082 }), `${OVN}.genevePort`],
    ["a Geneve port that is removed", ovn({ genevePort: 6082 }), ovn({}), `${OVN}.genevePort`],
    ["disabled additional networks", {}, { disableMultiNetwork: true }, "spec.disableMultiNetwork"],
    ["a hybrid network", hybrid("10.140.0.0/14"), hybrid("10.144.0.0/14"), `${OVN}.hybridOverlayConfig`],
    [
      "a mode of IPsec that is removed",
      ovn({ ipsecConfig: { mode: "Full" } }),
      ovn({ ipsecConfig: {} }),
      `${OVN}.ipsecConfig.mode`,
    ],
    [
      "another service network",
      lists,
      { ...lists, serviceNetwork: ["172.29.0.0/16"] },
      "spec.serviceNetwork",
    ],
    [
      "another first service network with a second address family",
      lists,
      { ...dual, serviceNetwork: [...dual.serviceNetwork].reverse() },
      "spec.serviceNetwork",
    ],
    [
      "a service network during a migration",
      { ...lists, migration: { networkType: "OVNKubernetes" } },
      { ...dual, migration: { networkType: "OVNKubernetes" } },
      "spec.serviceNetwork",
    ],
    ["another cluster network", lists, moved!, "spec.clusterNetwork"],
    ["a smaller cluster network", lists, narrow!, "spec.clusterNetwork"],
    ["another host prefix", lists, pods({ cidr: "10.128.0.0/14", hostPrefix: 24 }), "spec.clusterNetwork"],
    [
      "a second cluster network",
      lists,
      pods(...lists.clusterNetwork, { cidr: "10.64.0.0/14", hostPrefix: 23 }),
      "spec.clusterNetwork",
    ],
    [
      "another cluster network with a second address family",
      lists,
      { ...dual, clusterNetwork: [...moved!.clusterNetwork, dual.clusterNetwork[1]!] },
      "spec.clusterNetwork",
    ],
    [
      "a second cluster network with a second address family",
      lists,
      {
        ...dual,
        clusterNetwork: [...dual.clusterNetwork, { cidr: "10.64.0.0/14", hostPrefix: 23 }],
      },
      "spec.clusterNetwork",
    ],
    [
      "a larger cluster network with another network type",
      lists,
      { ...wide, defaultNetwork: { type: "Calico" } },
      "spec.clusterNetwork",
    ],
  ])("finds what the network operator refuses: %s", (_, from, to, path) => {
    expect(paths(network(from, to))).toEqual([path]);
  });

  it.each<[string, Properties, Properties]>([
    ["no change", { ...lists, ...ovn({ mtu: 1400 }) }, { ...lists, ...ovn({ mtu: 1400 }) }],
    ["lists that are removed", { ...lists, ...ovn({ mtu: 1400 }) }, ovn({})],
    ["a default that is written out", ovn({}), { ...ovn({ genevePort: 6081 }), disableMultiNetwork: false }],
    ["a first MTU", ovn({}), ovn({ mtu: 1400 })],
    [
      "an MTU by a migration",
      ovn({ mtu: 1400 }),
      { ...ovn({ mtu: 1300 }), migration: { mtu: { network: { from: 1400, to: 1300 } } } },
    ],
    [
      "the MTU at the end of a migration",
      { ...ovn({ mtu: 1400 }), migration: { mtu: { network: { from: 1400, to: 1300 } } } },
      ovn({ mtu: 1300 }),
    ],
    ["another case of the network type", type("OVNKubernetes"), type("ovnkubernetes")],
    ["an emptied network type", type("OVNKubernetes"), type("")],
    ["a first network type", {}, type("OVNKubernetes")],
    [
      "a network type by a migration",
      type("OpenShiftSDN", { migration: { networkType: "OVNKubernetes" } }),
      type("OVNKubernetes"),
    ],
    [
      "a network type during a migration",
      type("OpenShiftSDN", to("OVNKubernetes")),
      type("ovnkubernetes", to("OVNKubernetes")),
    ],
    ["a network type with an unknown migration", type("OpenShiftSDN", to(UNKNOWN)), type("OVNKubernetes")],
    ["a migration that begins", type("OpenShiftSDN"), type("OpenShiftSDN", to("OVNKubernetes"))],
    ["a migration that ends", type("OVNKubernetes", to("OVNKubernetes")), type("OVNKubernetes")],
    [
      "another live migration",
      type("OVNKubernetes", to("OVNKubernetes", "Live")),
      type("OVNKubernetes", to("OpenShiftSDN", "Live")),
    ],
    [
      "another migration of an unknown mode",
      type("OVNKubernetes", to("OVNKubernetes")),
      type("OVNKubernetes", to("OpenShiftSDN", UNKNOWN)),
    ],
    ["any MTU while it migrates", { ...ovn({ mtu: 1400 }) }, { ...ovn({ mtu: 1350 }), ...toMtu(1300) }],
    [
      "settings of OVN-Kubernetes with another network type",
      type("OpenShiftSDN"),
      { defaultNetwork: { type: "OpenShiftSDN", ovnKubernetesConfig: { genevePort: 6082 } } },
    ],
    [
      "settings of OVN-Kubernetes during a migration to it",
      type("OpenShiftSDN", to("OVNKubernetes")),
      {
        defaultNetwork: { type: "OpenShiftSDN", ovnKubernetesConfig: { genevePort: 6082 } },
        ...to("OVNKubernetes"),
      },
    ],
    ["other IP forwarding", forwarding("Global"), forwarding("Restricted")],
    ["IP forwarding that is left out", forwarding("Global"), ovn({ gatewayConfig: {} })],
    ["empty IP forwarding that stays", forwarding(""), forwarding("")],
    ["IP forwarding that is not known", forwarding(UNKNOWN), forwarding("")],
    ["a first hybrid network", ovn({}), hybrid("10.140.0.0/14")],
    ["a hybrid network that is removed", hybrid("10.140.0.0/14"), ovn({})],
    [
      "another mode of IPsec",
      ovn({ ipsecConfig: { mode: "Full" } }),
      ovn({ ipsecConfig: { mode: "Disabled" } }),
    ],
    ["an audit log", ovn({}), ovn({ policyAuditConfig: { rateLimit: 30 } })],
    [
      "the join subnet",
      ovn({ v4InternalSubnet: "100.99.0.0/16" }),
      ovn({ v4InternalSubnet: "100.98.0.0/16" }),
    ],
    ["a larger cluster network", lists, wide!],
    ["a larger cluster network without a host prefix", lists, pods({ cidr: "10.128.0.0/13" })],
    [
      "cluster networks in another order",
      dual,
      { ...dual, clusterNetwork: [...dual.clusterNetwork].reverse() },
    ],
    [
      "a cluster network during a migration",
      { ...lists, migration: { networkType: "OVNKubernetes" } },
      moved!,
    ],
    ["a second address family", lists, dual],
    ["a second address family that is removed", dual, lists],
  ])("accepts what the network operator accepts: %s", (_, from, to) => {
    expect(paths(network(from, to))).toEqual([]);
  });

  it("judges the lists of the cluster's configuration, too", () => {
    const kind = "config.openshift.io/v1:Network";
    expect(paths(network(lists, moved!, kind))).toEqual(["spec.clusterNetwork"]);
    expect(paths(network(lists, wide!, kind))).toEqual([]);
  });

  it.each<[PropertyValue, PropertyValue, string[]]>([
    ["OVNKubernetes", "Calico", ["spec.networkType"]],
    ["OpenShiftSDN", "None", ["spec.networkType"]],
    // Only the operator's object states whether a migration has begun: `migration-order` judges it.
    ["OVNKubernetes", "OpenShiftSDN", []],
    ["OpenShiftSDN", "OVNKubernetes", []],
    ["OVNKubernetes", "ovnkubernetes", []],
    ["Calico", "Calico", []],
    ["OVNKubernetes", UNKNOWN, []],
  ])("judges the network type of the cluster's configuration: from %p to %p", (from, to, expected) => {
    const change = network({ networkType: from }, { networkType: to }, "config.openshift.io/v1:Network");
    expect(paths(change)).toEqual(expected);
    const open = to === UNKNOWN ? ["spec.networkType"] : [];
    expect(unknowns(immutableField, [change]).map(({ path }) => path)).toEqual(open);
  });

  it("assumes no defaults in a patch, which states only some fields", () => {
    const kind = "operator.openshift.io/v1:NetworkPatch";
    expect(paths(network(ovn({}), ovn({ genevePort: 9880 }), kind))).toEqual([]);
    expect(paths(network(ovn({ ipsecConfig: { mode: "Full" } }), ovn({ ipsecConfig: {} }), kind))).toEqual(
      [],
    );
    expect(paths(network(ovn({ mtu: 1400 }), ovn({ mtu: 1300 }), kind))).toEqual([`${OVN}.mtu`]);
    // It does not state the migration of the object.
    const migrating = { ...ovn({ mtu: 1400 }), ...toMtu(1300) };
    expect(paths(network(migrating, ovn({ mtu: 1350 }), kind))).toEqual([]);
  });

  it("names the way to another value", () => {
    const fixes = (from: Properties, next: Properties) =>
      violations(immutableField, [network(from, next)]).map(({ fix }) => fix);
    expect(fixes(type("OpenShiftSDN"), type("OVNKubernetes", to("OVNKubernetes")))).toEqual([
      "keep the current value, or set spec.migration.networkType to the new type in an earlier deployment",
    ]);
    expect(fixes(ovn({ mtu: 1400 }), ovn({ mtu: 1300 }))).toEqual([
      "keep the current value, or change it by spec.migration.mtu, with the new value as network.to",
    ]);
    expect(fixes(ovn({ genevePort: 6081 }), ovn({ genevePort: 6082 }))).toEqual(["keep the current value"]);
  });

  it("does not judge an object without a previous state", () => {
    const { before: _, ...alone } = network({}, { ...moved! });
    expect(paths(alone)).toEqual([]);
  });

  it("counts unknown values", () => {
    expect(paths(network(type("OVNKubernetes"), type(UNKNOWN)))).toEqual([]);
    for (const [from, to] of [
      [ovn({ mtu: UNKNOWN }), ovn({ mtu: 1300 })],
      [ovn({ mtu: 1400 }), ovn({ mtu: UNKNOWN })],
    ] as const) {
      expect(paths(network(from, to))).toEqual([]);
      expect(unknowns(immutableField, [network(from, to)])).toMatchObject([{ path: `${OVN}.mtu` }]);
    }
    const hidden = network(lists, { ...lists, clusterNetwork: [{ cidr: UNKNOWN, hostPrefix: 23 }] });
    expect(paths(hidden)).toEqual([]);
    expect(unknowns(immutableField, [hidden])).toMatchObject([{ path: "spec.clusterNetwork" }]);
    expect(paths(network(lists, { ...lists, migration: UNKNOWN }))).toEqual([]);
  });
});

describe("services that a webhook adds on KubeVirt", () => {
  const services = [{ service: "Ignition", servicePublishingStrategy: { type: "Route" } }];
  const changed = (type: string, inputs: Properties) => {
    const spec = { platform: { type } };
    return {
      ...resource(HOSTED_CLUSTER, "tenant-a", { spec }),
      before: { inputs: { spec: { ...spec, ...inputs } }, outputs: { spec: { ...spec, services } } },
    };
  };
  const paths = (type: string, inputs: Properties) =>
    violations(immutableField, [changed(type, inputs)]).map(({ path }) => path);

  it("are not removed by a program that never wrote them", () => {
    expect(paths("KubeVirt", {})).toEqual([]);
  });

  it("are removed by a program that wrote them, and on other platforms", () => {
    expect(paths("KubeVirt", { services })).toEqual(["spec.services"]);
    expect(paths("AWS", {})).toEqual(["spec.services"]);
  });
});

describe("immutable-field of a NodePool", () => {
  const spec = { clusterName: "tenant-a", platform: { type: "Azure", azure: { subnetID: "nodes" } } };
  const changed = (to: Properties, isDestroyed = false): Resource => ({
    ...resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "pool", { spec: to }),
    before: { inputs: { spec }, outputs: { spec }, ...(isDestroyed && { isDestroyed }) },
  });
  const paths = (to: Properties, isDestroyed?: boolean) =>
    violations(immutableField, [changed(to, isDestroyed)]).map(({ path }) => path);
  const azure = (subnetID: PropertyValue): Properties => ({
    ...spec,
    platform: { type: "Azure", azure: { subnetID } },
  });

  it.each<[string, Properties, string[]]>([
    ["nothing", spec, []],
    ["the number of machines", { ...spec, replicas: 3 }, []],
    ["its hosted cluster", { ...spec, clusterName: "tenant-b" }, ["spec.clusterName"]],
    ["its platform", { ...spec, platform: { type: "AWS" } }, ["spec.platform.type"]],
    ["its subnet on Azure", azure("more"), ["spec.platform.azure.subnetID"]],
    ["a subnet that is not known", azure(UNKNOWN), []],
  ])("judges a change of %s", (_, to, expected) => {
    expect(paths(to)).toEqual(expected);
  });

  it("does not know whether an unknown subnet changes", () => {
    expect(unknowns(immutableField, [changed(azure(UNKNOWN))])).toMatchObject([
      { path: "spec.platform.azure.subnetID" },
    ]);
  });

  it("does not report a NodePool that is replaced", () => {
    expect(paths({ ...spec, clusterName: "tenant-b" }, true)).toEqual([]);
  });
});

describe.each(["UserDefinedNetwork", "ClusterUserDefinedNetwork"])("immutable-field of a %s", (kind) => {
  const isOfSeveral = kind.startsWith("Cluster");
  const spec = (network: PropertyValue): Properties =>
    isOfSeveral ? { namespaceSelector: {}, network } : (network as Properties);
  const changed = (from: PropertyValue, to: PropertyValue): Resource => ({
    ...resource(`kubernetes:k8s.ovn.org/v1:${kind}`, "blue", { metadata: { name: "blue" }, spec: spec(to) }),
    before: { inputs: { spec: spec(from) }, outputs: { spec: spec(from) } },
  });
  const paths = (from: PropertyValue, to: PropertyValue) =>
    violations(immutableField, [changed(from, to)]).map((one) => one.path.replace("spec.network.", "spec."));
  const layer2 = (more: Properties = {}) => ({
    topology: "Layer2",
    layer2: { role: "Secondary", subnets: ["10.0.0.0/24"], ...more },
  });
  const layer3 = (...cidrs: string[]) => ({
    topology: "Layer3",
    layer3: { role: "Primary", subnets: cidrs.map((cidr) => ({ cidr, hostSubnet: 24 })) },
  });
  const localnet = (more: Properties) => ({
    topology: "Localnet",
    localnet: { role: "Secondary", subnets: ["192.168.0.0/16"], physicalNetworkName: "test", ...more },
  });

  it.each<[string, PropertyValue, PropertyValue, string[]]>([
    ["other subnets of layer 2", layer2(), layer2({ subnets: ["10.1.0.0/24"] }), ["spec.layer2"]],
    ["an MTU of layer 2", layer2(), layer2({ mtu: 9000 }), ["spec.layer2"]],
    ["an MTU of layer 2 that is removed", layer2({ mtu: 9000 }), layer2(), ["spec.layer2"]],
    ["another layer", layer2(), layer3("10.0.0.0/16"), ["spec.topology"]],
    [
      "another transport",
      { ...layer3("10.1.0.0/16"), transport: "Geneve" },
      { ...layer3("10.1.0.0/16"), transport: "NoOverlay" },
      ["spec.transport"],
    ],
    [
      "a subnet that is removed",
      layer3("10.1.0.0/16", "10.2.0.0/16"),
      layer3("10.1.0.0/16"),
      ["spec.layer3.subnets"],
    ],
    [
      "another host subnet",
      layer3("10.1.0.0/16"),
      { topology: "Layer3", layer3: { role: "Primary", subnets: [{ cidr: "10.1.0.0/16", hostSubnet: 25 }] } },
      ["spec.layer3.subnets"],
    ],
    [
      "other subnets of a localnet",
      localnet({}),
      localnet({ subnets: ["10.100.0.0/16"] }),
      ["spec.localnet.subnets"],
    ],
  ])("finds %s", (_, from, to, found) => {
    expect(paths(from, to)).toEqual(found);
  });

  it.each<[string, PropertyValue, PropertyValue]>([
    ["no change", layer2(), layer2()],
    ["an additional subnet", layer3("10.1.0.0/16"), layer3("10.1.0.0/16", "10.2.0.0/16")],
    ["settings of a localnet", localnet({}), localnet({ physicalNetworkName: "other", mtu: 9000 })],
    ["unknown subnets", layer3("10.1.0.0/16"), { topology: "Layer3", layer3: { subnets: UNKNOWN } }],
  ])("accepts %s", (_, from, to) => {
    expect(paths(from, to)).toEqual([]);
  });

  it("accepts a default that the server added", () => {
    const object = changed(layer2(), layer2());
    const outputs = { spec: spec(layer2({ ipam: { mode: "Enabled" } })) };
    const live = { ...object, before: { inputs: { spec: spec(layer2()) }, outputs } };
    expect(violations(immutableField, [live])).toEqual([]);
  });

  it("counts unknown subnets", () => {
    const hidden = changed(layer2(), layer2({ subnets: [UNKNOWN] }));
    expect(violations(immutableField, [hidden])).toEqual([]);
    expect(unknowns(immutableField, [hidden])).toHaveLength(1);
  });
});
