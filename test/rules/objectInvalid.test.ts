import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { rules } from "../../src/rules";
import { hostedCluster, resource, unknowns, violations } from "./builders";

const rule = rules.find(({ id }) => id === "object-invalid")!;
const pathsOf = (type: string, properties: Record<string, PropertyValue>): string[] =>
  violations(rule, [resource(type, "a", properties)]).map(({ path }) => path);

const POD = "kubernetes:core/v1:Pod";
const template = { metadata: { labels: { app: true } }, spec: { nodeSelector: { gpu: true } } };

describe("values that are not strings where the API server accepts only strings", () => {
  it.each<[string, Record<string, PropertyValue>, string[]]>([
    [POD, { metadata: { labels: { app: true } } }, ["metadata.labels.app"]],
    [POD, { metadata: { annotations: { "a.b/c": 1 } } }, ['metadata.annotations["a.b/c"]']],
    [POD, { spec: { nodeSelector: { gpu: true } } }, ["spec.nodeSelector.gpu"]],
    [
      "kubernetes:apps/v1:Deployment",
      { spec: { selector: { matchLabels: { app: true } }, template } },
      [
        "spec.selector.matchLabels.app",
        "spec.template.metadata.labels.app",
        "spec.template.spec.nodeSelector.gpu",
      ],
    ],
    ["kubernetes:core/v1:ReplicationController", { spec: { selector: { app: 1 } } }, ["spec.selector.app"]],
    [
      "kubernetes:batch/v1:CronJob",
      { spec: { jobTemplate: { spec: { template: { metadata: { labels: { a: 1 } } } } } } },
      ["spec.jobTemplate.spec.template.metadata.labels.a"],
    ],
    ["kubernetes:core/v1:Service", { spec: { selector: { app: false } } }, ["spec.selector.app"]],
    ["kubernetes:core/v1:Namespace", { metadata: { labels: { a: 80 } } }, ["metadata.labels.a"]],
    ["kubernetes:core/v1:ConfigMap", { data: { port: 80 } }, ["data.port"]],
  ])("are found in %s %j", (type, properties, paths) => {
    expect(pathsOf(type, properties)).toEqual(paths);
  });

  it.each<[PropertyValue, string]>([
    [true, "write it in quotes"],
    [80, "write it in quotes"],
    [["a"], "write a string"],
  ])("have a fix for %j: %s", (app, fix) => {
    expect(violations(rule, [resource(POD, "a", { metadata: { labels: { app } } })])).toMatchObject([
      { fix },
    ]);
  });

  it("do not include strings, and unknown values are counted", () => {
    expect(pathsOf(POD, { metadata: { labels: { app: "true" } } })).toEqual([]);
    const pod = resource(POD, "a", { metadata: { labels: { app: UNKNOWN } } });
    expect(unknowns(rule, [pod]).map(({ path }) => path)).toEqual(["metadata.labels.app"]);
  });
});

it("annotations of a namespace must be strings, also next to a hosted cluster", () => {
  const namespace = (annotations: Record<string, PropertyValue>) =>
    resource("kubernetes:core/v1:Namespace", "shop", { metadata: { name: "shop", annotations } });
  const pathsBeside = (found: typeof violations, value: PropertyValue): string[] =>
    found(rule, [hostedCluster(), namespace({ "k8s.ovn.org/multicast-enabled": value })]).map(
      ({ path }) => path,
    );
  const path = 'metadata.annotations["k8s.ovn.org/multicast-enabled"]';
  expect(pathsBeside(violations, true)).toEqual([path]);
  expect(pathsBeside(violations, "true")).toEqual([]);
  expect(pathsBeside(unknowns, UNKNOWN)).toEqual([path]);
});

it("a duplicate key is an error at the value that counts", () => {
  const pod = { ...resource(POD, "a", { spec: { hostNetwork: true } }), repeated: ["spec.hostNetwork"] };
  expect(violations(rule, [pod])).toMatchObject([{ path: "spec.hostNetwork", level: "error" }]);
});

describe("null in lists of custom resources", () => {
  it("is found in a HostedCluster", () => {
    const cluster = hostedCluster({
      services: [null],
      networking: { clusterNetwork: [{ cidr: "10.132.0.0/14" }, null] },
    });
    expect(violations(rule, [cluster]).map(({ path }) => path)).toEqual([
      "spec.services[0]",
      "spec.networking.clusterNetwork[1]",
    ]);
  });

  const NETWORK = "kubernetes:operator.openshift.io/v1:Network";
  it.each<[string, Record<string, PropertyValue>, string]>([
    [
      NETWORK,
      { additionalRoutingCapabilities: { providers: [null] } },
      "additionalRoutingCapabilities.providers",
    ],
    [
      NETWORK,
      { exportNetworkFlows: { netFlow: { collectors: [null] } } },
      "exportNetworkFlows.netFlow.collectors",
    ],
    [NETWORK, { additionalNetworks: [null] }, "additionalNetworks"],
    [
      "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
      { platform: { openstack: { subnets: [null] } } },
      "platform.openstack.subnets",
    ],
    [
      "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
      { platform: { openstack: { managedSubnets: [null] } } },
      "platform.openstack.managedSubnets",
    ],
    [
      "kubernetes:hypershift.openshift.io/v1beta1:NodePool",
      { platform: { kubevirt: { additionalNetworks: [null] } } },
      "platform.kubevirt.additionalNetworks",
    ],
  ])("is found in the lists that the tables of fields name: %s %j", (type, spec, list) => {
    expect(pathsOf(type, { spec })).toEqual([`spec.${list}[0]`]);
  });

  it("is not found in lists that are unknown, or have unknown entries", () => {
    for (const collectors of [UNKNOWN, [UNKNOWN], ["192.0.2.10:2055"]] as const)
      expect(pathsOf(NETWORK, { spec: { exportNetworkFlows: { netFlow: { collectors } } } })).toEqual([]);
  });

  it("is found in other resources", () => {
    expect(
      pathsOf("kubernetes:operator.openshift.io/v1:Network", { spec: { serviceNetwork: [null] } }),
    ).toEqual(["spec.serviceNetwork[0]"]);
    expect(
      pathsOf("kubernetes:config.openshift.io/v1:Proxy", { spec: { readinessEndpoints: [null] } }),
    ).toEqual(["spec.readinessEndpoints[0]"]);
  });
});

it.each(["HostedCluster", "NodePool"])(
  "a %s of a removed API version is a warning, and is judged",
  (kind) => {
    const type = (version: string) => `kubernetes:hypershift.openshift.io/${version}:${kind}`;
    const of = (version: string, more = {}) => ({ ...resource(type(version), "a", {}), ...more });
    expect(violations(rule, [of("v1alpha1")])).toMatchObject([{ path: "apiVersion", level: "warning" }]);
    expect(violations(rule, [of("v1beta1"), of("v1alpha1", { origin: { live: "a" } })])).toEqual([]);
    const { type: _, ...cluster } = hostedCluster({
      networking: { machineNetwork: [{ cidr: "10.0.0.0/33" }] },
    });
    const old = { ...cluster, type: "kubernetes:hypershift.openshift.io/v1alpha1:HostedCluster" };
    const invalid = rules.find(({ id }) => id === "cidr-invalid")!;
    expect(violations(invalid, [old])).toHaveLength(1);
  },
);

it.each([
  ["hypershift.openshift.io", "v1beta1", "HostedCluster"],
  ["hypershift.openshift.io", "v1beta1", "NodePoolPatch"],
  ["k8s.ovn.org", "v1", "EgressFirewall"],
  ["k8s.ovn.org", "v1", "EgressIP"],
  ["k8s.ovn.org", "v1", "ClusterUserDefinedNetwork"],
  ["network.operator.openshift.io", "v1", "EgressRouter"],
  ["operator.openshift.io", "v1", "Network"],
  ["config.openshift.io", "v1", "Proxy"],
  ["metallb.io", "v1beta1", "IPAddressPool"],
])("the API version of an object of %s is unknown if it is not %s: %s", (group, known, kind) => {
  const of = (version: string, more = {}) => ({
    ...resource(`kubernetes:${group}/${version}:${kind}`, "a", {}),
    ...more,
  });
  const served = of("v9", { origin: { live: "a" } });
  expect(unknowns(rule, [of("v9"), of(known), served])).toMatchObject([
    { path: "apiVersion", message: expect.stringContaining(`by the fields of ${group}/${known}`) as string },
  ]);
  expect(violations(rule, [of("v9")])).toEqual([]);
});

it("the API version of a kind that is not judged does not matter", () => {
  const others = ["operator.openshift.io/v1alpha1:ImageContentSourcePolicy", "example.org/v9:HostedCluster"];
  expect(
    unknowns(
      rule,
      others.map((type) => resource(`kubernetes:${type}`, "a", {})),
    ),
  ).toEqual([]);
});

describe("values that decide what other rules judge", () => {
  const CUDN = "kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork";
  it.each<[string, string, Record<string, PropertyValue>, string[]]>([
    [
      "primary-network-namespace",
      "kubernetes:k8s.ovn.org/v1:UserDefinedNetwork",
      {
        metadata: { name: 7, namespace: "green" },
        spec: { topology: "Layer2", layer2: { role: "Primary" } },
      },
      ["metadata.name"],
    ],
    [
      "primary-network-namespace",
      CUDN,
      { spec: { namespaceSelector: { matchLabels: { team: 1 } }, network: {} } },
      ["spec.namespaceSelector.matchLabels.team"],
    ],
    ["primary-network-namespace", CUDN, { spec: { namespaceSelector: "green" } }, ["spec.namespaceSelector"]],
    [
      "network-policy-invalid",
      "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      { apiVersion: 1, kind: ["NetworkPolicy"], metadata: { name: "a" }, spec: { podSelector: {} } },
      ["apiVersion", "kind"],
    ],
  ])("are reported by %s if they are invalid in %s %j", (id, type, properties, paths) => {
    const found = violations(
      rules.find((one) => one.id === id)!,
      [resource(type, "a", properties)],
    );
    expect(found.map(({ path }) => path).sort()).toEqual(paths);
  });

  it("are unknown if the id of a VPC or route table is not a string", () => {
    const portMissing = rules.find(({ id }) => id === "port-missing")!;
    expect(
      unknowns(portMissing, [resource("aws:ec2/securityGroup:SecurityGroup", "a", { vpcId: [] })]),
    ).toMatchObject([{ path: "vpcId" }]);
    const overlap = rules.find(({ id }) => id === "cidr-overlap")!;
    expect(unknowns(overlap, [resource("aws:ec2/route:Route", "a", { routeTableId: {} })])).toMatchObject([
      { path: "routeTableId" },
    ]);
  });
});
