import {
  clustersWith,
  type ConfiguredGroups,
  isAmbiguous,
  isOfListing,
  knownClusters,
  NOT_CONFIGURED,
  reasonOfAmbiguity,
} from "../../src/resources/groupRoles";
import { Role } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { nodePool, resource, type Properties } from "../rules/builders";

const KIND = "hypershift.openshift.io/v1beta1:HostedCluster";
const hosted = (name: PropertyValue, namespace?: string, kind = KIND): Resource =>
  resource(`kubernetes:${kind}`, `${namespace} ${typeof name === "string" ? name : "unknown"}`, {
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  });
const component = (topology: Properties): Resource =>
  resource("hypershift-network:index:HostedClusterNetwork", "ours", { topology });
const listing = (
  cluster: string,
  groups: ConfiguredGroups["groups"] = {},
  namespace?: string,
): ConfiguredGroups => ({
  cluster,
  namespace: namespace ?? "clusters",
  ...(namespace !== undefined && { isNamespaced: true }),
  groups,
});
const known = (resources: readonly Resource[], ...configured: ConfiguredGroups[]) =>
  Object.fromEntries(knownClusters(new ResourceIndex(resources), configured));

describe("the hosted clusters of a plan", () => {
  const one = { a: "team/a", "team/a": "team/a" };

  test.each<[string, Resource[], ConfiguredGroups[], object]>([
    ["are its HostedClusters, by key and by name", [hosted("a", "team")], [], one],
    ["are those of its components", [component({ name: "a", namespace: "team" })], [], one],
    ["are those that the configuration lists", [], [listing("a", {}, "team")], one],
    [
      "are those of other resources only if they are hosted clusters",
      [resource("kubernetes:v1:Service", "s", { topology: { name: "b", namespace: "team" } })],
      [],
      {},
    ],
    [
      "have the default namespace if nothing states another",
      [hosted("a")],
      [],
      { a: "clusters/a", "clusters/a": "clusters/a" },
    ],
    [
      "have the stated namespace if another place states only the name",
      [hosted("a", "team")],
      [listing("a")],
      one,
    ],
    ["are none if the name is not known", [hosted(UNKNOWN, "team")], [], {}],
    [
      "are found only by their keys if several have the name",
      [hosted("a", "team"), hosted("a", "other"), hosted("b", "team")],
      [],
      { "team/a": "team/a", "other/a": "other/a", b: "team/b", "team/b": "team/b" },
    ],
  ])("%s", (_, resources, configured, expected) => {
    expect(known(resources, ...configured)).toEqual(expected);
  });

  test.each<[string, string | undefined, Resource[], boolean]>([
    ["names one of them", "a", [hosted("a", "team"), hosted("b", "team")], false],
    ["names several", "a", [hosted("a", "team"), hosted("a", "other")], true],
    ["has a namespace", "team/a", [hosted("a", "team"), hosted("a", "other")], false],
    ["names none", "c", [hosted("a", "team"), hosted("a", "other")], false],
    ["is missing, and there is one", undefined, [hosted("a", "team")], false],
    ["is missing, and there are several", undefined, [hosted("a", "team"), hosted("b", "team")], true],
    [
      "is missing, and one of two has no known name",
      undefined,
      [hosted("a", "team"), hosted(UNKNOWN, "team")],
      true,
    ],
    [
      "is missing, and a patch without a known name is no cluster of its own",
      undefined,
      [hosted("a", "team"), hosted(UNKNOWN, "team", `${KIND}Patch`)],
      false,
    ],
  ])("are ambiguous or not for a tag that %s", (_, cluster, resources, expected) => {
    expect(isAmbiguous(cluster, { index: new ResourceIndex(resources), configured: NOT_CONFIGURED })).toBe(
      expected,
    );
  });

  test("are named in the reason for an ambiguity", () => {
    expect(reasonOfAmbiguity(Role.Workers, undefined)).toBe(
      "it names the role workers, but none of the hosted clusters",
    );
    expect(reasonOfAmbiguity(Role.Workers, "a")).toBe(
      "it names the role workers of cluster a, but several hosted clusters have that name",
    );
  });
});

describe("a cluster that lists groups", () => {
  test.each<[string, string | undefined, ConfiguredGroups, boolean]>([
    ["is the one of its name", "a", listing("a"), true],
    ["is the one of its name in any namespace, if it states none", "team/a", listing("a"), true],
    ["is not one of another name", "team/b", listing("a"), false],
    ["is the one in its namespace", "team/a", listing("a", {}, "team"), true],
    ["is not one in another namespace", "other/a", listing("a", {}, "team"), false],
    ["is not one without a namespace, if it states one", "a", listing("a", {}, "team"), false],
    ["is none if no cluster is stated", undefined, listing("a"), false],
  ])("%s", (_, cluster, one, expected) => {
    expect(isOfListing(cluster, one)).toBe(expected);
  });
});

describe("the clusters whose hosts may have a group", () => {
  const tagged = (name: string, cluster?: string): Resource =>
    resource(TYPE.securityGroup, name, {
      id: `sg-${name}`,
      tags: {
        "hypershift-network/role": "workers",
        ...(cluster !== undefined && { "hypershift-network/cluster": cluster }),
      },
    });
  const attaching = (id: string) =>
    nodePool("np", { clusterName: "b", platform: { aws: { securityGroups: [{ id }] } } }, "team");
  const asked = (group: Resource, more: Resource[], ...configured: ConfiguredGroups[]) =>
    clustersWith({ resource: group }, { index: new ResourceIndex([group, ...more]), configured });

  test("are those of its tags, with their namespace if it is known", () => {
    expect(asked(tagged("one", "a"), [])).toEqual(["a"]);
    expect(asked(tagged("one", "a"), [hosted("a", "team")])).toEqual(["team/a"]);
    expect(asked(tagged("one"), [hosted("a", "team")])).toEqual([undefined]);
  });

  test("are also those that list it in any role", () => {
    const workers = listing("a", { workers: ["sg-one"] }, "team");
    const control = listing("c", { "control-plane": ["sg-one"] }, "team");
    expect(new Set(asked(tagged("one", "a"), [], workers, control))).toEqual(new Set(["team/a", "team/c"]));
  });

  test("are also those whose NodePools attach it, in the stack or not", () => {
    expect(new Set(asked(tagged("one", "a"), [attaching("sg-one")]))).toEqual(new Set(["a", "team/b"]));
    expect(asked(tagged("one", "a"), [attaching("sg-two")])).toEqual(["a"]);
    const control = listing("c", { "control-plane": ["sg-far"] }, "team");
    const plan = { index: new ResourceIndex([attaching("sg-far")]), configured: [control] };
    expect(new Set(clustersWith({ id: "sg-far" }, plan))).toEqual(new Set(["team/b", "team/c"]));
  });
});
