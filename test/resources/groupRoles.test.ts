import {
  clustersOf,
  type ConfiguredGroups,
  type GroupRole,
  NOT_CONFIGURED,
  roleOfForeignGroup,
  roleOfGroup,
  taggedRole,
} from "../../src/resources/groupRoles";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { hostedCluster, nodePool, resource, urnOf, type Properties } from "../rules/builders";

const OURS = "hypershift-network:index:HostedControlPlaneSecurityGroups";
const ROLE = "hypershift-network/role";
const CLUSTER = "hypershift-network/cluster";
const group = (properties: Properties, name = "hosts", more: Partial<Resource> = {}): Resource => ({
  ...resource(TYPE.securityGroup, name, properties),
  ...more,
});
const none = { unknown: [] };

describe("the tags of a group", () => {
  const workers = { [ROLE]: "workers", [CLUSTER]: "tenant-a" };

  test.each<[string, Properties, object]>([
    [
      "state its role and its cluster",
      { tags: workers },
      { role: "workers", cluster: "tenant-a", unknown: [] },
    ],
    ["state a role without a cluster", { tags: { [ROLE]: "workers" } }, { role: "workers", unknown: [] }],
    ["state no role if there are none", {}, none],
    ["state no role without the role tag", { tags: { team: "a" } }, none],
    ["state no role if they are null", { tags: null, tagsAll: null }, none],
    ["state no role if the role tag is null", { tags: { [ROLE]: null } }, none],
    [
      "may come from the provider",
      { tagsAll: workers },
      { role: "workers", cluster: "tenant-a", unknown: [] },
    ],
    [
      "override those of the provider",
      { tags: { [ROLE]: "control-plane" }, tagsAll: workers },
      { role: "control-plane", cluster: "tenant-a", unknown: [] },
    ],
    ["state no role if only those of the provider are unknown", { tagsAll: UNKNOWN }, none],
    [
      "count even if those of the provider are unknown",
      { tags: workers, tagsAll: UNKNOWN },
      { role: "workers", cluster: "tenant-a", unknown: [] },
    ],
  ])("%s", (_, properties, role) => {
    expect(taggedRole(group(properties), new ResourceIndex([]))).toEqual(role);
  });

  test.each<[string, PropertyValue, string, string | undefined]>([
    ["all tags", UNKNOWN, "tags", undefined],
    ["tags that are not a map", ["workers"], "tags", undefined],
    ["the role", { [ROLE]: UNKNOWN }, `tags["${ROLE}"]`, undefined],
    ["a role that is not a string", { [ROLE]: 7 }, `tags["${ROLE}"]`, undefined],
    [
      "a role that does not exist",
      { [ROLE]: "master" },
      `tags["${ROLE}"]`,
      "it is not one of control-plane, workers, private-endpoint",
    ],
  ])("leave the role open and report what is unknown: %s", (_, tags, path, reason) => {
    const own = group({ tags });
    expect(taggedRole(own, new ResourceIndex([]))).toEqual({
      unknown: [{ resource: own, path, ...(reason && { reason }) }],
    });
  });

  test("state the only role that a group may have if only its cluster is unknown", () => {
    const own = group({ tags: { [ROLE]: "workers", [CLUSTER]: UNKNOWN } });
    const unknown = [{ resource: own, path: `tags["${CLUSTER}"]` }];
    expect(taggedRole(own, new ResourceIndex([]))).toEqual({ perhaps: "workers", unknown });
  });
});

describe("the role of a group", () => {
  const tags = { [ROLE]: "control-plane", [CLUSTER]: "tagged" };
  const of = (
    one: Resource,
    configured: readonly ConfiguredGroups[] = NOT_CONFIGURED,
    ...others: Resource[]
  ) => roleOfGroup(one, new ResourceIndex([one, ...others]), configured);
  const listing = (
    cluster: string,
    groups: ConfiguredGroups["groups"],
    more: Partial<ConfiguredGroups> = {},
  ) => ({
    cluster,
    namespace: "clusters",
    groups,
    ...more,
  });

  test("is the role that the configuration lists for its name, ID or URN, before any other source", () => {
    for (const name of ["hosts", "sg-1", "shown", urnOf(TYPE.securityGroup, "hosts")])
      expect(of(group({ id: "sg-1", name: "shown", tags }), [listing("a", { workers: [name] })])).toEqual({
        role: "workers",
        cluster: "a",
        unknown: [],
      });
    expect(of(group({ tags }), [listing("a", { workers: ["other"] })])).toMatchObject({ cluster: "tagged" });
  });

  test("is shared by all clusters that list the group in that role, and the first listed role counts", () => {
    const configured = [
      listing("a", { workers: ["hosts"] }),
      listing("b", { workers: ["hosts"] }, { isNamespaced: true }),
      listing("a", { workers: ["hosts"] }),
      listing("c", { "control-plane": ["hosts"] }),
    ];
    const role = of(group({}), configured);
    expect(role).toEqual({ role: "workers", cluster: "a", sharedWith: ["clusters/b"], unknown: [] });
    expect([clustersOf(role), clustersOf(none)]).toEqual([["a", "clusters/b"], [undefined]]);
  });

  test("comes from the first entry if the configuration lists the group by two names", () => {
    const configured = [listing("a", { workers: ["sg-1"] }), listing("b", { workers: ["hosts"] })];
    expect(of(group({ id: "sg-1" }), configured)).toMatchObject({ cluster: "a" });
    expect(of(group({ id: "sg-1" }), [...configured].reverse())).toMatchObject({ cluster: "b" });
  });

  describe("that a component creates", () => {
    const parent = urnOf(OURS, "tenant");
    const component = (topology: PropertyValue, type = OURS): Resource => ({
      ...resource(type, "tenant", { topology }),
      origin: { urn: parent },
    });
    const named = (name: string, topology: PropertyValue, type?: string, properties: Properties = {}) =>
      of(group(properties, name, { parent }), NOT_CONFIGURED, component(topology, type));

    test.each<[string, string, PropertyValue, GroupRole]>([
      ["its name", "tenant-workers", { name: "a" }, { role: "workers", cluster: "a", unknown: [] }],
      [
        "its name with a suffix",
        "tenant-private-endpoint-ingress",
        { name: "a", namespace: "n" },
        { role: "private-endpoint", cluster: "n/a", unknown: [] },
      ],
      ["its name without the component's name", "workers", {}, { role: "workers", unknown: [] }],
      ["no name that only begins with a role", "tenant-workersets", { name: "a" }, none],
    ])("comes from %s", (_, name, topology, role) => {
      expect(named(name, topology)).toEqual(role);
    });

    test("comes from its tags first, and from its component if that has only one role", () => {
      expect(named("tenant-workers", {}, OURS, { tags })).toEqual({
        role: "control-plane",
        cluster: "tagged",
        unknown: [],
      });
      const endpoint = "hypershift-network:index:PrivateEndpointSecurityGroup";
      expect(named("tenant", { name: "a" }, endpoint)).toMatchObject({
        role: "private-endpoint",
        cluster: "a",
      });
      expect(named("tenant-workers", { name: "a" }, "my:index:Stack")).toEqual(none);
    });
  });

  describe("that HyperShift creates", () => {
    const status = (id: PropertyValue): PropertyValue => ({
      platform: { aws: { defaultWorkerSecurityGroupID: id } },
    });
    const cluster = (id: PropertyValue, metadata?: PropertyValue): Resource => {
      const made = hostedCluster();
      return {
        ...made,
        properties: { ...made.properties, status: status(id), ...(metadata !== undefined && { metadata }) },
      };
    };
    const foreign = (id: string, ...resources: Resource[]) =>
      roleOfForeignGroup(id, undefined, new ResourceIndex(resources), NOT_CONFIGURED);
    const made = { role: "workers", cluster: "clusters/tenant-a", unknown: [] };

    test("comes from the HostedCluster that reports its ID", () => {
      expect(of(group({ id: "sg-1", tags }), NOT_CONFIGURED, cluster("sg-1"))).toEqual(made);
      expect(foreign("sg-1", cluster("sg-1"))).toEqual(made);
      expect(foreign("sg-2", cluster("sg-1"))).toEqual(none);
    });

    test.each<[string, Resource]>([
      ["an unknown ID", cluster(UNKNOWN)],
      ["an empty ID", cluster("")],
      ["a HostedCluster without a namespace", cluster("sg-1", { name: "tenant-a" })],
      ["a HostedCluster with an unknown name", cluster("sg-1", { name: UNKNOWN, namespace: "clusters" })],
    ])("does not come from %s", (_, one) => {
      expect([foreign("sg-1", one), foreign("", one)]).toEqual([none, none]);
    });

    test("is shared by all HostedClusters that report its ID", () => {
      const [, ...others] = ["tenant-a", "tenant-b", "tenant-c"].map((name) =>
        cluster("sg-1", { name, namespace: "clusters" }),
      );
      expect(foreign("sg-1", cluster("sg-1"), ...others)).toEqual({
        ...made,
        sharedWith: ["clusters/tenant-b", "clusters/tenant-c"],
      });
      expect(foreign("sg-1", cluster("sg-1"), cluster("sg-1"))).toEqual(made);
    });

    test("comes from the configuration first, if that lists its ID", () => {
      const configured = [{ cluster: "a", namespace: "clusters", groups: { "control-plane": ["sg-1"] } }];
      expect(roleOfForeignGroup("sg-1", undefined, new ResourceIndex([cluster("sg-1")]), configured)).toEqual(
        {
          role: "control-plane",
          cluster: "a",
          unknown: [],
        },
      );
    });

    test("comes from the component that created one of its rules", () => {
      const parent = urnOf(OURS, "tenant");
      const rule = { ...resource(TYPE.ingressRule, "tenant-workers-ingress-https", {}), parent };
      const component = { ...resource(OURS, "tenant", { topology: { name: "a" } }), origin: { urn: parent } };
      const index = new ResourceIndex([rule, component]);
      expect(roleOfForeignGroup("sg-1", rule, index, NOT_CONFIGURED)).toEqual({
        role: "workers",
        cluster: "a",
        unknown: [],
      });
    });
  });

  describe("that a NodePool attaches", () => {
    const pool = (ids: PropertyValue, clusterName: PropertyValue = "tenant-a", from: Resource[] = []) =>
      nodePool("np", { clusterName, platform: { aws: { securityGroups: ids } } }, "clusters", { spec: from });
    const listing = (...ids: PropertyValue[]): PropertyValue => ids.map((id): Properties => ({ id }));
    const workers = { role: "workers", cluster: "clusters/tenant-a", unknown: [] };
    const named = (role: string, cluster?: string) => ({
      id: "sg-1",
      tags: { [ROLE]: role, ...(cluster !== undefined && { [CLUSTER]: cluster }) },
    });
    const both = { ...workers, cluster: "b", sharedWith: ["clusters/tenant-a"] };
    const master = { [ROLE]: "master" };

    test.each<[string, Properties, object]>([
      ["is that of the cluster's workers without tags", { id: "sg-1" }, workers],
      ["is that of the cluster's workers with unknown tags", { id: "sg-1", tags: UNKNOWN }, workers],
      ["is that of the cluster's workers with a tag that is no role", { id: "sg-1", tags: master }, workers],
      ["takes the cluster from the NodePool if the tags state none", named("workers"), workers],
      ["takes the namespace from the NodePool", named("workers", "tenant-a"), workers],
      ["is shared with the cluster of the tag", named("workers", "b"), both],
      [
        "is another role if the tags state that",
        named("control-plane", "b"),
        { role: "control-plane", cluster: "b", unknown: [] },
      ],
      ["is none if the NodePool lists another group", { id: "sg-2" }, none],
    ])("%s", (_, properties, role) => {
      expect(of(group(properties), NOT_CONFIGURED, pool(listing("sg-0", "sg-1")))).toEqual(role);
    });

    test("is shared by all clusters whose NodePools attach it, each named once", () => {
      const pools = ["tenant-a", "tenant-b", "tenant-a"].map((name) => pool(listing("sg-1"), name));
      const shared = { ...workers, sharedWith: ["clusters/tenant-b"] };
      expect(of(group({ id: "sg-1" }), NOT_CONFIGURED, ...pools)).toEqual(shared);
      expect(roleOfForeignGroup("sg-1", undefined, new ResourceIndex(pools), NOT_CONFIGURED)).toEqual(shared);
    });

    test("comes from the configuration first, which may name other clusters too", () => {
      const configured = (role: "workers" | "control-plane") => [
        { cluster: "b", namespace: "clusters", groups: { [role]: ["sg-1"] } },
      ];
      const one = group({ id: "sg-1" });
      expect(of(one, configured("workers"), pool(listing("sg-1")))).toEqual(both);
      expect(of(one, configured("control-plane"), pool(listing("sg-1")))).toEqual({
        role: "control-plane",
        cluster: "b",
        unknown: [],
      });
    });

    const [first, second] = ["first", "second"].map((name) => group({}, name)) as [Resource, Resource];
    const path = "spec.platform.aws.securityGroups";
    test.each<[string, PropertyValue, Resource[], (string | undefined)[]]>([
      [
        "as many ids as groups that they are made from",
        listing(UNKNOWN, UNKNOWN),
        [first, second],
        ["workers", "workers"],
      ],
      ["only the ids of other groups", listing(UNKNOWN), [second], [undefined, "workers"]],
      ["an unknown list made from one group", UNKNOWN, [second], [undefined, "workers"]],
      ["an unknown list made from several groups", UNKNOWN, [first, second], [path, path]],
      [
        "fewer ids than groups that they may be made from",
        listing(UNKNOWN),
        [first, second],
        [`${path}[0].id`, `${path}[0].id`],
      ],
      ["ids that are made from nothing known", listing(UNKNOWN), [], [undefined, undefined]],
    ])("in a preview follows %s", (_, ids, from, expected) => {
      const made = pool(ids, "tenant-a", from);
      const found = [first, second].map((one) => of(one, NOT_CONFIGURED, first, second, made));
      expect(found.map(({ role, unknown }) => role ?? unknown[0]?.path)).toEqual(expected);
    });

    test("is unknown only if nothing else states it", () => {
      const tagged = group({ tags });
      const made = pool(listing(UNKNOWN), "tenant-a", [tagged, first]);
      expect(of(tagged, NOT_CONFIGURED, first, made)).toEqual(taggedRole(tagged, new ResourceIndex([])));
    });

    test("is unknown if the NodePool's cluster is unknown, unless tags state it", () => {
      const unclaimed = pool(listing("sg-1"), UNKNOWN);
      const role = of(group({ id: "sg-1" }), NOT_CONFIGURED, unclaimed);
      expect(role).toMatchObject({ unknown: [{ resource: unclaimed, path: "spec.clusterName" }] });
      expect(role.role).toBeUndefined();
      expect(of(group(named("workers", "b")), NOT_CONFIGURED, unclaimed)).toMatchObject({
        cluster: "b",
        unknown: [],
      });
    });

    test("is none if the NodePool states an empty id", () => {
      expect(
        roleOfForeignGroup("", undefined, new ResourceIndex([pool(listing(""))]), NOT_CONFIGURED),
      ).toEqual(none);
    });
  });
});
