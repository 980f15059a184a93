import { Platform } from "../../src/requirements/vocabulary";
import { type Resource, UNKNOWN } from "../../src/resources/resource";
import { rules } from "../../src/rules";
import { Level, Status } from "../../src/gate/rule";
import { judge, resource, violations } from "./builders";
import { refusedChanges, takenChanges } from "./refusals/changes";
import { nodePoolOn, nodePoolSubnets } from "./refusals/nodePools";
import { clusterWith, judgedCluster, validCluster, changed, type Change } from "./refusals/objects";
import { accepted, refusals } from "./refusals/table";

const ruleOf = (id: string) => rules.find((rule) => rule.id === id)!;

/** The errors of a HostedCluster by itself. */
const errorsOf = (object: Resource) =>
  rules
    .flatMap((rule) => judge(rule, [object]))
    .filter(({ level, status }) => level === Level.Error && status === Status.Violated)
    .map(({ rule, path, message }) => `${rule} ${path} ${message}`);

describe("what the API server, HyperShift and the network operator reject is found before", () => {
  test.each(refusals)("$by: $fact", ({ on = Platform.AWS, spec, rule, path }) => {
    const object = judgedCluster(clusterWith(on, spec));
    const found = violations(ruleOf(rule), [object]).filter(({ level }) => level === Level.Error);
    expect(found.map((finding) => finding.path)).toContain(path);
  });

  test("each fact is listed once", () => {
    const keys = refusals.map(({ fact, on }) => `${fact} ${on}`);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
});

// The API server drops such a field, or rejects it with another message than a value, so it is in no table.
describe("a network under its v1alpha1 field name", () => {
  const names = ["machineCIDR", "clusterCIDR", "podCIDR", "serviceCIDR"];
  const found = (version: string, name: string) => {
    const object = clusterWith(Platform.AWS, { networking: { [name]: "10.200.0.0/16" } });
    const judged = judgedCluster({ ...object, apiVersion: `hypershift.openshift.io/${version}` });
    return errorsOf(judged).map((error) => error.split(" ", 2).join(" "));
  };

  test.each(names)("is an error in v1beta1: %s", (name) => {
    expect(found("v1beta1", name)).toEqual([`cidr-invalid spec.networking.${name}`]);
  });

  test.each(names)("is no error in v1alpha1: %s", (name) => {
    expect(found("v1alpha1", name)).toEqual([]);
  });
});

test.each(accepted)("no error is found in an accepted object: $what", ({ on = Platform.AWS, spec }) => {
  expect(errorsOf(judgedCluster(clusterWith(on, spec)))).toEqual([]);
});

const ingress = (endpointPublishingStrategy: unknown): Change => ({
  operatorConfiguration: { ingressOperator: { endpointPublishingStrategy } },
});
const diagnostics = (networkDiagnostics: object): Change => ({
  configuration: { network: { networkDiagnostics } },
});
test.each<[Platform, Change]>([
  [Platform.AWS, ingress(UNKNOWN)],
  [
    Platform.AWS,
    ingress({ type: UNKNOWN, loadBalancer: { scope: "External", allowedSourceRanges: UNKNOWN } }),
  ],
  [Platform.AWS, diagnostics({ mode: UNKNOWN, sourcePlacement: {} })],
  [Platform.AWS, diagnostics({ mode: "Disabled", sourcePlacement: UNKNOWN })],
  [Platform.AWS, { platform: { aws: { cloudProviderConfig: { vpc: UNKNOWN } } } }],
  [Platform.Azure, { platform: { azure: { subnetID: UNKNOWN } } }],
  [Platform.GCP, { platform: { gcp: { project: UNKNOWN, region: UNKNOWN, networkConfig: UNKNOWN } } }],
  [
    Platform.OpenStack,
    {
      platform: {
        openstack: { network: { filter: { tags: [UNKNOWN, UNKNOWN] } }, router: { id: UNKNOWN } },
      },
    },
  ],
  [Platform.PowerVS, { platform: { powervs: { subnet: UNKNOWN, vpc: { name: UNKNOWN } } } }],
])("no error is found on %s in what a preview does not know: %j", (on, spec) => {
  expect(errorsOf(judgedCluster(clusterWith(on, spec)))).toEqual([]);
});

describe("a change of a running cluster", () => {
  const judgedChange = (on: Platform, before: Change, after: Change) => {
    const outputs = clusterWith(on, before);
    const wanted = judgedCluster(clusterWith(on, after));
    return violations(ruleOf("immutable-field"), [{ ...wanted, before: { inputs: outputs, outputs } }]);
  };

  test.each(refusedChanges)(
    "that $by rejects is found: $fact",
    ({ on = Platform.AWS, before, after, path }) => {
      expect(judgedChange(on, before, after).map((finding) => finding.path)).toContain(path);
    },
  );

  test.each(takenChanges)("that is accepted is no finding: $what", ({ on = Platform.AWS, before, after }) => {
    expect(judgedChange(on, before, after)).toEqual([]);
  });
});

describe("the subnet of a NodePool's machines", () => {
  const found = (on: Platform, section: object) =>
    violations(ruleOf("ovn-subnet-invalid"), [
      judgedCluster(validCluster(on)),
      resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "pool", nodePoolOn(on, section)),
    ]).map(({ path }) => path);

  test.each(nodePoolSubnets)("is judged on %s as the API server judges it: %j", (on, section, refused) => {
    const at = `spec.platform.${on.toLowerCase()}`;
    expect(found(on, section)).toEqual(refused.map((path) => `${at}.${path}`));
  });

  const filters = [{ name: "tag:role", values: ["nodes"] }];
  test.each<[Platform, object]>([
    [Platform.Azure, { subnetID: UNKNOWN }],
    [Platform.AWS, { subnet: UNKNOWN }],
    [Platform.AWS, { subnet: { id: UNKNOWN } }],
    [Platform.AWS, { subnet: { id: UNKNOWN, filters } }],
    [Platform.AWS, { subnet: { filters: UNKNOWN } }],
  ])("is no error on %s while it is not known", (on, section) => {
    expect(found(on, section)).toEqual([]);
  });
});

describe("a NodePool on KubeVirt", () => {
  const pool = (kubevirt: object) => [
    judgedCluster(validCluster(Platform.KubeVirt)),
    resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "pool", {
      spec: changed({}, { clusterName: "tenant-a", platform: { type: "KubeVirt", kubevirt } }),
    }),
  ];
  const found = (kubevirt: object, wanted = Level.Error) =>
    violations(ruleOf("ovn-subnet-invalid"), pool(kubevirt))
      .filter(({ level }) => level === wanted)
      .map(({ path }) => path);
  const network = { name: "default/lan" };
  const at = "spec.platform.kubevirt";

  test.each([
    [{}, []],
    [{ attachDefaultNetwork: false, additionalNetworks: [network] }, []],
    [{ attachDefaultNetwork: false }, [`${at}.attachDefaultNetwork`]],
    [{ attachDefaultNetwork: false, additionalNetworks: [] }, [`${at}.attachDefaultNetwork`]],
    [{ attachDefaultNetwork: "no" }, [`${at}.attachDefaultNetwork`]],
    [{ additionalNetworks: Array.from({ length: 21 }, () => network) }, [`${at}.additionalNetworks`]],
    [{ additionalNetworks: [{}] }, [`${at}.additionalNetworks[0].name`]],
  ])("has the expected errors with %j", (kubevirt, paths) => expect(found(kubevirt)).toEqual(paths));

  test.each([
    ["default/lan", false],
    [`${"n".repeat(30)}/${"l".repeat(24)}`, false],
    [`${"n".repeat(30)}/${"l".repeat(25)}`, true],
    ["lan", true],
    ["default/lan/a", true],
    ["/lan", true],
    ["default/", true],
    ["default/my lan", true],
    ["default/my.lan", true],
    ["Default/lan", true],
  ])("has a warning for the network %j if later API versions reject it: %p", (name, isWarned) => {
    const networks = { additionalNetworks: [{ name }] };
    expect(found(networks)).toEqual([]);
    const place = [`${at}.additionalNetworks[0].name`];
    expect(found(networks, Level.Warning)).toEqual(isWarned ? place : []);
  });

  test("has a warning for a network that is named twice, because later API versions reject it", () => {
    const networks = { additionalNetworks: [network, { name: "default/wan" }, network] };
    expect(found(networks)).toEqual([]);
    expect(found(networks, Level.Warning)).toEqual([`${at}.additionalNetworks[2].name`]);
  });
});
