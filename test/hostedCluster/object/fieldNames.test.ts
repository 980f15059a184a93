import { judgeObject } from "../../../src/hostedCluster/object";
import type { ObjectRule } from "../../../src/requirements/hostedCluster";
import { hostedCluster, resource, type Properties } from "../../rules/builders";
import { UNKNOWN, type Resource } from "../../../src/resources/resource";

const NODE_POOL = "kubernetes:hypershift.openshift.io/v1beta1:NodePool";
const NETWORK = "kubernetes:operator.openshift.io/v1:Network";
const PROXY = "kubernetes:config.openshift.io/v1:Proxy";
const network = (spec: Properties, type = NETWORK) =>
  resource(type, "cluster", { metadata: { name: "cluster" }, spec });
const ovn = (ovnKubernetesConfig: Properties) => network({ defaultNetwork: { ovnKubernetesConfig } });
const RULES: readonly ObjectRule[] = [
  "cidr-invalid",
  "ovn-subnet-invalid",
  "proxy-invalid",
  "proxy-trusted-ca",
  "publishing-unsupported",
];

/** The misspelled fields, each with the suggested name. */
const misspelled = (object: Resource): string[] =>
  RULES.flatMap((rule) =>
    judgeObject(object, rule)
      .faults.filter(({ problem }) => problem.startsWith("no such field: "))
      .map(({ path, remedy }) => `${rule} ${path}: ${remedy}`),
  );

describe("misspelled field names", () => {
  const machines = [{ cidr: "10.0.0.0/16" }];

  test.each<[string, Resource, string[]]>([
    [
      "lists of ranges",
      hostedCluster({ networking: { machineNetworks: machines, clusternetwork: machines } }),
      [
        "cidr-invalid spec.networking.machineNetworks: did you mean machineNetwork?",
        "cidr-invalid spec.networking.clusternetwork: did you mean clusterNetwork?",
      ],
    ],
    [
      "fields of list entries",
      hostedCluster({
        networking: { machineNetwork: machines, clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefx: 23 }] },
      }),
      ["cidr-invalid spec.networking.clusterNetwork[0].hostPrefx: did you mean hostPrefix?"],
    ],
    [
      "sections, whose fields are not reported again",
      hostedCluster({
        netwroking: { machineNetwork: machines },
        operatorConfiguration: { clusterNetworkOperators: {} },
      }),
      [
        "cidr-invalid spec.netwroking: did you mean networking?",
        "ovn-subnet-invalid spec.operatorConfiguration.clusterNetworkOperators: did you mean clusterNetworkOperator?",
      ],
    ],
    [
      "settings of the proxy",
      hostedCluster({
        configuration: { proxy: { httpProxy: "http://proxy.example:3128", noproxy: ".example" } },
      }),
      ["proxy-invalid spec.configuration.proxy.noproxy: did you mean noProxy?"],
    ],
    [
      "fields of a NodePool",
      resource(NODE_POOL, "pool", {
        metadata: { name: "pool" },
        spec: { platform: { kubevirt: { additionalNetwork: [{ name: "a/b" }] } } },
      }),
      ["ovn-subnet-invalid spec.platform.kubevirt.additionalNetwork: did you mean additionalNetworks?"],
    ],
    [
      "fields of the network operator's object",
      ovn({ genevPort: 6081 }),
      ["ovn-subnet-invalid spec.defaultNetwork.ovnKubernetesConfig.genevPort: did you mean genevePort?"],
    ],
    [
      "settings of the hybrid overlay",
      ovn({ hybridOverlayConfig: { hybridClusternetwork: [], hybridOverlayVxlanport: 9898 } }),
      [
        "ovn-subnet-invalid spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig.hybridClusternetwork: did you mean hybridClusterNetwork?",
        "ovn-subnet-invalid spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig.hybridOverlayVxlanport: did you mean hybridOverlayVXLANPort?",
      ],
    ],
    [
      "internal subnets of the network operator's object",
      ovn({ hybridOverlayconfig: {}, ipv4: { internalJoinsubnet: "100.99.0.0/16" } }),
      [
        "ovn-subnet-invalid spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayconfig: did you mean hybridOverlayConfig?",
        "ovn-subnet-invalid spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalJoinsubnet: did you mean internalJoinSubnet?",
      ],
    ],
    [
      "the network type of the configuration's object, which the operator's does not have",
      network({ networktype: "OVNKubernetes" }),
      [],
    ],
    [
      "settings of a migration",
      network({
        migration: {
          networktype: "OVNKubernetes",
          mtu: { network: { from: 1400, too: 9000 }, machines: { from: 1500, to: 9100 } },
          features: { egressip: false },
        },
        disableMultinetwork: true,
      }),
      [
        "ovn-subnet-invalid spec.migration.networktype: did you mean networkType?",
        "ovn-subnet-invalid spec.migration.mtu.network.too: did you mean to?",
        "ovn-subnet-invalid spec.migration.mtu.machines: did you mean machine?",
        "ovn-subnet-invalid spec.migration.features.egressip: did you mean egressIP?",
        "ovn-subnet-invalid spec.disableMultinetwork: did you mean disableMultiNetwork?",
      ],
    ],
    [
      "settings of a cluster's own proxy",
      network(
        { httpProxy: "http://proxy.example:3128", noproxy: ".example", trustedca: { name: "ca" } },
        PROXY,
      ),
      [
        "proxy-invalid spec.noproxy: did you mean noProxy?",
        "proxy-invalid spec.trustedca: did you mean trustedCA?",
      ],
    ],
    [
      "the name of a proxy's certificates",
      network({ httpProxy: "http://proxy.example:3128", trustedCA: { nam: "ca" } }, PROXY),
      ["proxy-invalid spec.trustedCA.nam: did you mean name?"],
    ],
  ])("are faults of the rule that judges the intended field: %s", (_, object, lines) => {
    expect(misspelled(object)).toEqual(lines);
  });

  test.each<[string, Properties]>([
    ["without a value", { networking: { machineNetworks: null } }],
    [
      "with an unrelated name, which a later API may have",
      { networking: { overlay: "Geneve", encryption: "None" } },
    ],
    ["in a section that is not checked in depth", { autoscaling: { maxNodesTotals: 3 } }],
    ["in an unknown section", { networking: UNKNOWN }],
    ["in a section that is not an object", { networking: "10.0.0.0/16" }],
  ])("are not reported for fields %s", (_, spec) => {
    expect(misspelled(hostedCluster(spec))).toEqual([]);
  });

  test.each<[string, Resource]>([
    [
      "a network operator's object",
      network({
        disableNetworkDiagnostics: true,
        useMultiNetworkPolicy: true,
        defaultNetwork: {
          type: "OVNKubernetes",
          openshiftSDNConfig: {},
          ovnKubernetesConfig: { noOverlayConfig: {}, transport: "Geneve", bgpManagedConfig: {}, ipv6: {} },
        },
      }),
    ],
    ["a Proxy", network({ readinessEndpoints: [], proxySelector: {}, trustedCA: { name: "ca" } }, PROXY)],
    ["a Proxy whose settings are unknown", resource(PROXY, "cluster", { spec: UNKNOWN })],
  ])("are not reported for the other fields of %s", (_, object) => {
    expect(misspelled(object)).toEqual([]);
  });

  const inOvn = (ovnKubernetesConfig: Properties) =>
    hostedCluster({ operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig } } });
  const OVN = "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig";
  const OPERATOR_OVN = "spec.defaultNetwork.ovnKubernetesConfig";
  const api = (servicePublishingStrategy: Properties) =>
    hostedCluster({ services: [{ service: "OAuthServer", servicePublishingStrategy }] });
  const STRATEGY = "spec.services[0].servicePublishingStrategy";
  const join = { internalJoinSubnet: "100.99.0.0/16" };

  test.each<[string, Resource, string[]]>([
    [
      "below one of two sections",
      inOvn(join),
      [
        `ovn-subnet-invalid ${OVN}.internalJoinSubnet: write it as ${OVN}.ipv4.internalJoinSubnet or ${OVN}.ipv6.internalJoinSubnet`,
      ],
    ],
    [
      "below a section",
      hostedCluster({ operatorConfiguration: { ovnKubernetesConfig: { ipv4: join } } }),
      [`ovn-subnet-invalid spec.operatorConfiguration.ovnKubernetesConfig: write it as ${OVN}`],
    ],
    [
      "in the configuration",
      hostedCluster({ proxy: { httpProxy: "http://proxy.example:3128" } }),
      ["proxy-invalid spec.proxy: write it as spec.configuration.proxy"],
    ],
    [
      "below the platform",
      hostedCluster({ kubevirt: { baseDomainPassthrough: true } }),
      ["publishing-unsupported spec.kubevirt: write it as spec.platform.kubevirt"],
    ],
    [
      "in the networking",
      hostedCluster({ clusterNetwork: [{ cidr: "10.0.0.0/14" }] }),
      ["cidr-invalid spec.clusterNetwork: write it as spec.networking.clusterNetwork"],
    ],
    [
      "above a section",
      inOvn({ ipv4: { mtu: 1400 }, disableMultiNetwork: true }),
      [
        `ovn-subnet-invalid ${OVN}.ipv4.mtu: write it as ${OVN}.mtu`,
        `ovn-subnet-invalid ${OVN}.disableMultiNetwork: write it as spec.operatorConfiguration.clusterNetworkOperator.disableMultiNetwork`,
      ],
    ],
    [
      "in an entry of a list",
      hostedCluster({
        services: [
          { service: "OAuthServer", type: "Route", servicePublishingStrategy: { hostname: "a.example.com" } },
        ],
      }),
      [
        `publishing-unsupported spec.services[0].type: write it as ${STRATEGY}.type`,
        `publishing-unsupported ${STRATEGY}.hostname: write it as ${STRATEGY}.route.hostname or ${STRATEGY}.loadBalancer.hostname`,
      ],
    ],
    [
      "in the network operator's object",
      network({
        ovnKubernetesConfig: { ipsecConfig: { mode: "Full" } },
        defaultNetwork: { hybridOverlayConfig: {}, ovnKubernetesConfig: { ...join, mode: "Full" } },
      }),
      [
        `ovn-subnet-invalid spec.ovnKubernetesConfig: write it as ${OPERATOR_OVN}`,
        `ovn-subnet-invalid spec.defaultNetwork.hybridOverlayConfig: write it as ${OPERATOR_OVN}.hybridOverlayConfig`,
        `ovn-subnet-invalid ${OPERATOR_OVN}.internalJoinSubnet: write it as ${OPERATOR_OVN}.ipv4.internalJoinSubnet or ${OPERATOR_OVN}.ipv6.internalJoinSubnet`,
        `ovn-subnet-invalid ${OPERATOR_OVN}.mode: write it as ${OPERATOR_OVN}.ipsecConfig.mode`,
      ],
    ],
  ])("are faults at the wrong place, with the right one: %s", (_, object, lines) => {
    expect(misspelled(object)).toEqual(lines);
    const { type } = object;
    const version = /v1(beta1)?:/.exec(type)![0];
    expect(misspelled({ ...object, type: type.replace(version, "v1alpha1:") })).toEqual([]);
    expect(misspelled({ ...object, origin: { live: "cluster" } })).toEqual([]);
  });

  test.each<[string, Resource]>([
    [
      "that a later version has",
      api({ type: "LoadBalancer", loadBalancer: { serviceAnnotations: { a: "b" } } }),
    ],
    ["without a value", inOvn({ internalJoinSubnet: null, ipv4: { mtu: null } })],
    [
      "of platforms, of which the table has only some",
      hostedCluster({ platform: { powervs: { region: "dal", vpc: { subnet: "nodes" } } } }),
    ],
    ["two levels away", hostedCluster({ internalJoinSubnet: "100.99.0.0/16" })],
    ["of a list's entries", hostedCluster({ networking: { cidr: "10.0.0.0/16" } })],
  ])("are not reported for fields %s, wherever they are", (_, object) => {
    expect(misspelled(object)).toEqual([]);
  });

  it("are reported in a patch, too", () => {
    const patch = resource("kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch", "patch", {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: { networking: { machineNetworks: machines } },
    });
    expect(misspelled(patch)).toEqual([
      "cidr-invalid spec.networking.machineNetworks: did you mean machineNetwork?",
    ]);
  });
});
