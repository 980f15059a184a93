import { JudgedResources } from "../../src/gate/judgedResources";
import { isJudged, coverageGaps } from "../../src/gate/coverage";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { group, hostedCluster, nodePool, resource, tags, type Properties } from "../rules/builders";

const notes = (resources: readonly Resource[], hostedClusters: readonly object[] = []) => {
  const { configuration } = readConfiguration({ hostedClusters }, "c.yaml");
  return coverageGaps(new JudgedResources(resources, configuration));
};
const ofType = (type: string, name = "a", properties: Properties = {}) => resource(type, name, properties);

describe("types that are named like packet filters and are not read", () => {
  test.each([
    "aws-native:ec2:SecurityGroup",
    "aws-native:ec2:SecurityGroupIngress",
    "aws-native:ec2:SecurityGroupEgress",
    "aws-native:ec2:NetworkAclEntry",
    "aws-native:ec2:PrefixList",
    "aws:vpc/blockPublicAccessOptions:BlockPublicAccessOptions",
    "aws:networkfirewall/firewallPolicy:FirewallPolicy",
    "azure-native:network:NetworkSecurityGroup",
    "azure:network/networkSecurityRule:NetworkSecurityRule",
    "gcp:compute/firewall:Firewall",
    "gcp:compute/firewallPolicyRule:FirewallPolicyRule",
    "openstack:networking/secGroupRule:SecGroupRule",
    "openstack:index/networkingSecgroupV2:NetworkingSecgroupV2",
    "openstack:index/networkingSecgroupRuleV2:NetworkingSecgroupRuleV2",
    "kubernetes:crd.projectcalico.org/v3:NetworkPolicy",
    "kubernetes:cilium.io/v2:CiliumNetworkPolicyPatch",
    "module:security_group",
    "module:tf:openstack_networking_secgroup_rule_v2",
  ])("include %s", (type) => {
    expect(isJudged(type)).toBe(false);
    expect(notes([ofType(type)])).toEqual([
      `filters that are not read: ${type} (1): what they allow or block is unknown`,
    ]);
  });

  test.each([
    "aws-native:ec2:SecurityGroups",
    "aws-native:ec2:SecurityGroupVpcAssociation",
    "aws:s3/bucketPolicy:BucketPolicy",
    "kubernetes:core/v1:Secret",
  ])("do not include %s", (type) => expect(notes([ofType(type)])).toEqual([]));

  test("are counted per type, without components whose children are in the input", () => {
    const component = ofType("my:index:Firewall", "office");
    const child = { ...ofType("aws-native:ec2:NetworkAcl"), parent: component.origin.urn! };
    const groups = ["a", "b"].map((name) => ofType("aws-native:ec2:SecurityGroup", name));
    expect(notes([...groups, component, child])).toEqual([
      "filters that are not read: aws-native:ec2:NetworkAcl (1), aws-native:ec2:SecurityGroup (2): what they allow or block is unknown",
    ]);
    expect(notes([...groups, component])[0]).toContain("my:index:Firewall (1)");
  });
});

test.each([
  "aws-native:ec2:Vpc",
  "aws-native:ec2:Subnet",
  "gcp:compute/subnetwork:Subnetwork",
  "azure-native:network:VirtualNetwork",
])("a note says that the addresses of %s are not read", (type) => {
  expect(notes([ofType(type), ofType(type, "b")])).toEqual([
    `networks that are not read: ${type} (2): whether they share addresses with a cluster is unknown`,
  ]);
});

describe("objects nested in other objects", () => {
  const service = { apiVersion: "v1", kind: "Service" };
  const others: PropertyValue[] = [
    { apiVersion: "v1", kind: "Secret" },
    { apiVersion: "v1", kind: 5 },
    { apiVersion: 1, kind: "Service" },
    { kind: "Service" },
    "Service",
    null,
  ];
  const policy = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", spec: { held: service } };

  test.each([
    ["kubernetes:work.open-cluster-management.io/v1:ManifestWork", "ManifestWork"],
    ["kubernetes:policy.open-cluster-management.io/v1:Policy", "Policy"],
    ["kubernetes:hive.openshift.io/v1:SyncSet", "SyncSet"],
    ["kubernetes:hive.openshift.io/v1:SelectorSyncSet", "SelectorSyncSet"],
    ["kubernetes:core/v1:List", "List"],
    ["kubernetes:kyverno.io/v1:ClusterPolicy", "ClusterPolicy"],
    ["kubernetes:template.openshift.io/v1:Template", "Template"],
    ["kubernetes:helm.sh/v3:Release", "Release"],
  ])("in a %s are named once for each kind", (type, kind) => {
    const carrier = ofType(type, "all", { items: [service, ...others, { deep: [policy] }, service] });
    const kinds = "NetworkPolicy, Service";
    expect(notes([carrier])).toEqual([
      `objects nested in other objects are not judged: ${kind} all (${kinds}): pass them as separate manifests`,
    ]);
    expect(notes([ofType(type, "all", { items: others })])).toEqual([]);
  });

  test("in a list of one kind need not state their kind", () => {
    const lists = ["Service", "Secret"].map((kind) =>
      ofType(`kubernetes:core/v1:${kind}List`, "all", { items: [{ metadata: {} }] }),
    );
    expect(notes(lists)).toEqual([
      "objects nested in other objects are not judged: ServiceList all (Service): pass them as separate manifests",
    ]);
  });

  test("in a Helm release are known by the names in its outputs", () => {
    const release = (resourceNames: PropertyValue) =>
      ofType("kubernetes:helm.sh/v3:Release", "chart", { resourceNames });
    const names = {
      "NetworkPolicy.networking.k8s.io/networking.k8s.io/v1": ["clusters-tenant-a/deny"],
      "Service/v1": ["a/b"],
      "ConfigMap/v1": ["a/b"],
      strange: [],
    };
    expect(notes([release(names)])).toEqual([
      "objects nested in other objects are not judged: Release chart (NetworkPolicy, Service): pass them as separate manifests",
    ]);
    expect(notes([release(UNKNOWN)])).toEqual([]);
  });

  test("are ignored in objects that do not carry manifests", () => {
    const own = [
      ofType("kubernetes:hive.openshift.io/v1:ClusterDeployment", "a", { spec: { held: service } }),
      ofType("kubernetes:hive.openshift.io/v1:SyncSetInstance", "a", { spec: { held: service } }),
      ofType("kubernetes:example.com/v1:Shop", "a", { spec: { held: service } }),
    ];
    expect(notes(own)).toEqual([]);
  });
});

describe("a contradiction between the configuration and the object is noted for", () => {
  const named = hostedCluster({
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64" },
  });
  const said = (topology: object) =>
    notes([named], [{ name: "tenant-a", namespace: "clusters", ...topology }]);
  const vain = (places: string) => [
    `the configuration contradicts the object or component of the hosted cluster and has no effect at: ${places}`,
  ];

  test.each<[string, object]>([
    ["an empty entry", {}],
    ["the same values", { platform: "AWS", machineNetwork: [{ cidr: "10.0.0.0/16" }] }],
    ["a default that the object omits", { clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }] }],
    ["the release without its patch version", { release: "4.20" }],
    ["what the object does not state", { registryCidrs: ["198.51.100.0/24"] }],
  ])("but not for %s", (_, topology) => expect(said(topology)).toEqual([]));

  test.each<[string, object, string]>([
    ["another block", { machineNetwork: [{ cidr: "10.9.0.0/16" }] }, "hostedClusters[0].machineNetwork"],
    ["another platform", { platform: "None" }, "hostedClusters[0].platform"],
    ["another release", { release: "4.19" }, "hostedClusters[0].release"],
    [
      "another value than the default of a property that the object omits",
      { networkType: "Calico", serviceNetwork: [{ cidr: "172.28.0.0/16" }] },
      "hostedClusters[0].networkType, hostedClusters[0].serviceNetwork",
    ],
    [
      "another publishing strategy of a service",
      { services: { apiServer: { type: "Route", hostname: "api.example.com" } } },
      "hostedClusters[0].services",
    ],
    [
      "a proxy, whose value is not printed",
      { proxy: { httpProxy: "http://me:hunter2@a.example.com:3128" } },
      "hostedClusters[0].proxy",
    ],
  ])("%s", (_, topology, places) => expect(said(topology)).toEqual(vain(places)));

  test("but not for values that the object does not know yet, nor for the entry of another cluster", () => {
    const pending = hostedCluster({ networking: UNKNOWN });
    const entry = { name: "tenant-a", namespace: "clusters", machineNetwork: [{ cidr: "10.9.0.0/16" }] };
    expect(notes([pending], [entry])).toEqual([]);
    expect(notes([named], [{ ...entry, name: "tenant-b", platform: "AWS" }])).toEqual([]);
  });
});

describe("security groups that are not checked against the documented ports", () => {
  const free = (name: string, more: Properties = {}) => group(name, [], { tags: {}, ...more });
  const unknown = "no hosted cluster is known: describe it in a configuration file (--config)";
  const without =
    "none has a role in a hosted cluster: give them the tags hypershift-network/cluster and hypershift-network/role, or name them under securityGroups in the configuration";

  test.each<[string, Resource[], string[]]>([
    ["are not reported if there is no security group", [], []],
    [
      "are reported if no hosted cluster is known",
      [free("a")],
      [`1 security group not checked against the documented ports: ${unknown}`],
    ],
    [
      "are reported if none has a role in a hosted cluster",
      [hostedCluster(), free("a"), free("b")],
      [`2 security groups not checked against the documented ports: ${without}`],
    ],
    ["are not reported if one has a role", [hostedCluster(), free("a"), group("b", [])], []],
  ])("%s", (_, resources, expected) => expect(notes(resources)).toEqual(expected));

  test("are reported if a NodePool attaches them and they have another role", () => {
    const attaching = nodePool("np", {
      platform: { aws: { securityGroups: [{ id: "sg-1" }, { id: "sg-2" }] } },
    });
    const found = (role: string) =>
      notes([hostedCluster(), attaching, group("hosts", [], { id: "sg-1", tags: tags(role) })]);
    expect(found("workers")).toEqual([]);
    expect(found("control-plane")).toEqual([
      "security groups are judged for one role only, not for: sg-1 as workers of clusters/tenant-a (counts as control-plane of tenant-a)",
    ]);
    expect(notes([hostedCluster(), attaching, free("nodes", { id: "sg-2" })])).toEqual([]);
  });

  test("are reported if both a NodePool and the configuration give them another role", () => {
    const attaching = nodePool("np", { platform: { aws: { securityGroups: [{ id: "sg-1" }] } } });
    const hosts = group("hosts", [], { id: "sg-1", tags: {} });
    expect(
      notes(
        [hostedCluster(), attaching, hosts],
        [{ name: "tenant-a", securityGroups: { controlPlane: ["hosts"] } }],
      ),
    ).toEqual([
      "security groups are judged for one role only, not for: sg-1 as workers of clusters/tenant-a (counts as control-plane of tenant-a)",
    ]);
  });

  test("are not reported if a NodePool of another cluster attaches what the configuration lists", () => {
    const attaching = nodePool("np", {
      clusterName: "tenant-b",
      platform: { aws: { securityGroups: [{ id: "sg-1" }] } },
    });
    const hosts = group("hosts", [], { id: "sg-1", tags: {} });
    const both = [hostedCluster(), hostedCluster({}, "tenant-b"), attaching, hosts];
    expect(notes(both, [{ name: "tenant-a", securityGroups: { workers: ["hosts"] } }])).toEqual([]);
  });

  test("are reported if the configuration lists them but they were not read or have another role", () => {
    const groups = [group("hosts", []), free("nodes"), free("ids", { id: "sg-1" })];
    const listed = (securityGroups: object) => [{ name: "tenant-a", securityGroups }];
    const found = (securityGroups: object) => notes([hostedCluster(), ...groups], listed(securityGroups));
    expect(found({ workers: ["nodes", "sg-1", groups[1]!.origin.urn] })).toEqual([]);
    expect(found({ controlPlane: ["hostz", "sg-2"], workers: ["nodes"] })).toEqual([
      "the configuration names security groups that were not read, by name, id or URN: hostz as control-plane of tenant-a, sg-2 as control-plane of tenant-a",
    ]);
    expect(found({ controlPlane: ["nodes"], workers: ["nodes"] })).toEqual([
      "security groups are judged for one role only, not for: nodes as workers of tenant-a (counts as control-plane of tenant-a)",
    ]);
    expect(notes([hostedCluster()], listed({ workers: ["nodes"] }))).toEqual([]);
    const inNamespace = [{ ...listed({ workers: ["nodes", "node"] })[0], namespace: "clusters" }];
    expect(notes([hostedCluster(), ...groups], inNamespace)).toEqual([
      "the configuration names security groups that were not read, by name, id or URN: node as workers of clusters/tenant-a",
    ]);
  });

  test("are not reported if the configuration lists the id of a group that only a rule names", () => {
    const rule = resource(TYPE.ingressRule, "in", { securityGroupId: "sg-7", cidrIpv4: "10.0.0.0/8" });
    const listed = (name: string) => [{ name: "tenant-a", securityGroups: { workers: [name] } }];
    expect(notes([hostedCluster(), rule], listed("sg-7"))).toEqual([]);
    expect(notes([hostedCluster(), rule], listed("sg-8"))).toContainEqual(
      expect.stringContaining("sg-8 as workers of tenant-a"),
    );
  });
});

describe("a hosted cluster of the configuration without a stated platform", () => {
  const way = "write platform: into the configuration, or add its HostedCluster to the inputs";
  const vague = (place: string) =>
    `hosted clusters that are not judged: ${place}: no platform is known, and no HostedCluster of that name was read: ${way}`;

  test("is not judged, and a note names its entry", () => {
    expect(notes([], [{ name: "a" }])).toEqual([vague("clusters/a (hostedClusters[0].name of c.yaml)")]);
    expect(notes([hostedCluster()], [{ name: "tenant-a", namespace: "elsewhere" }])).toEqual([
      vague("elsewhere/tenant-a (hostedClusters[0].name of c.yaml)"),
    ]);
  });

  test.each<[string, PropertyValue | undefined, boolean]>([
    ["without a platform", undefined, true],
    ["with null as its platform", null, true],
    ["without a type of its platform", {}, true],
    ["whose platform is not known yet", UNKNOWN, false],
    ["whose type of platform is not known yet", { type: UNKNOWN }, false],
    ["with a platform", { type: "None" }, false],
  ])("is noted for a HostedCluster %s, and for no patch", (_, platform, isNoted) => {
    const spec: Properties = platform === undefined ? {} : { platform };
    const metadata = { name: "tenant-a", namespace: "clusters" };
    const of = (type: string) => notes([resource(type, "tenant-a", { metadata, spec })]);
    const kind = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
    expect(of(kind)).toEqual(
      isNoted
        ? [
            "hosted clusters that are hardly judged: HostedCluster tenant-a: no platform is known: write spec.platform.type",
          ]
        : [],
    );
    expect(of(`${kind}Patch`)).toEqual([]);
  });

  test("is named with its line if the line is known", () => {
    const { configuration } = readConfiguration({ hostedClusters: [{ name: "a" }] }, "c.yaml");
    const lineOf = (path: string) => (path === "hostedClusters[0].name" ? 7 : undefined);
    expect(coverageGaps(new JudgedResources([], { ...configuration, lineOf }))).toEqual([
      vague("clusters/a (c.yaml:7)"),
    ]);
  });

  test("is judged if the entry or the HostedCluster states the platform", () => {
    expect(notes([], [{ name: "a", platform: "AWS" }])).toEqual([]);
    expect(notes([hostedCluster()], [{ name: "tenant-a" }])).toEqual([]);
  });
});
