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
/** Who stands before whom: `tenant-a workers: nodes | acl`. */
const hostsOf = (...args: Parameters<typeof judgedWith>) =>
  judgedWith(...args).hosts.map(({ cluster, role, groups, acls }) => {
    const names = groups.map(({ group: one }) => one.resource?.name ?? one.id).join(" ");
    return `${cluster.name} ${role}: ${[names, acls.map(({ resource: one }) => one?.name).join(" ")].join(" | ")}`;
  });

describe("what stands before the hosts of a role", () => {
  it.each<[string, Resource[], string[]]>([
    ["nothing", [hostedCluster()], []],
    ["nothing of a cluster that is not there", [tagged("a", "workers")], []],
    [
      "all groups with it",
      [hostedCluster(), tagged("a", "workers"), tagged("b", "workers"), tagged("c", "control-plane")],
      ["tenant-a workers: a b | ", "tenant-a control-plane: c | "],
    ],
    [
      "those of its own cluster",
      [
        hostedCluster(),
        hostedCluster({}, "tenant-b"),
        tagged("a", "workers"),
        tagged("b", "workers", "tenant-b"),
      ],
      ["tenant-a workers: a | ", "tenant-b workers: b | "],
    ],
    ["no group of a role that there is not", [hostedCluster(), tagged("a", "bastion")], []],
    ["ACLs alone", [hostedCluster(), acl("n", tags("control-plane"))], ["tenant-a control-plane:  | n"]],
    [
      "that of the workers before the private endpoint too, which is in their subnets",
      [hostedCluster(), acl("n", tags("workers")), tagged("e", "private-endpoint")],
      ["tenant-a private-endpoint: e | n", "tenant-a workers:  | n"],
    ],
    [
      "the groups of each VPC, and ACLs once",
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
      "nothing of a cluster that is only patched",
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

  it("the rules of all of its groups", () => {
    const both = [1, 2].map((port) => group(`g-${port}`, [tcp(port, "10.0.0.0/8")], { tags: tags() }));
    const [hosts] = judgedWith([hostedCluster(), ...both]).hosts;
    expect(hosts!.rules.map(({ ports }) => ports)).toEqual([
      { from: 1, to: 1 },
      { from: 2, to: 2 },
    ]);
  });
});

describe("the cluster that a tag or an entry names", () => {
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
    ["by its name", [a, b], "tenant-b", ["clusters/tenant-b"]],
    ["by namespace and name", [a, b, elsewhere], "team/tenant-a", ["team/tenant-a"]],
    ["by a name that no one has", [a], "tenant-c", []],
    ["by one of two that are two", [a, elsewhere], "tenant-a", []],
    ["by no name, where there is one", [a], undefined, ["clusters/tenant-a"]],
    ["by no name, where there is one whose name is not known", [later], undefined, ["clusters/tenant-a"]],
    ["by a name that is not known", [later], "tenant-a", []],
    ["by no name, where there are several", [a, b], undefined, []],
    ["by no name, where there is none", [], undefined, []],
    [
      "by one that is in two management clusters",
      [at("p", a), at("q", a)],
      "tenant-a",
      ["clusters/tenant-a (p)", "clusters/tenant-a (q)"],
    ],
    [
      "by the management cluster behind it",
      [at("p", a), at("q", a)],
      "clusters/tenant-a (q)",
      ["clusters/tenant-a (q)"],
    ],
    ["by no name, where two are not known", [later, { ...later }], undefined, []],
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

  it("is the one for which the configuration lists it, of which cluster and in which namespace", () => {
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

  it("is that of what a rule names, as long as it is of the same cluster", () => {
    const groups = [
      tagged("nodes", "workers", "tenant-a", { id: "sg-1" }),
      tagged("others", "workers", "tenant-b"),
      // Without a rule, and so in no list of groups.
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

test("flows of a cluster are not known as long as something is not that decides which there are", () => {
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
