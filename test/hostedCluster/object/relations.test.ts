import { hostedClusterRelations } from "../../../src/hostedCluster/object";
import { nodePoolNetworkFaults, type ObjectFault } from "../../../src/hostedCluster/object/serviceFaults";
import { Platform } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { by, byNodePort, clusterWith, nodePorts, type Change } from "../../rules/refusals/objects";
import type { Properties } from "../../rules/builders";

const { AWS, Azure, GCP, IBMCloud, KubeVirt, None } = Platform;

const linesOf = (faults: readonly ObjectFault[]): string[] =>
  faults.map(
    ({ rule, path, problem, remedy, isWarning }) =>
      `${isWarning ? "warning " : ""}${rule} ${path}  ${problem}: ${remedy}`,
  );
/** What the fields of a HostedCluster demand of each other, one line a fault. */
const faults = (on: Platform, spec: Change): string[] =>
  linesOf(hostedClusterRelations(clusterWith(on, spec)));

const api = by("APIServer", "LoadBalancer");
const rest = ["OAuthServer", "Konnectivity", "Ignition"].map((name) => by(name, "Route"));
const four = [api, ...rest];
const first = (entry: unknown): Change => ({ services: [entry, ...rest] });
const last = (entry: unknown): Change => ({ services: [...four, entry] });
const writeAll = "write APIServer, OAuthServer, Konnectivity, Ignition, each with its strategy";
const UNSUPPORTED = "publishing-unsupported spec.services";
const STRATEGY = `${UNSUPPORTED}[0].servicePublishingStrategy`;

describe("the list of services", () => {
  test.each<[string, Platform, Change, readonly string[]]>([
    ["is there", AWS, { services: null }, [`${UNSUPPORTED}  missing: ${writeAll}`]],
    ["is one", AWS, { services: "all" }, [`${UNSUPPORTED}  is not a list: ${writeAll}`]],
    [
      "has three entries on IBM Cloud",
      IBMCloud,
      { services: rest.slice(1) },
      [`${UNSUPPORTED}  has 2 entries, and the API requires at least 3: ${writeAll}`],
    ],
    [
      "has four elsewhere",
      AWS,
      { services: rest },
      [
        `${UNSUPPORTED}  has 3 entries, and the API requires at least 4: ${writeAll}`,
        `${UNSUPPORTED}  does not state how APIServer is published: add an entry for APIServer`,
      ],
    ],
    [
      "has six at most",
      AWS,
      { services: [...four, by("OIDC", "S3"), by("OVNSbDb", "None"), by("Other", "None")] },
      [`${UNSUPPORTED}  has 7 entries, and at most 6 are allowed: ${writeAll}`],
    ],
    [
      "has a strategy for each service that HyperShift publishes",
      KubeVirt,
      first(by("APIServer", "None")),
      [
        `${STRATEGY}.type  None publishes nothing, and HyperShift stops at APIServer: write Route, NodePort, LoadBalancer, whichever the platform supports`,
      ],
    ],
    [
      "has each service once, of which HyperShift reads the first",
      AWS,
      last(by("Ignition", "Route")),
      [
        `warning ${UNSUPPORTED}[4].service  "Ignition" is also in spec.services[3], and HyperShift reads only the first entry of a service: this one has no effect: remove it before the cluster is created: the list can never change`,
      ],
    ],
    [
      "has the part of its type in a strategy",
      KubeVirt,
      first(by("APIServer", "NodePort")),
      [`${STRATEGY}.nodePort  missing: NodePort needs it: write nodePort with the address of the nodes`],
    ],
    [
      "has no part of another type in it",
      KubeVirt,
      first(by("APIServer", "LoadBalancer", { route: {} })),
      [`${STRATEGY}.route  is only valid with the type Route: remove it, or write type: Route`],
    ],
  ])("%s", (_, on, spec, lines) => {
    expect(faults(on, spec)).toEqual(lines);
  });

  test.each<[string, Platform, Change]>([
    ["is all right with four entries", AWS, {}],
    ["is all right with six", AWS, { services: [...four, by("OIDC", "S3"), by("OVNSbDb", "None")] }],
    ["is all right with three on IBM Cloud, whichever they are", IBMCloud, { services: rest }],
    [
      "is all right on IBM Cloud where others publish a service",
      IBMCloud,
      { services: [api, ...rest.slice(1), by("OAuthServer", "None")] },
    ],
    ["is not known", AWS, { services: UNKNOWN }],
    ["stands in a spec that is not known", AWS, UNKNOWN as unknown as Change],
    ["lacks one that an unknown entry may be", AWS, { services: [api, ...rest.slice(1), UNKNOWN] }],
    [
      "lacks one that an entry with an unknown service may be",
      AWS,
      { services: [api, ...rest.slice(1), { ...rest[0], service: UNKNOWN }] },
    ],
    ["has three, of which the platform is not known", AWS, { services: rest, platform: { type: UNKNOWN } }],
    [
      "has a service without a way, where the platform is not known",
      AWS,
      { ...first(by("APIServer", "None")), platform: { type: UNKNOWN } },
    ],
    [
      "has a strategy whose type is not known",
      AWS,
      first({ service: "APIServer", servicePublishingStrategy: { type: UNKNOWN, route: {} } }),
    ],
    [
      "has a strategy that is not known",
      AWS,
      first({ service: "APIServer", servicePublishingStrategy: UNKNOWN }),
    ],
    ["has an empty part of another type", AWS, first(by("APIServer", "LoadBalancer", { route: null }))],
  ])("%s: nothing is wrong", (_, on, spec) => {
    expect(faults(on, spec)).toEqual([]);
  });

  test("too few of them where the platform is not known are too few for IBM Cloud", () => {
    expect(faults(AWS, { services: rest.slice(1), platform: { type: UNKNOWN } })).toEqual([
      `${UNSUPPORTED}  has 2 entries, and the API requires at least 3: ${writeAll}`,
    ]);
  });
});

describe("a named certificate", () => {
  const at = "spec.configuration.apiServer.servingCerts.namedCertificates";
  const named = (hostname: unknown, ...namedCertificates: unknown[]): Change => ({
    ...first(by("APIServer", "LoadBalancer", { loadBalancer: { hostname } })),
    configuration: { apiServer: { servingCerts: { namedCertificates } } },
  });

  test("is not for the host name of the API server's load balancer", () => {
    const [other, both] = [["x.example.com"], ["x.example.com", "api.example.com"]];
    expect(faults(AWS, named("api.example.com", { names: other }, { names: both }))).toEqual([
      `publishing-unsupported ${at}[1].names  contains the host name of the API server's load balancer, whose certificate HyperShift manages: remove it there, or give the API server another host name`,
    ]);
  });

  test.each<[string, Change]>([
    ["of other names", named("api.example.com", { names: ["x.example.com"] }, {}, UNKNOWN)],
    ["of an empty name, where the load balancer has none", named("", { names: [""] })],
    ["of an unknown name", named(UNKNOWN, { names: [UNKNOWN] })],
    [
      "of another service's host name",
      {
        ...named("api.example.com", { names: ["oauth.example.com"] }),
        services: [
          api,
          by("OAuthServer", "LoadBalancer", { loadBalancer: { hostname: "oauth.example.com" } }),
          ...rest.slice(1),
        ],
      },
    ],
    [
      "of the API server's Route",
      {
        ...named("api.example.com", { names: ["api.example.com"] }),
        ...first(by("APIServer", "Route", { route: { hostname: "api.example.com" } })),
      },
    ],
  ])("is taken that is %s", (_, spec) => {
    expect(faults(AWS, spec)).toEqual([]);
  });
});

describe("private access on Azure", () => {
  const PRIVATE = "spec.platform.azure.private";
  const access = (topology: unknown, settings: unknown): Change => ({
    platform: { azure: { topology, private: settings } },
  });
  const link = { type: "PrivateLink", privateLink: {} };

  test.each<[string, Change, readonly string[]]>([
    [
      "needs its settings",
      access("PublicAndPrivate", null),
      [
        `publishing-unsupported ${PRIVATE}  missing: PublicAndPrivate access needs it: write its type, PrivateLink or Swift, with the settings of that type`,
      ],
    ],
    [
      "is what they go with",
      access("Public", link),
      [
        `publishing-unsupported ${PRIVATE}  is only valid with private access: remove it, or make the access private`,
      ],
    ],
    [
      "is what they go with, and not what is meant by saying nothing",
      access(null, link),
      [
        `publishing-unsupported ${PRIVATE}  is only valid with private access: remove it, or make the access private`,
      ],
    ],
    [
      "has the settings of its type alone",
      access("Private", { type: "Swift", privateLink: {} }),
      [
        `publishing-unsupported ${PRIVATE}.privateLink  is only valid with the type PrivateLink: remove it`,
        `publishing-unsupported ${PRIVATE}.swift  missing: type Swift needs it: write it`,
      ],
    ],
    ["has those of PrivateLink", access("Private", link), []],
    ["has those of Swift", access("Private", { type: "Swift", swift: {} }), []],
    ["has settings that are not known", access("Private", UNKNOWN), []],
    ["is not known", access(UNKNOWN, link), []],
    ["has a type that is not known", access("Private", { type: UNKNOWN, swift: {} }), []],
    ["stands in a section that is not known", { platform: { azure: UNKNOWN } }, []],
  ])("%s", (_, spec, lines) => {
    expect(faults(Azure, spec)).toEqual(lines);
  });

  test("is nothing that another platform has", () => {
    expect(faults(AWS, access("Public", link))).toEqual([]);
  });
});

describe("OAuth on Azure", () => {
  const refused =
    "publishing-unsupported spec.services[1].servicePublishingStrategy.type  LoadBalancer is refused on Azure without the authentication type WorkloadIdentities: write Route";
  const oauth = (type: unknown, config: unknown): Change => ({
    services: [api, by("OAuthServer", type as string), ...rest.slice(1)],
    platform: { azure: { azureAuthenticationConfig: config } },
  });
  const of = (azureAuthenticationConfigType: unknown) => ({ azureAuthenticationConfigType });

  test.each<[unknown, unknown, readonly string[]]>([
    ["LoadBalancer", of("ManagedIdentities"), [refused]],
    ["LoadBalancer", null, [refused]],
    ["LoadBalancer", of("WorkloadIdentities"), []],
    ["LoadBalancer", of(UNKNOWN), []],
    ["Route", of("ManagedIdentities"), []],
    [UNKNOWN, of("ManagedIdentities"), []],
  ])("by %p with %j", (type, config, lines) => {
    expect(faults(Azure, oauth(type, config))).toEqual(lines);
  });

  test("has a load balancer on other platforms, and other services have one on Azure", () => {
    expect(
      faults(KubeVirt, { services: [api, by("OAuthServer", "LoadBalancer"), ...rest.slice(1)] }),
    ).toEqual([]);
    expect(faults(Azure, { platform: { azure: { azureAuthenticationConfig: null } } })).toEqual([]);
  });
});

describe("networks", () => {
  const NET = "spec.networking";
  const CNO = "spec.operatorConfiguration.clusterNetworkOperator";
  const v4 = { cidr: "10.132.0.0/14" };
  const v6 = { cidr: "fd01::/48", hostPrefix: 64 };
  const pods = (...clusterNetwork: unknown[]): Change => ({ networking: { clusterNetwork } });
  const ovn = (ovnKubernetesConfig: object): Change => ({
    operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig } },
  });
  const noNetwork = (why: string) =>
    `cidr-invalid ${NET}.clusterNetwork  has both families, and on ${why}: write ranges of one family in all lists`;

  test.each<[string, Platform, Change, readonly string[]]>([
    [
      "of both families on a platform that has one",
      GCP,
      pods(v4, v6),
      [noNetwork("GCP the network operator makes no such network")],
    ],
    [
      "of both families before the release that has them",
      AWS,
      pods(v4, v6),
      [noNetwork("AWS the network operator of release 4.20 makes no such network")],
    ],
    [
      "under a name of v1alpha1",
      AWS,
      { networking: { clusterCIDR: "10.132.0.0/14" } },
      [
        `cidr-invalid ${NET}.clusterCIDR  no such field: the API drops it, and refuses the object if fields are validated strictly: write the block under clusterNetwork, as in clusterNetwork: [{ cidr: 10.0.0.0/16 }]`,
      ],
    ],
    [
      "whose nodes get addresses of another type",
      AWS,
      { networking: { networkType: "Calico", allocateNodeCIDRs: "Enabled" } },
      [
        `ovn-subnet-invalid ${NET}.allocateNodeCIDRs  is only valid with the network type Other, and this one is Calico: leave it out`,
      ],
    ],
    [
      "with an MTU that IPv6 does not have",
      KubeVirt,
      { ...pods(v4, v6), ...ovn({ mtu: 576 }) },
      [
        `ovn-subnet-invalid ${CNO}.ovnKubernetesConfig.mtu  576 is less than the 1280 bytes that IPv6 needs: write 1280 or more`,
      ],
    ],
  ])("%s are refused", (_, on, spec, lines) => {
    expect(faults(on, spec)).toEqual(lines);
  });

  test.each<[string, Platform, Change]>([
    ["of one family", GCP, pods(v4, { cidr: "10.140.0.0/16" })],
    [
      "of both families on a platform that is not known",
      GCP,
      { ...pods(v4, v6), platform: { type: UNKNOWN } },
    ],
    ["of both families, one of them not known", GCP, pods(v4, v6, { cidr: UNKNOWN })],
    ["of both families in an image that is not known", AWS, { ...pods(v4, v6), release: { image: UNKNOWN } }],
    [
      "of both families with features that are not known",
      AWS,
      {
        ...pods(v4, v6),
        release: { image: "quay.io/a/b:4.21.0-x86_64" },
        configuration: { featureGate: { featureSet: UNKNOWN } },
      },
    ],
    ["under a name of v1alpha1 that says nothing", AWS, { networking: { clusterCIDR: null } }],
    [
      "of a type that is not known",
      AWS,
      { networking: { networkType: UNKNOWN, allocateNodeCIDRs: "Enabled" } },
    ],
    ["whose nodes get no addresses", AWS, { networking: { allocateNodeCIDRs: "Disabled" } }],
    ["with settings that are not known", AWS, { networking: { allocateNodeCIDRs: UNKNOWN } }],
    [
      "with more than one interface a pod",
      AWS,
      { operatorConfiguration: { clusterNetworkOperator: { disableMultiNetwork: false } } },
    ],
    ["with the least MTU of IPv6", KubeVirt, { ...pods(v4, v6), ...ovn({ mtu: 1280 }) }],
    [
      "with an MTU that none has, which is refused by itself",
      KubeVirt,
      { ...pods(v4, v6), ...ovn({ mtu: 575 }) },
    ],
  ])("%s are taken", (_, on, spec) => {
    expect(faults(on, spec)).toEqual([]);
  });

  test("of an object whose version is not known may have the names of v1alpha1", () => {
    const object = clusterWith(AWS, { networking: { clusterCIDR: "10.132.0.0/14" } });
    expect(hostedClusterRelations({ ...object, apiVersion: UNKNOWN })).toEqual([]);
    expect(hostedClusterRelations({ spec: object.spec! })).toHaveLength(1);
  });
});

describe("the API server's node port", () => {
  const at = (port: unknown, more: Change = {}, service = "APIServer"): Change => ({
    services: [
      byNodePort(service, { address: "192.0.2.10", port }),
      ...nodePorts.filter((entry) => entry.service !== service),
    ],
    configuration: { network: { serviceNodePortRange: "20000-22767" } },
    ...more,
  });

  test.each([19999, 22768, 31000])("%p is not in the range of the cluster's configuration", (port) => {
    expect(faults(None, at(port))).toEqual([
      `node-port-range spec.services[0].servicePublishingStrategy.nodePort.port  ${port} is not in 20000-22767, the range in spec.configuration.network.serviceNodePortRange: write one from 20000 to 22767, or 0 for any`,
    ]);
  });

  test.each([20000, 22767, 0, UNKNOWN, undefined])("%p is", (port) => {
    expect(faults(None, at(port))).toEqual([]);
  });

  test("is judged by the range alone that is written, and by its own entry", () => {
    expect(faults(None, at(31000, { configuration: {} }))).toEqual([]);
    expect(faults(None, at(31000, {}, "Ignition"))).toEqual([]);
    const foreign = by("APIServer", "LoadBalancer", { nodePort: { port: 31000 } });
    expect(faults(KubeVirt, { ...at(20000), services: [foreign, ...rest] })).toEqual([
      expect.stringContaining("nodePort  is only valid with the type NodePort"),
    ]);
  });
});

describe("the networks of a NodePool's machines", () => {
  const at = "spec.platform.kubevirt";
  const pool = (kubevirt: PropertyValue): string[] =>
    linesOf(nodePoolNetworkFaults({ spec: { platform: { type: "KubeVirt", kubevirt } } }));
  const lan = { name: "default/lan" };
  const without = (additionalNetworks?: PropertyValue): Properties => ({
    attachDefaultNetwork: false,
    ...(additionalNetworks !== undefined && { additionalNetworks }),
  });

  test.each<[string, PropertyValue, readonly string[]]>([
    [
      "are none",
      without([]),
      [
        `ovn-subnet-invalid ${at}.attachDefaultNetwork  false leaves the machines without a network: additionalNetworks names none: name a network in additionalNetworks, or leave attachDefaultNetwork out`,
      ],
    ],
    [
      "have a name without its namespace",
      without([{ name: "lan" }]),
      [
        `warning ovn-subnet-invalid ${at}.additionalNetworks[0].name  is not a namespace and name, and later versions of the API refuse it: write namespace/name of the network attachment definition`,
      ],
    ],
    ["are the default one", {}, []],
    ["are another one", without([lan]), []],
    ["are not known", without(UNKNOWN), []],
    ["are the default one, or none", { attachDefaultNetwork: UNKNOWN }, []],
    ["have a name that is not known", without([{ name: UNKNOWN }]), []],
  ])("%s", (_, kubevirt, lines) => {
    expect(pool(kubevirt)).toEqual(lines);
  });
});
