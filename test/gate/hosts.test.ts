import { undecidedFlows } from "../../src/gate/hosts";
import { JudgedResources } from "../../src/gate/judgedResources";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import {
  group,
  hostedCluster,
  HOSTED_CLUSTER,
  resource,
  tags,
  tcp,
  type Properties,
} from "../rules/builders";

const judgedWith = (resources: readonly Resource[], hostedClusters: readonly object[] = []) =>
  new JudgedResources(resources, readConfiguration({ hostedClusters }, "c.yaml").configuration);
const tagged = (name: string, role: string, cluster?: string, more: Properties = {}) =>
  group(name, [], { tags: tags(role, cluster), ...more });
const acl = (name: string, its: Properties, more: Properties = {}) =>
  resource(TYPE.networkAcl, name, { tags: its, ingress: [], egress: [], ...more });
/** The groups and ACLs in front of each role: `tenant-a workers: nodes | acl`. */
const hostsOf = (...args: Parameters<typeof judgedWith>) =>
  judgedWith(...args).hosts.map(({ cluster, role, groups, acls }) => {
    const names = groups.map(({ group: one }) => one.resource?.name ?? one.id).join(" ");
    return `${cluster.name} ${role}: ${[names, acls.map(({ resource: one }) => one?.name).join(" ")].join(" | ")}`;
  });

describe("the filters in front of the hosts of a role are", () => {
  it.each<[string, Resource[], string[]]>([
    ["none if there are no groups and ACLs", [hostedCluster()], []],
    ["none if their cluster is not in the input", [tagged("a", "workers")], []],
    [
      "all groups with that role",
      [hostedCluster(), tagged("a", "workers"), tagged("b", "workers"), tagged("c", "control-plane")],
      ["tenant-a workers: a b | ", "tenant-a control-plane: c | "],
    ],
    [
      "those of the same cluster",
      [
        hostedCluster(),
        hostedCluster({}, "tenant-b"),
        tagged("a", "workers"),
        tagged("b", "workers", "tenant-b"),
      ],
      ["tenant-a workers: a | ", "tenant-b workers: b | "],
    ],
    ["no groups of an unknown role", [hostedCluster(), tagged("a", "bastion")], []],
    [
      "ACLs without groups",
      [hostedCluster(), acl("n", tags("control-plane"))],
      ["tenant-a control-plane:  | n"],
    ],
    [
      "for the private endpoint also the ACL of the workers, because it is in their subnets",
      [hostedCluster(), acl("n", tags("workers")), tagged("e", "private-endpoint")],
      ["tenant-a private-endpoint: e | n", "tenant-a workers:  | n"],
    ],
    [
      "the groups of each VPC separately, and ACLs once",
      [
        hostedCluster(),
        tagged("a", "workers", "tenant-a", { vpcId: "vpc-1" }),
        tagged("b", "workers", "tenant-a", { vpcId: "vpc-2" }),
        tagged("c", "workers"),
        acl("n", tags("workers")),
      ],
      ["tenant-a workers: a c | n", "tenant-a workers: b c | ", "tenant-a private-endpoint:  | n"],
    ],
    [
      "none for a cluster that is only patched",
      [
        resource(`${HOSTED_CLUSTER}Patch`, "p", {
          metadata: { name: "tenant-a", namespace: "clusters" },
          spec: {},
        }),
        tagged("a", "workers"),
      ],
      [],
    ],
  ])("%s", (_, resources, expected) => expect(hostsOf(resources)).toEqual(expected));

  it("known with the rules of all groups", () => {
    const both = [1, 2].map((port) => group(`g-${port}`, [tcp(port, "10.0.0.0/8")], { tags: tags() }));
    const [hosts] = judgedWith([hostedCluster(), ...both]).hosts;
    expect(hosts!.rules.map(({ ports }) => ports)).toEqual([
      { from: 1, to: 1 },
      { from: 2, to: 2 },
    ]);
  });
});

describe("the clusters that a tag or an entry names are", () => {
  const named = (resources: Resource[], name: string | undefined) =>
    judgedWith(resources)
      .clustersNamed(name)
      .map(({ key }) => key);
  const [a, b] = [hostedCluster(), hostedCluster({}, "tenant-b")];
  const at = (folder: string, one: Resource): Resource => ({
    ...one,
    origin: { file: `${folder}/a.yaml`, line: 1 },
  });
  const called = (name: PropertyValue, namespace: string): Resource => ({
    ...a,
    properties: { ...a.properties, metadata: { name, namespace } },
  });
  const [elsewhere, later] = [called("tenant-a", "team"), called(UNKNOWN, "clusters")];

  it.each<[string, Resource[], string | undefined, string[]]>([
    ["the one with the name", [a, b], "tenant-b", ["clusters/tenant-b"]],
    ["the one with the namespace and name", [a, b, elsewhere], "team/tenant-a", ["team/tenant-a"]],
    ["none if no cluster has the name", [a], "tenant-c", []],
    ["none if clusters in two namespaces have the name", [a, elsewhere], "tenant-a", []],
    ["the only cluster if no name is given", [a], undefined, ["clusters/tenant-a"]],
    [
      "the only cluster if no name is given, even if its name is unknown",
      [later],
      undefined,
      ["clusters/tenant-a"],
    ],
    ["none if a name is given and the name of the only cluster is unknown", [later], "tenant-a", []],
    ["none if no name is given and there are several clusters", [a, b], undefined, []],
    ["none if no name is given and there is no cluster", [], undefined, []],
    [
      "none if clusters in two management clusters have the name, and nothing tells which is meant",
      [at("p", a), at("q", a)],
      "tenant-a",
      [],
    ],
    [
      "both if nothing distinguishes them",
      [at("p", a), at("p", a)],
      "tenant-a",
      ["clusters/tenant-a", "clusters/tenant-a"],
    ],
    [
      "the one in the management cluster after the name",
      [at("p", a), at("q", a)],
      "clusters/tenant-a (q)",
      ["clusters/tenant-a (q)"],
    ],
    [
      "none if no name is given and there are two clusters of unknown name",
      [later, { ...later }],
      undefined,
      [],
    ],
  ])("%s", (_, resources, name, keys) => expect(named(resources, name)).toEqual(keys));
});

describe("the role of a group", () => {
  const free = (name: string, more: Properties = {}) => group(name, [], { tags: {}, ...more });
  const rule = resource(TYPE.ingressRule, "in", { securityGroupId: "sg-7", cidrIpv4: "10.0.0.0/8" });
  const elsewhereToo = {
    ...hostedCluster(),
    properties: { ...hostedCluster().properties, metadata: { name: "tenant-a", namespace: "team" } },
  };
  const workers = (...names: string[]) => ({ securityGroups: { workers: names } });

  it("is the one for which the configuration lists it, in the cluster and namespace of the entry", () => {
    const entry = { name: "tenant-a", ...workers("nodes", "sg-7") };
    expect(hostsOf([hostedCluster(), free("nodes"), rule], [entry])).toEqual([
      "tenant-a workers: nodes sg-7 | ",
    ]);
    expect(hostsOf([hostedCluster(), free("nodes")], [{ ...entry, namespace: "clusters" }])).toHaveLength(1);
    const elsewhere = [{ ...entry, namespace: "team", platform: "None" }];
    expect(judgedWith([hostedCluster(), free("nodes")], elsewhere).groupsInRoles()).toMatchObject([
      { role: "workers", cluster: { key: "team/tenant-a" } },
    ]);
    const inBoth = ["team", "clusters"].map((namespace, n) => ({
      ...entry,
      namespace,
      ...workers(`n-${n}`),
    }));
    expect(
      judgedWith([elsewhereToo, hostedCluster(), free("n-0"), free("n-1")], inBoth)
        .groupsInRoles()
        .map(({ group: one, cluster }) => `${one.resource?.name} ${cluster.key}`),
    ).toEqual(["n-0 team/tenant-a", "n-1 clusters/tenant-a"]);
  });

  it("is known for each group that a rule names, if the group belongs to the same cluster", () => {
    const groups = [
      tagged("nodes", "workers", "tenant-a", { id: "sg-1" }),
      tagged("others", "workers", "tenant-b"),
      // Has no rule, so it is in no list of groups.
      resource(TYPE.securityGroup, "empty", { tags: tags("private-endpoint") }),
      free("free"),
    ];
    const judged = judgedWith(
      [hostedCluster(), hostedCluster({}, "tenant-b"), ...groups, rule],
      [{ name: "tenant-a", ...workers("sg-7", "sg-8") }],
    );
    const { roleOf } = judged.hosts.find(({ cluster }) => cluster.name === "tenant-a")!;
    const of = (one: Resource) => roleOf({ kind: "group", group: one, path: "" });
    const byId = (id: string) => roleOf({ kind: "foreignGroup", id, path: "" });
    expect(groups.map(of)).toEqual(["workers", undefined, "private-endpoint", undefined]);
    expect(["sg-7", "sg-8", "sg-9"].map(byId)).toEqual(["workers", "workers", undefined]);
  });
});

test("flows of a cluster are undecided while a property that determines them is unknown", () => {
  const undecided = (spec: Properties) => {
    const judged = judgedWith([hostedCluster(spec), tagged("a", "workers")]);
    const [hosts] = judged.hosts;
    return undecidedFlows(hosts!.cluster, hosts!.groups[0]!.group.resource!).map(({ path }) => path);
  };
  expect(undecided({})).toEqual([]);
  expect(undecided({ services: UNKNOWN })).toEqual(["spec.services"]);
  expect(undecided({ platform: { type: "AWS", aws: { endpointAccess: UNKNOWN } } })).toEqual([
    "spec.platform.aws.endpointAccess",
  ]);
  expect(undecided({ release: UNKNOWN })).toEqual([]);
});
