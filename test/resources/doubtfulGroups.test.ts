import { Role } from "../../src/requirements/vocabulary";
import { doubtfulGroups, MOST_DOUBTFUL } from "../../src/resources/doubtfulGroups";
import { NOT_CONFIGURED } from "../../src/resources/groupRoles";
import { UNKNOWN, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { group, hostedCluster, nodePool, resource, tags } from "../rules/builders";

const ROLE = "hypershift-network/role";
const CLUSTER = "hypershift-network/cluster";
const ofUnknownCluster = (role: string, name = role) =>
  group(name, [], { tags: { [ROLE]: role, [CLUSTER]: UNKNOWN } });
const untagged = (name: string) => group(name, [], { tags: {} });
const choosing = (name: string, ...from: Resource[]) =>
  nodePool(name, { platform: { aws: { securityGroups: [{ id: UNKNOWN }] } } }, "clusters", { spec: from });
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Each list of groups that may belong to workers of tenant-a: `name`, or `name of any role`; `unread` if not all of its rules are. */
function perhapsWorkers(resources: readonly Resource[], name = "tenant-a"): string[] {
  const plan = { index: new ResourceIndex(resources), configured: NOT_CONFIGURED };
  return doubtfulGroups(plan, Role.Workers, { namespace: "clusters", name }).map(({ groups, unread }) =>
    unread
      ? `unread, as ${unread.doubt.resource.name}`
      : groups
          .map(({ group: { resource: its }, isOfRole }) => `${its!.name}${isOfRole ? "" : " of any role"}`)
          .join(", "),
  );
}

describe("the groups that may belong to the workers of a cluster", () => {
  const [one, two] = [untagged("one"), untagged("two")];
  const workers = ofUnknownCluster("workers");
  const later = group("later", [], { tags: { [CLUSTER]: "clusters/tenant-a", [ROLE]: UNKNOWN } });
  const shared = group("shared", [], { tags: { [ROLE]: "workers" } });
  const foreign = resource(TYPE.ingressRule, "rule", { securityGroupId: "sg-elsewhere" });

  test.each<[string, Resource[], string[]]>([
    ["are none without unknown values", [one], []],
    ["are those whose cluster is unknown", [workers, ofUnknownCluster("control-plane")], ["workers"]],
    ["are those whose role is unknown", [group("later", [], { tags: UNKNOWN })], ["later of any role"]],
    [
      "are those of which the tags do not say which cluster is meant",
      [hostedCluster(), hostedCluster({}, "tenant-b"), shared],
      ["shared"],
    ],
    [
      "are each counted once, however many NodePools choose among them",
      [one, two, ...times(2 * MOST_DOUBTFUL, (n) => choosing(`np-${n}`, one, two))],
      ["one, two"],
    ],
    [
      "are of that role if one of several values says so",
      [later, one, choosing("np", later, one)],
      ["later, one"],
    ],
    [
      "are counted by role",
      times(MOST_DOUBTFUL, (n) => [
        ofUnknownCluster("workers", `workers-${n}`),
        ofUnknownCluster("control-plane", `nodes-${n}`),
      ]).flat(),
      [
        times(MOST_DOUBTFUL, (n) => `workers-${n}`)
          .sort()
          .join(", "),
      ],
    ],
    [
      "are not read if there are too many",
      times(MOST_DOUBTFUL + 1, (n) => ofUnknownCluster("workers", `workers-${n}`)),
      ["unread, as workers-0"],
    ],
    ["do not include groups of which only rules are in the stack, without a role", [foreign], []],
  ])("%s", (_, resources, expected) => {
    expect(perhapsWorkers(resources)).toEqual(expected);
  });

  test("are not read if one of them is in another stack", () => {
    const index = new ResourceIndex([hostedCluster(), hostedCluster({}, "tenant-b"), foreign]);
    const listing = (namespace: string) => ({
      cluster: "tenant-a",
      namespace,
      groups: { workers: ["sg-elsewhere"] },
    });
    const configured = [{ ...listing("clusters") }, { ...listing("other"), isNamespaced: true as const }];
    const found = doubtfulGroups({ index, configured }, Role.Workers, {
      namespace: "clusters",
      name: "tenant-a",
    });
    expect(found.map(({ unread }) => unread?.group.id)).toEqual(["sg-elsewhere"]);
  });

  test("are the same list for every cluster that they may belong to", () => {
    const index = new ResourceIndex([workers]);
    const lists = ["tenant-a", "tenant-b"].flatMap((name) =>
      doubtfulGroups({ index, configured: NOT_CONFIGURED }, Role.Workers, { namespace: "clusters", name }),
    );
    expect(lists).toHaveLength(2);
    expect(lists[0]).toBe(lists[1]);
  });

  test("are not those that name another cluster", () => {
    const named = group("later", [], { tags: { ...tags("workers", "tenant-b"), [ROLE]: UNKNOWN } });
    expect([perhapsWorkers([named]), perhapsWorkers([named], "tenant-b")]).toEqual([
      [],
      ["later of any role"],
    ]);
  });
});
