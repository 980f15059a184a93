import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { Platform } from "../../src/requirements/vocabulary";
import { UNKNOWN } from "../../src/resources/resource";
import { judgeHostedCluster } from "../../src/hostedCluster/judge";
import { faultsOn, inputsOn, restJson, warningsOn } from "./inputs";

const { AWS, Azure, GCP, IBMCloud, KubeVirt, OpenStack, Agent, None } = Platform;

test.each(ALL_PLATFORMS)("M2 a HostedCluster on %s has no fault and no warning", (platform) => {
  expect(faultsOn(platform)).toEqual([]);
  expect(warningsOn(platform)).toEqual([]);
});

describe("M2 publishing that HyperShift does not support is refused with the reason", () => {
  test.each<[Platform, object, string]>([
    [AWS, { konnectivity: { type: "LoadBalancer" } }, "on AWS Konnectivity is published by Route"],
    [AWS, { ignition: { type: "NodePort", address: "192.0.2.1" } }, "on AWS Ignition is published by Route"],
    [
      AWS,
      { apiServer: { type: "NodePort", address: "192.0.2.1" } },
      "published by LoadBalancer, or by Route",
    ],
    [AWS, { apiServer: { type: "Route" } }, "a Route of the API server needs a host name"],
    [Azure, { konnectivity: { type: "NodePort", address: "192.0.2.1" } }, "on Azure Konnectivity"],
    [KubeVirt, { ignition: { type: "LoadBalancer" } }, "publishes Ignition by Route or NodePort only"],
    [OpenStack, { oauthServer: { type: "LoadBalancer" } }, "OAuth a load balancer on Azure only"],
    [
      KubeVirt,
      { apiServer: { type: "Route" } },
      "creates no Route for a public API server without a host name",
    ],
    [None, { apiServer: { type: "NodePort" } }, "nodes reach the port at this address"],
    [None, { ignition: { type: "NodePort", address: "nodes" } }, "neither a host name nor an IP address"],
    [
      KubeVirt,
      {
        konnectivity: { type: "Route", hostname: "a.example.com" },
        ignition: { type: "Route", hostname: "a.example.com" },
      },
      "a.example.com is already used by Konnectivity",
    ],
    [
      KubeVirt,
      {
        konnectivity: { type: "NodePort", address: "192.0.2.1", nodePort: 31000 },
        ignition: { type: "NodePort", address: "192.0.2.1", nodePort: 31000 },
      },
      "31000 is already used by Konnectivity",
    ],
    [
      None,
      { apiServer: { type: "NodePort", address: "192.0.2.1", nodePort: 6443 } },
      "6443 is not a node port",
    ],
  ])("%s %j", (platform, services, reason) => {
    expect(faultsOn(platform, { services }).join("\n")).toContain(reason);
  });

  test("Agent publishes by node port by default, and all missing addresses are reported at once", () => {
    expect(faultsOn(Agent, { services: undefined }).map((line) => line.split("  ")[0])).toEqual([
      "topology.services.apiServer.address",
      "topology.services.ignition.address",
      "topology.services.konnectivity.address",
      "topology.services.oauthServer.address",
    ]);
  });

  test("refuses an address of the API server's node port that is in the service network", () => {
    const services = { apiServer: { type: "NodePort", address: "172.31.0.9" } };
    expect(faultsOn(KubeVirt, { services })).toEqual([
      expect.stringContaining("topology.services.apiServer.address  172.31.0.9 lies in the service network"),
    ]);
  });

  test("on Azure, accepts a load balancer for OAuth only with workload identities", () => {
    const services = { oauthServer: { type: "LoadBalancer" } };
    expect(faultsOn(Azure, { services })).toEqual([]);
    const rest = JSON.parse(restJson(Azure)) as { platform: { azure: object } };
    const managed = { azureAuthenticationConfigType: "ManagedIdentities" };
    const azure = { ...rest.platform.azure, azureAuthenticationConfig: managed };
    const additionalSpecJson = JSON.stringify({ ...rest, platform: { azure } });
    expect(faultsOn(Azure, { services }, { additionalSpecJson })).toEqual([
      expect.stringContaining("refused on Azure without the authentication type WorkloadIdentities"),
    ]);
  });

  test("refuses a node port of the API server outside the range in the rest of the spec", () => {
    const services = { apiServer: { type: "NodePort", address: "192.0.2.1", nodePort: 32000 } };
    const range = { configuration: { network: { serviceNodePortRange: "30000-31000" } } };
    const additionalSpecJson = restJson(KubeVirt, range);
    expect(faultsOn(KubeVirt, { services }, { additionalSpecJson })).toEqual([
      expect.stringContaining("32000 is not in 30000-31000"),
    ]);
  });

  test("refuses a named certificate with the host name of the API server's load balancer", () => {
    const services = { apiServer: { type: "LoadBalancer", hostname: "api.example.com" } };
    const namedCertificates = [{ names: ["x.example.com"] }, { names: ["api.example.com"] }];
    const configuration = { apiServer: { servingCerts: { namedCertificates } } };
    expect(faultsOn(AWS, { services }, { additionalSpecJson: restJson(AWS, { configuration }) })).toEqual([
      expect.stringContaining("namedCertificates[1].names  contains the host name of the API server"),
    ]);
  });
});

describe("M2 access to the platform", () => {
  test.each<[Platform, string, string]>([
    [GCP, "Public", "Public does not exist on GCP: write Private or PublicAndPrivate"],
    [KubeVirt, "Private", "KubeVirt has no such choice"],
    [IBMCloud, "Public", "IBMCloud has no such choice"],
  ])("%s refuses %s", (platform, endpointAccess, reason) => {
    expect(faultsOn(platform, { endpointAccess })).toEqual([expect.stringContaining(reason)]);
  });

  test("on Azure, private access requires its settings, and public access refuses them", () => {
    const endpointAccess = "Private";
    expect(faultsOn(Azure, { endpointAccess })).toEqual([
      expect.stringContaining("platform.azure.private  missing: Private access needs it"),
    ]);
    const rest = JSON.parse(restJson(Azure)) as { platform: { azure: object } };
    const azure = { ...rest.platform.azure, private: { type: "PrivateLink", privateLink: {} } };
    const additionalSpecJson = JSON.stringify({ ...rest, platform: { azure } });
    expect(faultsOn(Azure, { endpointAccess }, { additionalSpecJson })).toEqual([]);
    expect(faultsOn(Azure, {}, { additionalSpecJson })).toEqual([
      expect.stringContaining("platform.azure.private  is only valid with private access"),
    ]);
    const bare = { ...rest.platform.azure, private: { type: "PrivateLink" } };
    const withoutKind = JSON.stringify({ ...rest, platform: { azure: bare } });
    expect(faultsOn(Azure, { endpointAccess }, { additionalSpecJson: withoutKind })).toEqual([
      expect.stringContaining("platform.azure.private.privateLink  missing: type PrivateLink needs it"),
    ]);
  });
});

describe("M2 faults of networks:", () => {
  test.each<[string, object, RegExp]>([
    ["three entries", { clusterNetwork: [1, 2, 3].map((n) => ({ cidr: `10.${n}.0.0/16` })) }, /3 entries/],
    ["no entry", { serviceNetwork: [] }, /topology.serviceNetwork {2}has 0 entries/],
    ["a malformed range", { machineNetwork: [{ cidr: "10.0.0.0" }] }, /has no mask/],
    ["host bits", { serviceNetwork: [{ cidr: "172.30.0.1/16" }] }, /has host bits/],
    [
      "an overlap that the CRD does not detect",
      { machineNetwork: [{ cidr: "10.132.64.0/18" }] },
      /overlaps the default cluster network 10.132.0.0\/14/,
    ],
    [
      "an overlap with a default range",
      { serviceNetwork: [{ cidr: "100.64.0.0/16" }] },
      /overlaps OVN's default join subnet 100.64.0.0\/16/,
    ],
    [
      "an overlap with the API server's address inside the cluster",
      { machineNetwork: [{ cidr: "172.16.0.0/12" }], serviceNetwork: [{ cidr: "192.168.0.0/20" }] },
      /172.16.0.0\/12 overlaps the address at which nodes reach the API server/,
    ],
    ["different address families", { serviceNetwork: [{ cidr: "fd02::/112" }] }, /IPv6, the cluster network/],
    [
      "an advertised address of another family",
      { advertiseAddress: "fd00::9" },
      /first cluster network is IPv4/,
    ],
    [
      "an advertised address in a network",
      { advertiseAddress: "10.0.0.9" },
      /10.0.0.9\/32 overlaps the machine network/,
    ],
    [
      "a host prefix as long as the cluster network's",
      { clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 14 }] },
      /is not part of/,
    ],
    ["an unknown network type", { networkType: "Cilium" }, /"Cilium" is not one of/],
  ])("%s", (_, topology, problem) => {
    expect(faultsOn(AWS, topology).join("\n")).toMatch(problem);
  });

  test.each(["allocateNodeCidrs", "disableMultiNetwork"])(
    "%s is only valid with the network type Other",
    (name) => {
      expect(faultsOn(AWS, {}, { [name]: true })).toEqual([
        expect.stringContaining(
          `${name}  is only valid with the network type Other, and this one is OVNKubernetes`,
        ),
      ]);
      expect(faultsOn(AWS, { networkType: "Other" }, { [name]: true })).toEqual([]);
      expect(faultsOn(AWS, {}, { [name]: false })).toEqual([]);
    },
  );

  test.each([575, 9217, 1400.5, "1400", UNKNOWN])("an MTU of %p is refused", (mtu) => {
    expect(faultsOn(AWS, {}, { mtu })).toEqual([
      expect.stringContaining("write a whole number from 576 to 9216"),
    ]);
  });

  test("an MTU is only valid with OVN-Kubernetes, and must be at least 1280 with IPv6", () => {
    expect(faultsOn(AWS, {}, { mtu: 8901 })).toEqual([]);
    expect(faultsOn(AWS, { networkType: "Calico" }, { mtu: 1400 })).toEqual([
      expect.stringContaining("a network of type Calico has no such setting"),
    ]);
    const dual = {
      clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
    };
    expect(faultsOn(OpenStack, dual, { mtu: 1000 })).toEqual([
      expect.stringContaining("1000 is less than the 1280 bytes that IPv6 needs: write 1280 or more"),
    ]);
  });

  test.each([0, 65536, "6443"])("refuses %p as port of the API server", (apiServerPort) => {
    expect(faultsOn(AWS, { apiServerPort })).toEqual([expect.stringContaining("topology.apiServerPort  ")]);
  });

  test("warns of port 443 and of a missing machine network", () => {
    expect(warningsOn(AWS, { apiServerPort: 443 })).toEqual([
      expect.stringContaining("443 is reserved for old"),
    ]);
    expect(warningsOn(AWS, { machineNetwork: undefined })).toEqual([
      expect.stringContaining("topology.machineNetwork  missing"),
    ]);
  });
});

describe("M6 internal subnets on create", () => {
  test.each<[string, Platform, object, RegExp]>([
    ["the join subnet on KubeVirt", KubeVirt, { internalJoinSubnet: "100.99.0.0/16" }, /refused on KubeVirt/],
    [
      "a subnet that is too small for the nodes",
      AWS,
      { internalJoinSubnet: "100.99.0.0/23" },
      /write \/22 or larger/,
    ],
    [
      "a release that is too old",
      AWS,
      { release: "4.19", internalJoinSubnet: "100.99.0.0/16" },
      /4.19 does not have it/,
    ],
    [
      "another network type",
      AWS,
      { networkType: "Other", internalJoinSubnet: "100.99.0.0/16" },
      /type Other has no such/,
    ],
  ])("%s is refused", (_, platform, topology, problem) => {
    expect(faultsOn(platform, topology).join("\n")).toMatch(problem);
  });

  test("the image's tag states the release if the topology does not, and must not contradict topology.release", () => {
    const old = { release: { image: "quay.io/ocp-release:4.19.2-x86_64" } };
    const additionalSpecJson = restJson(AWS, old);
    const subnets = { internalJoinSubnet: "100.99.0.0/16" };
    expect(faultsOn(AWS, { ...subnets, release: undefined }, { additionalSpecJson })).toEqual([
      expect.stringContaining("release 4.19 does not have it"),
    ]);
    expect(faultsOn(AWS, subnets, { additionalSpecJson })).toEqual([
      expect.stringContaining(
        "additionalSpecJson release.image  is of release 4.19, and topology.release is 4.20",
      ),
    ]);
  });

  const fragment = (ipv4: object) => ({
    ovnSubnets: { operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } } },
  });

  test("a fragment is checked like the topology, and its faults are reported at the fragment's path", () => {
    expect(faultsOn(AWS, {}, fragment({ internalJoinSubnet: "100.99.0.0/16" }))).toEqual([]);
    expect(faultsOn(AWS, {}, fragment({ internalJoinSubnet: "10.0.0.0/16" }))).toEqual([
      expect.stringMatching(
        /^ovnSubnets.operatorConfiguration\S+internalJoinSubnet {2}10.0.0.0\/16 overlaps the machine network/,
      ),
    ]);
  });

  test("a fragment may repeat or add to the topology, but not contradict it", () => {
    const own = { internalJoinSubnet: "100.99.0.0/16" };
    expect(faultsOn(AWS, own, fragment(own))).toEqual([]);
    expect(faultsOn(AWS, own, fragment({ internalTransitSwitchSubnet: "100.69.0.0/16" }))).toEqual([]);
    expect(faultsOn(AWS, own, fragment({ internalJoinSubnet: "100.98.0.0/16" }))).toEqual([
      expect.stringContaining('"100.98.0.0/16" is not topology.internalJoinSubnet, which is "100.99.0.0/16"'),
    ]);
    expect(faultsOn(AWS, {}, { ovnSubnets: {} })).toEqual([
      expect.stringContaining("ovnSubnets  is not a fragment"),
    ]);
  });

  test("an unknown fragment is not judged", () => {
    const machineNetwork = [{ cidr: "100.64.0.0/16" }];
    expect(faultsOn(AWS, { machineNetwork }, { ovnSubnets: UNKNOWN })).toEqual([]);
  });
});

describe("M8 the proxy on create", () => {
  const proxy = { httpProxy: "http://proxy.example.com:3128", httpsProxy: "http://proxy.example.com:3128" };
  const fragment = (settings: object, more: object = {}) => ({
    proxy: { configuration: { proxy: settings }, ...more },
  });

  test("comes from the topology or from a fragment", () => {
    expect(faultsOn(AWS, { proxy })).toEqual([]);
    expect(faultsOn(AWS, {}, fragment(proxy))).toEqual([]);
    expect(faultsOn(AWS, { proxy }, fragment(proxy))).toEqual([]);
  });

  test("is refused if HyperShift would refuse it, and credentials in URLs are not shown", () => {
    const wrong = { httpProxy: "https://me:hunter2@proxy.example.com:3128" };
    const own = faultsOn(AWS, { proxy: wrong });
    const given = faultsOn(AWS, {}, fragment(wrong));
    expect(own).toEqual([
      expect.stringMatching(/^topology.proxy.httpProxy {2}is not a URL that begins with http:/),
    ]);
    expect(given).toEqual([expect.stringMatching(/^proxy.configuration.proxy.httpProxy {2}has a scheme/)]);
    expect([...own, ...given].join()).not.toContain("hunter2");
    expect(faultsOn(AWS, { proxy: { noProxy: "a b" } })).toEqual([
      expect.stringContaining("names neither httpProxy nor httpsProxy"),
    ]);
    expect(faultsOn(AWS, { proxy: { ...proxy, noProxy: "*.example.com" } })).toEqual([
      expect.stringContaining("topology.proxy.noProxy"),
    ]);
  });

  test("must not differ between the topology and the fragment", () => {
    const other = { httpProxy: "http://me:hunter2@other.example.com:3128" };
    const faults = faultsOn(AWS, { proxy }, fragment(other));
    expect(faults).toEqual([
      expect.stringContaining("proxy.configuration.proxy.httpProxy  is not topology.proxy.httpProxy"),
      expect.stringContaining("proxy.configuration.proxy.httpsProxy  is not topology.proxy.httpsProxy"),
    ]);
    expect(faults.join()).not.toContain("hunter2");
    const spaced = { ...proxy, noProxy: ".example.com, .example.org" };
    expect(
      faultsOn(AWS, { proxy: spaced }, fragment({ ...proxy, noProxy: ".example.com,.example.org" })),
    ).toEqual([]);
  });

  test("must not name a trust bundle that the rest of the spec names too", () => {
    const bundle = { additionalTrustBundle: { name: "ca" } };
    const additionalSpecJson = restJson(AWS, bundle);
    expect(faultsOn(AWS, {}, { additionalSpecJson })).toEqual([]);
    expect(faultsOn(AWS, {}, { additionalSpecJson, ...fragment(proxy) })).toEqual([]);
    expect(faultsOn(AWS, {}, { additionalSpecJson, ...fragment(proxy, bundle) })).toEqual([
      expect.stringContaining("additionalSpecJson additionalTrustBundle  is also in proxy"),
    ]);
  });

  test("has the warnings of a ProxyConfig if it is in the topology", () => {
    const warnings = warningsOn(AWS, { proxy: { httpProxy: "http://me:hunter2@proxy.example.com:3128" } });
    expect(warnings.join("\n")).toMatch(/port 53/);
    expect(warnings.join("\n")).toMatch(/httpsProxy {2}missing/);
    expect(warnings.join("\n")).toMatch(/topology.proxy.httpProxy {2}contains credentials/);
    expect(warnings.join("\n")).not.toContain("hunter2");
  });
});

describe("the rest of the spec (additionalSpecJson)", () => {
  const rest = (additionalSpecJson: unknown) => faultsOn(AWS, {}, { additionalSpecJson });

  test.each<[string, unknown, string]>([
    ["missing", undefined, "missing: it must contain the release image and the pull secret"],
    ["an object instead of a string", { release: {} }, "is not a string: write the object as JSON"],
    ["invalid JSON", "release: {image: hunter2}", "is not JSON"],
    ["a list", "[]", "is not a JSON object"],
    [
      "a whole manifest",
      '{"kind": "HostedCluster", "spec": {}}',
      "contains kind, spec, which are not fields",
    ],
  ])("is refused if it is %s", (_, text, problem) => {
    const faults = rest(text);
    expect(faults).toEqual([expect.stringContaining(problem)]);
    expect(faults.join()).not.toContain("hunter2");
  });

  test("must contain the fields that the API requires of all clusters and on the platform", () => {
    expect(rest("{}").map((line) => line.split("  ")[0])).toEqual([
      "additionalSpecJson release.image",
      "additionalSpecJson pullSecret.name",
      "additionalSpecJson platform.aws.region",
      "additionalSpecJson platform.aws.rolesRef",
    ]);
  });

  test.each<[object, string, string]>([
    [{ services: [] }, "services", "topology.services"],
    [{ networking: { clusterNetwork: [] } }, "networking.clusterNetwork", "topology.clusterNetwork"],
    [{ networking: { machineNetwork: [] } }, "networking.machineNetwork", "topology.machineNetwork"],
    [{ networking: { apiServer: { port: 443 } } }, "networking.apiServer.port", "topology.apiServerPort"],
    [
      { networking: { apiServer: { allowedCIDRBlocks: [] } } },
      "networking.apiServer.allowedCIDRBlocks",
      "allowedCidrBlocks",
    ],
    [{ platform: { type: "AWS" } }, "platform.type", "topology.platform"],
    [{ configuration: { proxy: {} } }, "configuration.proxy", "topology.proxy or proxy"],
  ])("must not set a field that another input sets: %j", (more, path, input) => {
    const faults = rest(restJson(AWS, more));
    expect(faults[0]).toContain(
      `additionalSpecJson ${path}  is also ${input}, which the component writes to spec.${path}`,
    );
  });

  test("must have an object at the parent of a field that another input sets", () => {
    expect(rest(restJson(AWS, { networking: "none" }))).toEqual([
      "additionalSpecJson networking  is not an object: write an object, or leave it out",
    ]);
  });

  test("must not have settings of another platform", () => {
    const additionalSpecJson = restJson(None, { platform: { aws: { region: "us-east-1" } } });
    expect(faultsOn(None, {}, { additionalSpecJson })).toEqual([
      expect.stringContaining("platform.aws  belongs to AWS, and the topology's platform is None"),
    ]);
  });

  test("has a warning for an unknown field", () => {
    expect(warningsOn(AWS, {}, { additionalSpecJson: restJson(AWS, { nodeSelectors: {} }) })).toEqual([
      expect.stringMatching(
        /additionalSpecJson nodeSelectors {2}is not a known field .*: did you mean nodeSelector\?/,
      ),
    ]);
  });

  test("is not checked if it is not known yet", () => {
    expect(rest(UNKNOWN)).toEqual([]);
  });
});

describe("other inputs", () => {
  test.each<[object, string]>([
    [{ namespace: "My Clusters" }, "is not a Kubernetes name"],
    [{ deletable: "yes" }, 'deletable  "yes" is neither true nor false'],
    [{ acceptUnknownSources: UNKNOWN }, "acceptUnknownSources  is an Output"],
    [{ labels: { "a b": "c" } }, "is not a label key"],
  ])("%j is refused", (more, problem) => {
    expect(faultsOn(AWS, {}, more).join("\n")).toContain(problem);
  });

  test("the two namespace inputs must be equal, and the control plane's namespace must not be too long", () => {
    expect(faultsOn(AWS, { namespace: "a" }, { namespace: "b" })).toEqual([
      expect.stringContaining('namespace  "b" is not topology.namespace, which is "a"'),
    ]);
    expect(
      judgeHostedCluster(inputsOn(AWS, {}, { namespace: "fleet" })).topology?.controlPlaneNamespace,
    ).toBe("fleet-tenant-a");
    expect(faultsOn(AWS, { name: "n".repeat(40) }, { namespace: "m".repeat(40) }).join()).toMatch(
      /81 characters/,
    );
  });

  test("deletable: true has a warning", () => {
    expect(warningsOn(AWS, {}, { deletable: true })).toEqual([
      expect.stringContaining("deletable  true: a destroy deletes the HostedCluster"),
    ]);
  });

  test("reports all faults at once", () => {
    const topology = {
      machineNetwork: [{ cidr: "10.0.0.1/16" }],
      services: { ignition: { type: "LoadBalancer" } },
    };
    const more = { allowedCidrBlocks: [], additionalSpecJson: "{}", mtu: 1, labels: [] };
    expect(faultsOn(AWS, topology, more).map((line) => line.split("  ")[0])).toEqual([
      "topology.services.ignition.type",
      "topology.machineNetwork[0].cidr",
      "labels",
      "allowedCidrBlocks",
      "mtu",
      "topology.managementClusterNatCidrs",
      "topology.workerNatCidrs",
      "additionalSpecJson release.image",
      "additionalSpecJson pullSecret.name",
      "additionalSpecJson platform.aws.region",
      "additionalSpecJson platform.aws.rolesRef",
    ]);
  });
});
