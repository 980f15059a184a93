import { hostedClusterRelations, judgeObject } from "../../../src/hostedCluster/object";
import { nodePoolNetworkFaults, type ObjectFault } from "../../../src/hostedCluster/object/serviceFaults";
import { Platform } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { by, byNodePort, clusterWith, nodePorts, type Change } from "../../rules/refusals/objects";
import { HOSTED_CLUSTER, type Properties, resource } from "../../rules/builders";

const { AWS, Azure, GCP, IBMCloud, KubeVirt, None } = Platform;

const linesOf = (faults: readonly ObjectFault[]): string[] =>
  faults.map(
    ({ rule, path, problem, remedy, isWarning }) =>
      `${isWarning ? "warning " : ""}${rule} ${path}  ${problem}: ${remedy}`,
  );
/** The faults of fields of a HostedCluster that depend on each other, one line each. */
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
    ["must not be missing", AWS, { services: null }, [`${UNSUPPORTED}  missing: ${writeAll}`]],
    ["must be a list", AWS, { services: "all" }, [`${UNSUPPORTED}  is not a list: ${writeAll}`]],
    [
      "must have at least three entries on IBM Cloud",
      IBMCloud,
      { services: rest.slice(1) },
      [`${UNSUPPORTED}  has 2 entries, and the API requires at least 3: ${writeAll}`],
    ],
    [
      "must have at least four entries on other platforms",
      AWS,
      { services: rest },
      [
        `${UNSUPPORTED}  has 3 entries, and the API requires at least 4: ${writeAll}`,
        `${UNSUPPORTED}  does not state how APIServer is published: add an entry for APIServer`,
      ],
    ],
    [
      "must have at most six entries",
      AWS,
      { services: [...four, by("OIDC", "S3"), by("OVNSbDb", "None"), by("Other", "None")] },
      [`${UNSUPPORTED}  has 7 entries, and at most 6 are allowed: ${writeAll}`],
    ],
    [
      "must not publish the API server by None",
      KubeVirt,
      first(by("APIServer", "None")),
      [
        `${STRATEGY}.type  None publishes nothing, and HyperShift stops at APIServer: write Route, NodePort, LoadBalancer, whichever the platform supports`,
      ],
    ],
    [
      "has a warning for the second entry of a service",
      AWS,
      last(by("Ignition", "Route")),
      [
        `warning ${UNSUPPORTED}[4].service  "Ignition" is also in spec.services[3], and HyperShift reads only the first entry of a service: this one has no effect: remove it before the cluster is created: the list can never change`,
      ],
    ],
    [
      "must have the settings of the strategy's type",
      KubeVirt,
      first(by("APIServer", "NodePort")),
      [`${STRATEGY}.nodePort  missing: NodePort needs it: write nodePort with the address of the nodes`],
    ],
    [
      "must not have settings of another strategy type",
      KubeVirt,
      first(by("APIServer", "LoadBalancer", { route: {} })),
      [`${STRATEGY}.route  is only valid with the type Route: remove it, or write type: Route`],
    ],
  ])("%s", (_, on, spec, lines) => {
    expect(faults(on, spec)).toEqual(lines);
  });

  test.each<[string, Platform, Change]>([
    ["with four entries", AWS, {}],
    ["with six entries", AWS, { services: [...four, by("OIDC", "S3"), by("OVNSbDb", "None")] }],
    ["with any three entries on IBM Cloud", IBMCloud, { services: rest }],
    [
      "with a service of strategy None on IBM Cloud",
      IBMCloud,
      { services: [api, ...rest.slice(1), by("OAuthServer", "None")] },
    ],
    ["that is unknown", AWS, { services: UNKNOWN }],
    ["in an unknown spec", AWS, UNKNOWN as unknown as Change],
    ["without a service that an unknown entry may name", AWS, { services: [api, ...rest.slice(1), UNKNOWN] }],
    [
      "without a service that an entry with an unknown service may name",
      AWS,
      { services: [api, ...rest.slice(1), { ...rest[0], service: UNKNOWN }] },
    ],
    ["with three entries on an unknown platform", AWS, { services: rest, platform: { type: UNKNOWN } }],
    [
      "with a service of strategy None on an unknown platform",
      AWS,
      { ...first(by("APIServer", "None")), platform: { type: UNKNOWN } },
    ],
    [
      "with a strategy of unknown type",
      AWS,
      first({ service: "APIServer", servicePublishingStrategy: { type: UNKNOWN, route: {} } }),
    ],
    ["with an unknown strategy", AWS, first({ service: "APIServer", servicePublishingStrategy: UNKNOWN })],
    [
      "with empty settings of another strategy type",
      AWS,
      first(by("APIServer", "LoadBalancer", { route: null })),
    ],
  ])("%s has no fault", (_, on, spec) => {
    expect(faults(on, spec)).toEqual([]);
  });

  test("on an unknown platform, must have as many entries as on IBM Cloud", () => {
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

  test("must not contain the host name of the API server's load balancer", () => {
    const [other, both] = [["x.example.com"], ["x.example.com", "api.example.com"]];
    expect(faults(AWS, named("api.example.com", { names: other }, { names: both }))).toEqual([
      `publishing-unsupported ${at}[1].names  contains the host name of the API server's load balancer, whose certificate HyperShift manages: remove it there, or give the API server another host name`,
    ]);
  });

  test.each<[string, Change]>([
    ["with other names", named("api.example.com", { names: ["x.example.com"] }, {}, UNKNOWN)],
    ["with an empty name if the load balancer has an empty host name", named("", { names: [""] })],
    ["with an unknown name", named(UNKNOWN, { names: [UNKNOWN] })],
    [
      "with the host name of another service",
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
      "with the host name of the API server's Route",
      {
        ...named("api.example.com", { names: ["api.example.com"] }),
        ...first(by("APIServer", "Route", { route: { hostname: "api.example.com" } })),
      },
    ],
  ])("is accepted %s", (_, spec) => {
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
      "requires its settings",
      access("PublicAndPrivate", null),
      [
        `publishing-unsupported ${PRIVATE}  missing: PublicAndPrivate access needs it: write its type, PrivateLink or Swift, with the settings of that type`,
      ],
    ],
    [
      "is required by its settings",
      access("Public", link),
      [
        `publishing-unsupported ${PRIVATE}  is only valid with private access: remove it, or make the access private`,
      ],
    ],
    [
      "is required by its settings, also if access is not stated",
      access(null, link),
      [
        `publishing-unsupported ${PRIVATE}  is only valid with private access: remove it, or make the access private`,
      ],
    ],
    [
      "must have the settings of its type and no others",
      access("Private", { type: "Swift", privateLink: {} }),
      [
        `publishing-unsupported ${PRIVATE}.privateLink  is only valid with the type PrivateLink: remove it`,
        `publishing-unsupported ${PRIVATE}.swift  missing: type Swift needs it: write it`,
      ],
    ],
    ["is accepted with the settings of PrivateLink", access("Private", link), []],
    ["is accepted with the settings of Swift", access("Private", { type: "Swift", swift: {} }), []],
    ["is accepted with unknown settings", access("Private", UNKNOWN), []],
    ["is not checked if the access is unknown", access(UNKNOWN, link), []],
    ["is accepted with a type that is unknown", access("Private", { type: UNKNOWN, swift: {} }), []],
    ["is not checked in an unknown section", { platform: { azure: UNKNOWN } }, []],
  ])("%s", (_, spec, lines) => {
    expect(faults(Azure, spec)).toEqual(lines);
  });

  test("is not checked on another platform", () => {
    expect(faults(AWS, access("Public", link))).toEqual([]);
  });
});

describe("a value that is not known yet", () => {
  const CERTIFICATES = "spec.configuration.apiServer.servingCerts.namedCertificates";
  const TYPE = "spec.platform.azure.azureAuthenticationConfig.azureAuthenticationConfigType";
  const oauth = (type: string, azure: unknown): Change => ({
    services: [api, by("OAuthServer", type), ...rest.slice(1)],
    platform: { azure },
  });
  const config = (azureAuthenticationConfig: unknown) => ({ azureAuthenticationConfig });
  const mode = config({ azureAuthenticationConfigType: UNKNOWN });
  const named = (hostname: unknown, namedCertificates: unknown): Change => ({
    ...first(by("APIServer", "LoadBalancer", { loadBalancer: { hostname } })),
    configuration: { apiServer: { servingCerts: { namedCertificates } } },
  });
  const [name, other] = ["api.example.com", "x.example.com"];

  test.each<[string, Platform, Change, readonly string[]]>([
    ["the type of identities, with OAuth by LoadBalancer", Azure, oauth("LoadBalancer", mode), [TYPE]],
    [
      "identities, with OAuth by LoadBalancer",
      Azure,
      oauth("LoadBalancer", config(UNKNOWN)),
      ["spec.platform.azure.azureAuthenticationConfig"],
    ],
    ["the type of identities, with OAuth by Route", Azure, oauth("Route", mode), []],
    ["names of a certificate", AWS, named(name, [{ names: UNKNOWN }]), [`${CERTIFICATES}[0].names`]],
    [
      "a name of a certificate",
      AWS,
      named(name, [{ names: [other] }, { names: [other, UNKNOWN] }]),
      [`${CERTIFICATES}[1].names[1]`],
    ],
    ["certificates", AWS, named(name, UNKNOWN), [CERTIFICATES]],
    ["names of a certificate, without a host name", AWS, named(null, [{ names: UNKNOWN }]), []],
    ["nothing", AWS, named(name, [{ names: [other] }]), []],
  ])("decides whether a service may be published so: %s", (_, on, spec, paths) => {
    const cluster = resource(HOSTED_CLUSTER, "tenant-a", clusterWith(on, spec));
    const { faults: found, unknown } = judgeObject(cluster, "publishing-unsupported");
    expect(found).toEqual([]);
    expect(unknown).toEqual(paths);
    const patch = { ...cluster, type: `${HOSTED_CLUSTER}Patch` };
    expect(judgeObject(patch, "publishing-unsupported").unknown).toEqual([]);
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
  ])("is refused only by LoadBalancer without workload identities: %p with %j", (type, config, lines) => {
    expect(faults(Azure, oauth(type, config))).toEqual(lines);
  });

  test("may have a load balancer on other platforms, and other services may have one on Azure", () => {
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
      "of both address families on a platform that supports only one",
      GCP,
      pods(v4, v6),
      [noNetwork("GCP the network operator makes no such network")],
    ],
    [
      "of both address families in a release that does not support them",
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
      "with allocateNodeCIDRs and a network type other than Other",
      AWS,
      { networking: { networkType: "Calico", allocateNodeCIDRs: "Enabled" } },
      [
        `ovn-subnet-invalid ${NET}.allocateNodeCIDRs  is only valid with the network type Other, and this one is Calico: leave it out`,
      ],
    ],
    [
      "with an MTU that is too small for IPv6",
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
    ["of one address family", GCP, pods(v4, { cidr: "10.140.0.0/16" })],
    [
      "of both address families on an unknown platform",
      GCP,
      { ...pods(v4, v6), platform: { type: UNKNOWN } },
    ],
    ["of both address families, one of them unknown", GCP, pods(v4, v6, { cidr: UNKNOWN })],
    ["of both address families with an unknown image", AWS, { ...pods(v4, v6), release: { image: UNKNOWN } }],
    [
      "of both address families with an unknown feature set",
      AWS,
      {
        ...pods(v4, v6),
        release: { image: "quay.io/a/b:4.21.0-x86_64" },
        configuration: { featureGate: { featureSet: UNKNOWN } },
      },
    ],
    ["under a name of v1alpha1 without a value", AWS, { networking: { clusterCIDR: null } }],
    ["of an unknown type", AWS, { networking: { networkType: UNKNOWN, allocateNodeCIDRs: "Enabled" } }],
    ["with allocateNodeCIDRs: Disabled", AWS, { networking: { allocateNodeCIDRs: "Disabled" } }],
    ["with an unknown allocateNodeCIDRs", AWS, { networking: { allocateNodeCIDRs: UNKNOWN } }],
    [
      "with disableMultiNetwork: false",
      AWS,
      { operatorConfiguration: { clusterNetworkOperator: { disableMultiNetwork: false } } },
    ],
    ["with the smallest MTU of IPv6", KubeVirt, { ...pods(v4, v6), ...ovn({ mtu: 1280 }) }],
    [
      "with an MTU outside all limits, which another check refuses",
      KubeVirt,
      { ...pods(v4, v6), ...ovn({ mtu: 575 }) },
    ],
  ])("%s are accepted", (_, on, spec) => {
    expect(faults(on, spec)).toEqual([]);
  });

  test("of an object of unknown version may have the names of v1alpha1", () => {
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

  test.each([19999, 22768, 31000])(
    "%p is refused: it is outside the range in the cluster's configuration",
    (port) => {
      expect(faults(None, at(port))).toEqual([
        `node-port-range spec.services[0].servicePublishingStrategy.nodePort.port  ${port} is not in 20000-22767, the range in spec.configuration.network.serviceNodePortRange: write one from 20000 to 22767, or 0 for any`,
      ]);
    },
  );

  test.each([20000, 22767, 0, UNKNOWN, undefined])("%p is accepted", (port) => {
    expect(faults(None, at(port))).toEqual([]);
  });

  test("is checked only against a stated range, and only in the API server's entry of type NodePort", () => {
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
      "must not be empty",
      without([]),
      [
        `ovn-subnet-invalid ${at}.attachDefaultNetwork  false leaves the machines without a network: additionalNetworks names none: name a network in additionalNetworks, or leave attachDefaultNetwork out`,
      ],
    ],
    [
      "have a warning for a name without a namespace",
      without([{ name: "lan" }]),
      [
        `warning ovn-subnet-invalid ${at}.additionalNetworks[0].name  is not a namespace and name, and later versions of the API refuse it: write namespace/name of the network attachment definition`,
      ],
    ],
    ["may be the default network", {}, []],
    ["may be another network", without([lan]), []],
    ["may be unknown", without(UNKNOWN), []],
    ["may be the default network or none, if that is unknown", { attachDefaultNetwork: UNKNOWN }, []],
    ["may have an unknown name", without([{ name: UNKNOWN }]), []],
  ])("%s", (_, kubevirt, lines) => {
    expect(pool(kubevirt)).toEqual(lines);
  });
});
