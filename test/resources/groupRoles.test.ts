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
import { hostedCluster, resource, urnOf, type Properties } from "../rules/builders";

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
    expect(taggedRole(group(properties))).toEqual(role);
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
    ["the cluster", { [ROLE]: "workers", [CLUSTER]: UNKNOWN }, `tags["${CLUSTER}"]`, undefined],
  ])("leave the role open and report what is unknown: %s", (_, tags, path, reason) => {
    const own = group({ tags });
    expect(taggedRole(own)).toEqual({ unknown: [{ resource: own, path, ...(reason && { reason }) }] });
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
});
