import { parseDocument } from "yaml";
import { JudgedResources } from "../../src/gate/judgedResources";
import { Level } from "../../src/gate/rule";
import { answerPlan } from "../../src/reachability/answers/answerPlan";
import type { FlowAnswer } from "../../src/reachability/answers/answer";
import { Proof } from "../../src/reachability/proof/prove";
import type { PropertyValue, Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { rules } from "../../src/rules";
import { isolatedPlan } from "../reachability/path/plan";
import { pinned, said } from "../reachability/path/clusters";
import { hostedCluster, HOSTED_CLUSTER, violations } from "./builders";

const rule = rules.find(({ id }) => id === "object-twice")!;
const NAMESPACE = "clusters-tenant-a";

const inFile = (
  file: string,
  line: number,
  type: string,
  metadata: PropertyValue,
  spec: string,
): Resource => ({
  origin: { file, line },
  type: `kubernetes:${type}`,
  name: "mine",
  properties: { metadata, spec: parseDocument(spec).toJS() as PropertyValue },
});
const policy = (file: string, line: number, spec: string, namespace = NAMESPACE, name = "mine") =>
  inFile(file, line, "networking.k8s.io/v1:NetworkPolicy", { name, namespace }, spec);
const admin = (file: string, line: number, action: string, name = "mine") =>
  inFile(
    file,
    line,
    "policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    { name },
    `{ priority: 1, subject: { namespaces: { matchLabels: { kubernetes.io/metadata.name: ${NAMESPACE} } } },
       ingress: [{ action: ${action}, from: [{ namespaces: {} }] }],
       egress: [{ action: ${action}, to: [{ networks: [0.0.0.0/0] }] }] }`,
  );
const firewall = (file: string, line: number, spec: string) =>
  inFile(file, line, "k8s.ovn.org/v1:EgressFirewall", { name: "default", namespace: "shop" }, spec);
const DENY = "{ podSelector: {}, policyTypes: [Egress] }";
const ALLOW = "{ podSelector: {}, policyTypes: [Egress], egress: [{}] }";
const cluster = (file: string, name = "tenant-a"): Resource => ({
  ...hostedCluster({ platform: { type: "None" }, services: [] }, name),
  origin: { file, line: 1 },
});

const found = (...resources: Resource[]) =>
  violations(rule, resources).map(({ resource, level, message, fix }) => ({
    at: `${resource.file}:${resource.line}`,
    level,
    message,
    fix,
  }));
const HTTPS = "control-plane-egress-https";
const everything = said({ platform: "None", services: pinned });
/** The answer of prove for a flow, by default for HTTPS from pods of the control plane. */
function flowOf({ resources, clusters }: JudgedResources, at = 0, asked = HTTPS): FlowAnswer {
  const { placement, names } = clusters[at]!.topology!;
  const topology = { ...everything, ...(placement && { placement }), ...(names && { names }) };
  const index = new ResourceIndex([...resources, ...isolatedPlan(topology)]);
  const { flows } = answerPlan({ index, topology });
  return flows.find(({ key }) => key === asked)!;
}

const flow = (...resources: Resource[]) => flowOf(new JudgedResources([cluster("a.yaml"), ...resources]));
const proof = (...resources: Resource[]) => flow(...resources).proof;

describe("M19 two objects of the same kind, namespace and name", () => {
  const allow = policy("a.yaml", 10, ALLOW);
  const deny = policy("b.yaml", 1, DENY);

  test("are one object whatever namespaces are stated, if the kind is cluster-scoped", () => {
    const inNamespace = (one: Resource, namespace: string) => ({
      ...one,
      properties: { ...one.properties, metadata: { name: "mine", namespace } },
    });
    const rivals = [admin("a.yaml", 1, "Deny"), admin("b.yaml", 1, "Allow")];
    expect(found(...rivals.map((one, at) => inNamespace(one, `n${at}`)))).toHaveLength(2);
    expect(found(inNamespace(allow, "one"), inNamespace(deny, "two"))).toEqual([]);
  });

  test("are an error at each of them if they differ, and each error names the other", () => {
    const message = "another object of this name has different content, and the API server keeps one of them";
    const fix = "keep only one of them, or give each its own name: another one is at";
    expect(found(allow, deny)).toEqual([
      { at: "a.yaml:10", level: Level.Error, message, fix: `${fix} b.yaml:1` },
      { at: "b.yaml:1", level: Level.Error, message, fix: `${fix} a.yaml:10` },
    ]);
    const many = [1, 2, 3, 4, 5].map((line) => policy("c.yaml", line, DENY));
    expect(found(allow, ...many)[0]?.fix).toBe(`${fix} c.yaml:1, c.yaml:2, c.yaml:3 and 2 more`);
  });

  test("prove and refute nothing by content that differs, in either order", () => {
    expect(proof(allow)).toBe(Proof.Proved);
    const both = flow(allow, deny);
    expect(both).toMatchObject({ proof: Proof.Unknown });
    expect(JSON.stringify(both)).toContain("it is written at a.yaml:10 and b.yaml:1, with different content");
    expect(flow(deny, allow)).toEqual(both);
  });

  test("make content unknown that a patch of an object changes", () => {
    const patch = (spec: string) => {
      const one = policy("b.yaml", 1, spec);
      return { ...one, type: `${one.type}Patch` };
    };
    expect(proof(allow, patch("{ egress: [] }"))).toBe(Proof.Unknown);
    expect(proof(allow, patch("{ egress: [{}] }"))).toBe(Proof.Proved);
    expect(proof(allow, patch("{ ingress: [{}] }"))).toBe(Proof.Proved);
    expect(proof(allow, { ...patch("{}"), properties: { metadata: allow.properties.metadata! } })).toBe(
      Proof.Proved,
    );
  });

  test("still prove flows by content that they have in common", () => {
    const again = policy(
      "b.yaml",
      1,
      "{ podSelector: {}, policyTypes: [Egress], egress: [{}], ingress: [{}] }",
    );
    expect(found(allow, again)).toHaveLength(2);
    expect(proof(allow, again)).toBe(Proof.Proved);
    const narrow = again.properties.spec as object;
    const etcd = { podSelector: { matchLabels: { app: "etcd" } } };
    const other = { ...again, properties: { ...again.properties, spec: { ...narrow, ...etcd } } };
    expect(proof(other, policy("c.yaml", 1, DENY, NAMESPACE, "other"))).toBe(Proof.Unknown);
  });

  test("count once if their content is the same, with a note", () => {
    const copy = policy("b.yaml", 7, "{ egress: [{}], policyTypes: [Egress], podSelector: {} }");
    expect(found(allow, copy).map(({ level }) => level)).toEqual([Level.Note, Level.Note]);
    expect(flow(allow, copy)).toEqual(flow(allow));
    expect(found(allow, copy)[0]!.message).toContain("this object is written again");
  });

  test.each([
    ["{ podSelector: {} }", "{ podSelector: {}, policyTypes: [Ingress], egress: [] }"],
    [
      "{ podSelector: {}, egress: [{}] }",
      "{ podSelector: {}, policyTypes: [Egress, Ingress], egress: [{}] }",
    ],
    [
      "{ podSelector: {}, ingress: [{ ports: [{ port: 53 }] }] }",
      "{ podSelector: {}, policyTypes: [Ingress], ingress: [{ from: [], ports: [{ protocol: TCP, port: 53 }] }] }",
    ],
  ])("have the same content if one of them has the defaults of the API server: %s", (written, served) => {
    const levels = found(policy("a.yaml", 1, written), policy("b.yaml", 1, served)).map(({ level }) => level);
    expect(levels).toEqual([Level.Note, Level.Note]);
  });

  test.each([
    ["{ podSelector: {} }", "{ podSelector: {}, policyTypes: [Ingress, Egress] }"],
    ["{ podSelector: {}, egress: [{}] }", "{ podSelector: {}, policyTypes: [Ingress], egress: [{}] }"],
    [
      "{ podSelector: {}, ingress: [{ from: [{ namespaceSelector: {} }] }] }",
      "{ podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] }",
    ],
    [
      "{ podSelector: {}, ingress: [{ ports: [{ port: 53 }] }] }",
      "{ podSelector: {}, ingress: [{ ports: [{ protocol: UDP, port: 53 }] }] }",
    ],
  ])("do not have the same content if they differ in meaning: %s", (one, other) => {
    const levels = found(policy("a.yaml", 1, one), policy("b.yaml", 1, other)).map(({ level }) => level);
    expect(levels).toEqual([Level.Error, Level.Error]);
  });

  test("are also found for policies of administrators, whatever the API version", () => {
    const [one, other] = [admin("a.yaml", 2, "Allow"), admin("b.yaml", 3, "Deny")];
    expect(found(one, other).map(({ level }) => level)).toEqual([Level.Error, Level.Error]);
    expect([proof(one), proof(other), proof(one, other)]).toEqual([
      Proof.Proved,
      Proof.Refuted,
      Proof.Unknown,
    ]);
    expect(flow(one, other)).toEqual(flow(other, one));
    const cnp = (version: string, line: number) =>
      inFile(
        "a.yaml",
        line,
        `policy.networking.k8s.io/${version}:ClusterNetworkPolicy`,
        { name: "x" },
        `{ tier: Admin, priority: ${line} }`,
      );
    expect(found(cnp("v1alpha2", 1), cnp("v1beta1", 2))).toHaveLength(2);
    expect(found(admin("a.yaml", 2, "Allow"), admin("a.yaml", 3, "Deny", "another"))).toEqual([]);
  });

  test("are also found for egress firewalls of one namespace", () => {
    const [open, shut] = [
      firewall("a.yaml", 1, "{ egress: [{ type: Allow, to: { cidrSelector: 0.0.0.0/0 } }] }"),
      firewall("b.yaml", 1, "{ egress: [{ type: Deny, to: { cidrSelector: 0.0.0.0/0 } }] }"),
    ];
    const dns = (...resources: Resource[]) =>
      flowOf(new JudgedResources([cluster("a.yaml"), ...resources]), 0, "namespace-shop-dns-udp");
    expect([dns(open).proof, dns(shut).proof, dns(open, shut).proof]).toEqual([
      Proof.Proved,
      Proof.Refuted,
      Proof.Unknown,
    ]);
    expect(dns(open, shut)).toEqual(dns(shut, open));
    expect(dns(open, { ...open, origin: shut.origin })).toEqual(dns(open));
  });

  test("are a note if they are in two folders, and a cluster gets the one nearest to it", () => {
    const [stage, prod] = [admin("fleet/stage/x.yaml", 1, "Allow"), admin("fleet/prod/x.yaml", 1, "Deny")];
    expect(found(stage, prod).map(({ level }) => level)).toEqual([Level.Note, Level.Note]);
    expect(
      found(stage, prod, cluster("fleet/stage/a.yaml", "one"), cluster("fleet/prod/a.yaml", "two")),
    ).toEqual([]);
    const near = (file: string) => flowOf(new JudgedResources([cluster(file), stage, prod])).proof;
    expect(["fleet/prod", "fleet/stage", "fleet"].map((folder) => near(`${folder}/a.yaml`))).toEqual([
      Proof.Refuted,
      Proof.Proved,
      Proof.Unknown,
    ]);
  });

  test("count separately in two folders that each have a cluster of the same name", () => {
    const proofs = (stage: Resource, prod: Resource) => {
      const clusters = ["stage", "prod"].map((folder) => cluster(`fleet/${folder}/a.yaml`));
      const judged = new JudgedResources([...clusters, stage, prod]);
      expect(violations(rule, judged.resources)).toEqual([]);
      expect(judged.clusters.map(({ key }) => key)).toEqual([
        "clusters/tenant-a (stage)",
        "clusters/tenant-a (prod)",
      ]);
      return judged.clusters.map((_, at) => flowOf(judged, at).proof);
    };
    const [stage, prod] = ["fleet/stage/x.yaml", "fleet/prod/x.yaml"] as const;
    expect(proofs(admin(stage, 1, "Allow"), admin(prod, 1, "Deny"))).toEqual([Proof.Proved, Proof.Refuted]);
    expect(proofs(admin(stage, 1, "Allow"), admin(prod, 1, "Deny", "b"))).toEqual([
      Proof.Proved,
      Proof.Refuted,
    ]);
    expect(proofs(policy(stage, 1, DENY), policy(prod, 1, ALLOW))).toEqual([Proof.Unknown, Proof.Proved]);
  });

  test("do not conflict with two providers, or if one of them runs and the other is planned", () => {
    const of = (provider: string, one: Resource): Resource => ({
      ...one,
      origin: { urn: `${provider} ${one.origin.line}` },
      provider,
    });
    expect(found(of("a", allow), of("b", deny))).toEqual([]);
    expect(found(of("a", allow), of("a", deny))).toHaveLength(2);
    const runs: Resource = { ...deny, origin: { live: "NetworkPolicy mine", runsIn: "cluster/x" } };
    expect(found(allow, runs)).toEqual([]);
    expect(proof(allow, runs)).toBe(Proof.Proved);
  });

  test("are a note if their namespace may be in several hosted clusters", () => {
    const both = [policy("a.yaml", 1, DENY, "shop"), policy("a.yaml", 2, ALLOW, "shop")] as const;
    expect(found(...both).map(({ level }) => level)).toEqual([Level.Error, Level.Error]);
    const clusters = [cluster("a.yaml"), cluster("a.yaml", "tenant-b")];
    expect(found(...both, ...clusters).map(({ level }) => level)).toEqual([Level.Note, Level.Note]);
  });

  test.each([
    ["another namespace", policy("a.yaml", 1, DENY, "other")],
    ["another name", policy("a.yaml", 1, DENY, NAMESPACE, "other")],
    ["another kind", { ...deny, type: "kubernetes:networking.k8s.io/v1:Ingress" }],
    ["the type of a patch", { ...deny, type: `${deny.type}Patch` }],
    ["a name that the API server generates", { ...deny, properties: { metadata: { generateName: "mine" } } }],
    ["the type of a HostedCluster", { ...deny, type: HOSTED_CLUSTER }],
  ])("are not found if one of them has %s", (_, other) => {
    expect(found(allow, other)).toEqual([]);
  });
});

describe("an object that the plan deletes under another resource name", () => {
  const made = firewall("stack.json", 1, "{ egress: [] }");
  const by = { ...made, name: "old" };
  const revoked = [{ path: "", by, once: "name" }];

  test("is found if its kind is judged", () => {
    expect(violations(rule, [{ ...made, revoked }])).toMatchObject([
      {
        resource: made.origin,
        path: "",
        message:
          "has the same name as EgressFirewall old, which the update deletes last: this resource is refused as a duplicate, or the deletion removes it too",
        fix: "keep its resource name, add an alias if the name changes, or first run an update that sets retainOnDelete on the old one",
      },
    ]);
  });

  test("is ignored if its kind is not judged", () => {
    expect(violations(rule, [{ ...made, type: "kubernetes:core/v1:Secret", revoked }])).toEqual([]);
  });
});
