import { ruleExamples } from "../../src/rules";
import { isJudged } from "../../src/gate/coverage";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, state, step } from "../plan/plans";
import { exampleResources } from "../rules/exampleResources";
import { policyWith } from "../rules/refusals/policies";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const object = (apiVersion: string, kind: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n`;
const notes = async (...args: string[]) => {
  const { status, out } = await call(["check", ...args]);
  expect(status).toBe(0);
  return out.split("\n").filter((line) => line.startsWith("note"));
};

describe("check reports that it judged nothing", () => {
  it("for resources of kinds that no rule checks", async () => {
    const file = folder.write(
      "a.yaml",
      `${object("v1", "Secret")}---\n${object("apps.example.com/v1", "Shop")}`,
    );
    expect(await notes(file)).toEqual([
      "note  nothing was judged: no rule checks any of the kinds in the 2 resources (Secret, Shop)",
    ]);
  });

  it("in every format, on standard error if the format has no place for it", async () => {
    const file = folder.write("a.yaml", object("v1", "Secret"));
    for (const format of ["json", "markdown", "sarif"])
      expect((await call(["check", file, "--format", format])).out).toContain("nothing was judged");
    for (const format of ["github", "junit"])
      expect((await call(["check", file, "--format", format])).error).toContain("nothing was judged");
  });

  it("but not if one of the kinds is judged, or if the configuration describes a hosted cluster", async () => {
    const mixed = folder.write("a.yaml", `${object("v1", "Secret")}---\n${object("v1", "Service")}`);
    expect(await notes(mixed)).toEqual([]);
    const secret = folder.write("b.yaml", object("v1", "Secret"));
    const config = folder.write("c.yaml", "hostedClusters: [{ name: a, platform: None }]\n");
    expect(await notes(secret, "--config", config)).toEqual([]);
  });

  it("but not if a fault of an object is found, whatever its kind is", async () => {
    const file = folder.write("a.yaml", `${object("v1", "Secret")}data: {}\ndata: {}\n`);
    const { status, out } = await call(["check", file]);
    expect(status).toBe(1);
    expect(out).toContain("object-invalid");
    expect(out).not.toContain("nothing was judged");
  });

  it("for security groups that are not connected with a hosted cluster", async () => {
    const group = state(TYPE.securityGroup, "web", { ingress: [] });
    const plan = folder.write("plan.json", preview([step("create", group)]));
    expect(await notes(plan)).toEqual([
      "note  1 security group not checked against the documented ports: no hosted cluster is known: describe it in a configuration file (--config)",
    ]);
    const config = folder.write("c.yaml", "hostedClusters: [{ name: a, platform: None }]\n");
    expect(await notes(plan, "--config", config)).toEqual([expect.stringContaining("none has a role")]);
  });
});

describe("check names objects that are not judged because they are nested", () => {
  const hostedCluster =
    "{ apiVersion: hypershift.openshift.io/v1beta1, kind: HostedCluster, metadata: { name: a }, spec: {} }";
  const work = (spec: string) =>
    `${object("work.open-cluster-management.io/v1", "ManifestWork")}spec: ${spec}\n`;
  const policy = (spec: string) =>
    `${object("policy.open-cluster-management.io/v1", "Policy")}spec: ${spec}\n`;

  it.each([
    [
      "ManifestWork",
      work(`{ workload: { manifests: [${hostedCluster}, { apiVersion: v1, kind: Secret }] } }`),
    ],
    [
      "Policy",
      policy(
        `{ policy-templates: [{ objectDefinition: { apiVersion: policy.open-cluster-management.io/v1, kind: ConfigurationPolicy, spec: { object-templates: [{ objectDefinition: ${hostedCluster} }] } } }] }`,
      ),
    ],
    [
      "SelectorSyncSet",
      `${object("hive.openshift.io/v1", "SelectorSyncSet")}spec: { resources: [${hostedCluster}] }\n`,
    ],
  ])("in a %s", async (kind, text) => {
    const file = folder.write("a.yaml", `${text}---\n${object("v1", "Service")}`);
    expect(await notes(file)).toEqual([
      `note  objects nested in other objects are not judged: ${kind} a (HostedCluster): pass them as separate manifests`,
    ]);
  });

  it.each([
    ["kubernetes:networking.k8s.io/v1:NetworkPolicyList", [{ metadata: { name: "a" } }], "NetworkPolicy"],
    ["kubernetes:core/v1:List", [{ apiVersion: "v1", kind: "Service" }], "Service"],
  ])("in a %s of a program", async (type, items, kind) => {
    const states = [state(type, "all", { items }), state(TYPE.securityGroup, "hosts", { ingress: [] })];
    const file = folder.write("plan.json", preview(states.map((one) => step("create", one))));
    expect(await notes(file)).toContainEqual(
      expect.stringMatching(`objects nested in other objects are not judged: .* all \\(${kind}\\)`),
    );
  });

  it("but not if no rule checks the nested objects", async () => {
    const held = work("{ workload: { manifests: [{ apiVersion: v1, kind: Secret }] } }");
    const file = folder.write("a.yaml", `${held}---\n${object("v1", "Service")}`);
    expect(await notes(file)).toEqual([]);
  });
});

describe("check names security groups that the configuration lists without effect", () => {
  const plan = () => {
    const groups = ["hosts", "nodes"].map((name) => state(TYPE.securityGroup, name, { ingress: [] }));
    return folder.write("plan.json", preview(groups.map((group) => step("create", group))));
  };
  const notesWith = async (...clusters: object[]) => {
    const config = folder.write("c.yaml", JSON.stringify({ hostedClusters: clusters }));
    const { out } = await call(["check", plan(), "--config", config]);
    return out.split("\n").filter((line) => line.startsWith("note"));
  };

  it("because nothing that was read has that name, id or URN", async () => {
    const securityGroups = { controlPlane: ["hostz"], workers: ["nodes", "sg-0a1b"] };
    expect(await notesWith({ name: "a", platform: "None", securityGroups })).toEqual([
      "note  the configuration names security groups that were not read, by name, id or URN: hostz as control-plane of a, sg-0a1b as workers of a",
    ]);
  });

  it("because they count for another hosted cluster, or for another role", async () => {
    const groups = (controlPlane: string[], workers: string[]) => ({
      securityGroups: { controlPlane, workers },
    });
    expect(
      await notesWith(
        { name: "a", platform: "None", ...groups(["hosts"], ["nodes", "hosts"]) },
        { name: "b", platform: "None", ...groups(["hosts"], []) },
      ),
    ).toEqual([
      "note  security groups are judged for one role only, not for: hosts as workers of a (counts as control-plane of a)",
    ]);
  });

  it("but not if the input has no security group at all", async () => {
    const secret = folder.write("b.yaml", object("v1", "Service"));
    const config = folder.write(
      "c.yaml",
      "hostedClusters: [{ name: a, platform: None, securityGroups: { workers: [nodes] } }]\n",
    );
    expect(await notes(secret, "--config", config)).toEqual([]);
  });
});

describe("check names filters that it does not read", () => {
  const read = () => [step("create", state(TYPE.vpc, "net", { cidrBlock: "10.0.0.0/16" }))];
  const notesOf = (...steps: ReturnType<typeof step>[]) =>
    notes(folder.write("plan.json", preview([...read(), ...steps])));
  const made = (type: string, name: string) => step("create", state(type, name, {}));

  it("by type and count, next to what is judged", async () => {
    expect(
      await notesOf(
        made("aws-native:ec2:SecurityGroupIngress", "a"),
        made("aws-native:ec2:SecurityGroup", "b"),
        made("aws-native:ec2:SecurityGroup", "c"),
      ),
    ).toEqual([
      "note  filters that are not read: aws-native:ec2:SecurityGroup (2), aws-native:ec2:SecurityGroupIngress (1): what they allow or block is unknown",
    ]);
  });

  it.each([
    "azure-native:network:NetworkSecurityGroup",
    "azure-native:network:SecurityRule",
    "azure:network/networkSecurityRule:NetworkSecurityRule",
    "gcp:compute/firewall:Firewall",
    "gcp:compute/regionNetworkFirewallPolicyRule:RegionNetworkFirewallPolicyRule",
    "openstack:networking/secGroupRule:SecGroupRule",
    "ibm:index/isSecurityGroup:IsSecurityGroup",
    "aws-native:ec2:NetworkAclEntry",
    "aws:networkfirewall/firewall:Firewall",
    "aws:ec2/vpcBlockPublicAccessOptions:VpcBlockPublicAccessOptions",
    "aws-native:ec2:VpcBlockPublicAccessOptions",
    "rosa:tf:aws_vpc_security_group_ingress_rule",
    "rosa:tf:aws_network_acl",
    "kubernetes:cilium.io/v2:CiliumNetworkPolicy",
    "kubernetes:k8s.cni.cncf.io/v1beta1:MultiNetworkPolicy",
    "kubernetes:network.openshift.io/v1:EgressNetworkPolicy",
    "kubernetes:crd.antrea.io/v1beta1:ClusterNetworkPolicy",
  ])("%s", async (type) => {
    expect(await notesOf(made(type, "a"))).toEqual([expect.stringContaining(`${type} (1)`)]);
  });

  it.each([
    "aws-native:ec2:Vpc",
    "aws-native:ec2:Subnet",
    "vpc:tf:aws_vpc",
    "azure-native:network:VirtualNetwork",
    "gcp:compute/subnetwork:Subnetwork",
  ])("and networks that it does not read: %s", async (type) => {
    expect(await notesOf(made(type, "a"))).toEqual([
      `note  networks that are not read: ${type} (1): whether they share addresses with a cluster is unknown`,
    ]);
  });

  it.each([
    ["v1alpha1", "AdminNetworkPolicy"],
    ["v1alpha1", "BaselineAdminNetworkPolicy"],
    ["v1beta1", "ClusterNetworkPolicy"],
  ] as const)("but not %s %s, which it reads", async (version, kind) => {
    const type = `kubernetes:policy.networking.k8s.io/${version}:${kind}`;
    expect(await notesOf(step("create", state(type, "a", policyWith(kind, {}))))).toEqual([]);
  });

  it.each([
    "kubernetes:networking.k8s.io/v1:NetworkPolicyPatch",
    "aws:ec2/networkInterfaceSecurityGroupAttachment:NetworkInterfaceSecurityGroupAttachment",
    "aws:s3/bucketPolicy:BucketPolicy",
    "aws:ec2/defaultVpc:DefaultVpc",
    "aws:ec2/vpcEndpoint:VpcEndpoint",
  ])("but not %s", async (type) => {
    expect((await notesOf(made(type, "a"))).filter((note) => note.includes("are not read"))).toEqual([]);
  });

  it("but not components, whose children are listed by themselves", async () => {
    const component = state("acme:net:Firewall", "outer", {});
    const child = { ...state(TYPE.vpc, "inner", { cidrBlock: "10.1.0.0/16" }), parent: component.urn };
    expect(await notesOf(step("create", component), step("create", child))).toEqual([]);
  });
});

test("each rule's example has a resource of a kind that is judged", () => {
  const examples = Object.entries(ruleExamples);
  for (const [id, { violated }] of examples) {
    // The first resource is the hosted cluster that accompanies every example; ConfigMaps are read for it.
    const [cluster, ...others] = exampleResources(violated).filter(
      ({ type }) => !type.endsWith(":ConfigMap"),
    );
    expect([id, isJudged(cluster!.type)]).toEqual([id, true]);
    if (others.length > 0) expect([id, others.some(({ type }) => isJudged(type))]).toEqual([id, true]);
  }
});
