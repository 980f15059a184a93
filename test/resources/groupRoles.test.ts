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
      "say its role and its cluster",
      { tags: workers },
      { role: "workers", cluster: "tenant-a", unknown: [] },
    ],
    ["say a role of no cluster", { tags: { [ROLE]: "workers" } }, { role: "workers", unknown: [] }],
    ["say nothing", {}, none],
    ["say nothing of it", { tags: { team: "a" } }, none],
    ["are null", { tags: null, tagsAll: null }, none],
    ["have null for it", { tags: { [ROLE]: null } }, none],
    [
      "may be those of the provider",
      { tagsAll: workers },
      { role: "workers", cluster: "tenant-a", unknown: [] },
    ],
    [
      "go before those of the provider",
      { tags: { [ROLE]: "control-plane" }, tagsAll: workers },
      { role: "control-plane", cluster: "tenant-a", unknown: [] },
    ],
    ["are not looked for where only those of the provider are not known", { tagsAll: UNKNOWN }, none],
    [
      "count as far as they are known",
      { tags: workers, tagsAll: UNKNOWN },
      { role: "workers", cluster: "tenant-a", unknown: [] },
    ],
  ])("%s", (_, properties, role) => {
    expect(taggedRole(group(properties))).toEqual(role);
  });

  test.each<[string, PropertyValue, string, string | undefined]>([
    ["all of them", UNKNOWN, "tags", undefined],
    ["what is no map", ["workers"], "tags", undefined],
    ["the role", { [ROLE]: UNKNOWN }, `tags["${ROLE}"]`, undefined],
    ["a role that is no text", { [ROLE]: 7 }, `tags["${ROLE}"]`, undefined],
    [
      "a role that there is not",
      { [ROLE]: "master" },
      `tags["${ROLE}"]`,
      "it is not one of control-plane, workers, private-endpoint",
    ],
    ["the cluster", { [ROLE]: "workers", [CLUSTER]: UNKNOWN }, `tags["${CLUSTER}"]`, undefined],
  ])("leave open what is not known: %s", (_, tags, path, reason) => {
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

  test("is that which the configuration lists, by its name, id or URN, before all else", () => {
    for (const name of ["hosts", "sg-1", "shown", urnOf(TYPE.securityGroup, "hosts")])
      expect(of(group({ id: "sg-1", name: "shown", tags }), [listing("a", { workers: [name] })])).toEqual({
        role: "workers",
        cluster: "a",
        unknown: [],
      });
    expect(of(group({ tags }), [listing("a", { workers: ["other"] })])).toMatchObject({ cluster: "tagged" });
  });

  test("is shared by all clusters that list it in that role; the first role counts", () => {
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

  test("listed by two names is the one that is listed first", () => {
    const configured = [listing("a", { workers: ["sg-1"] }), listing("b", { workers: ["hosts"] })];
    expect(of(group({ id: "sg-1" }), configured)).toMatchObject({ cluster: "a" });
    expect(of(group({ id: "sg-1" }), [...configured].reverse())).toMatchObject({ cluster: "b" });
  });

  describe("that a component makes", () => {
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
        "its name, with more behind it",
        "tenant-private-endpoint-ingress",
        { name: "a", namespace: "n" },
        { role: "private-endpoint", cluster: "n/a", unknown: [] },
      ],
      ["its name without the component's", "workers", {}, { role: "workers", unknown: [] }],
      ["nothing", "tenant-workersets", { name: "a" }, none],
    ])("is said by %s", (_, name, topology, role) => {
      expect(named(name, topology)).toEqual(role);
    });

    test("is said by its tags, or by its component where that has one role", () => {
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

  describe("that HyperShift makes", () => {
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

    test("is that whose id a HostedCluster shows", () => {
      expect(of(group({ id: "sg-1", tags }), NOT_CONFIGURED, cluster("sg-1"))).toEqual(made);
      expect(foreign("sg-1", cluster("sg-1"))).toEqual(made);
      expect(foreign("sg-2", cluster("sg-1"))).toEqual(none);
    });

    test.each<[string, Resource]>([
      ["an id that is not known", cluster(UNKNOWN)],
      ["an empty one", cluster("")],
      ["a cluster without a namespace", cluster("sg-1", { name: "tenant-a" })],
      ["a cluster whose name is not known", cluster("sg-1", { name: UNKNOWN, namespace: "clusters" })],
    ])("is none with %s", (_, one) => {
      expect([foreign("sg-1", one), foreign("", one)]).toEqual([none, none]);
    });

    test("is that of every HostedCluster that shows its id", () => {
      const [, ...others] = ["tenant-a", "tenant-b", "tenant-c"].map((name) =>
        cluster("sg-1", { name, namespace: "clusters" }),
      );
      expect(foreign("sg-1", cluster("sg-1"), ...others)).toEqual({
        ...made,
        sharedWith: ["clusters/tenant-b", "clusters/tenant-c"],
      });
      expect(foreign("sg-1", cluster("sg-1"), cluster("sg-1"))).toEqual(made);
    });

    test("is what the configuration lists by its id, too", () => {
      const configured = [{ cluster: "a", namespace: "clusters", groups: { "control-plane": ["sg-1"] } }];
      expect(roleOfForeignGroup("sg-1", undefined, new ResourceIndex([cluster("sg-1")]), configured)).toEqual(
        {
          role: "control-plane",
          cluster: "a",
          unknown: [],
        },
      );
    });

    test("is that of the component which wrote a rule of it", () => {
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
