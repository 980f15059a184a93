import fc from "fast-check";
import { basename, resolve } from "node:path";

import {
  areInTwo,
  areTwo,
  inClusterOf,
  isCalled,
  isElsewhere,
  isSamePlacement,
  managementOf,
  type ManagementLocation,
  nameAmong,
  nearestOf,
  notApart,
  notElsewhere,
  type Placement,
  placesOf,
  ThingsByPlace,
} from "../../src/resources/managementCluster";
import type { Origin, Resource } from "../../src/resources/resource";

const at = (origin: Origin, provider?: string): Resource => ({
  origin,
  type: "kubernetes:config.openshift.io/v1:Proxy",
  name: JSON.stringify([origin, provider]),
  properties: {},
  ...(provider !== undefined && { provider }),
});
const inFile = (file: string) => at({ file });
const of = (provider: string) => at({ urn: "urn" }, provider);
const runsIn = (server: string) => at({ live: "Proxy cluster", runsIn: server });
const folder = (is: string): ManagementLocation => ({ by: "folder", is });
const provider = (is: string): ManagementLocation => ({ by: "provider", is });
const urn = (stack: string, name: string, parents = "") =>
  `urn:pulumi:${stack}::test::${parents}pulumi:providers:kubernetes::${name}`;
const server = (is: string): ManagementLocation => ({ by: "server", is });

describe("the management cluster of an object is", () => {
  test.each<[string, Resource, ManagementLocation | undefined]>([
    [
      "the server that it was read from",
      at({ runsIn: "cluster/a", file: "b.yaml" }, "c"),
      server("cluster/a"),
    ],
    [
      "the provider, if it was not read from a server",
      at({ urn: "urn", file: "b.yaml" }, "c"),
      provider("c"),
    ],
    ["the folder of its file, if it has no provider", inFile("fleet/stage/b.yaml"), folder("fleet/stage")],
    ["the working folder, if its file is there", inFile("b.yaml"), folder(".")],
    ["the root of all folders, if its file is there", inFile("/b.yaml"), folder("/")],
    ["not known from the file of a stack", at({ urn: "urn", file: "stack.json" }), undefined],
    ["not known without a location", at({}), undefined],
  ])("%s", (_, resource, place) => {
    expect(managementOf(resource)).toEqual(place);
  });

  test("a different one if two locations of the same kind differ", () => {
    const [one, other] = [folder("a"), folder("b")];
    expect([areTwo(one, other), areTwo(one, folder("a")), areTwo(one, provider("b"))]).toEqual([
      true,
      false,
      false,
    ]);
    expect([areTwo(undefined, one), areTwo(one, undefined)]).toEqual([false, false]);
    const objects = [inFile("a/x"), inFile("a/y"), of("a"), at({}), inFile("b/x")];
    expect([...placesOf(objects)]).toEqual([
      ["folder a", folder("a")],
      ["provider a", provider("a")],
      ["folder b", folder("b")],
    ]);
  });
});

test.each<[string, Resource | undefined, Resource, boolean, boolean]>([
  ["two providers of one stack", of("urn:s::p::k::a"), of("urn:s::p::k::b"), true, true],
  ["one provider", of("urn:s::p::k::a"), of("urn:s::p::k::a"), false, false],
  ["providers of two stacks", of("urn:s::p::k::a"), of("urn:t::p::k::a"), true, false],
  ["providers of two projects", of("urn:s::p::k::a"), of("urn:s::q::k::a"), true, false],
  ["two servers", runsIn("a"), runsIn("b"), true, true],
  ["two folders", inFile("a/x"), inFile("b/x"), false, false],
  ["a provider and a server", of("urn:s::p::k::a"), runsIn("a"), false, false],
  ["a location and none", of("urn:s::p::k::a"), at({}), false, false],
  ["no resource and a location", undefined, of("urn:s::p::k::a"), false, false],
])(
  "areInTwo and notApart tell whether two resources are in different clusters: %s",
  (_, one, other, areApart, areOfStack) => {
    expect([areInTwo(one, other), notApart(one, [other]).length === 0]).toEqual([areApart, areOfStack]);
  },
);

test("inClusterOf returns the objects nearest to a resource, and none known to be in another cluster", () => {
  const [own, other, elsewhere] = [of("urn:s::p::k::a"), of("urn:s::p::k::b"), of("urn:t::p::k::a")];
  expect(inClusterOf(own, [elsewhere])).toEqual([elsewhere]);
  expect(inClusterOf(own, [own, other])).toEqual([own]);
  expect(inClusterOf(own, [other])).toEqual([]);
  expect(inClusterOf(inFile("a/x"), [inFile("b/y")])).toEqual([inFile("b/y")]);
  expect(inClusterOf(inFile("a/x"), [inFile("b/y"), inFile("a/z")])).toEqual([inFile("a/z")]);
  expect(inClusterOf(undefined, [own, other])).toEqual([own, other]);
});

test("two clusters have the same placement if their own locations and all locations are equal", () => {
  const placement = (own: string, ...all: string[]): Placement => ({
    own: folder(own),
    all: all.map(folder),
  });
  const one = placement("a", "a", "b");
  const others: (Placement | undefined)[] = [
    one,
    placement("a", "a", "b"),
    placement("b", "a", "b"),
    placement("a", "a"),
    placement("a", "a", "b", "c"),
    placement("a", "a", "c"),
    { own: provider("a"), all: one.all },
    { own: one.own, all: [folder("a"), provider("b")] },
    undefined,
  ];
  expect(others.map((other) => isSamePlacement(one, other))).toEqual([
    true,
    true,
    ...others.slice(2).map(() => false),
  ]);
  expect([isSamePlacement(undefined, one), isSamePlacement(undefined, undefined)]).toEqual([false, true]);
});

describe("a resource is in the management cluster of another cluster of the same name", () => {
  const [stage, prod, nested] = ["fleet/stage", "fleet/prod", "fleet/stage/eu"].map(folder);
  const [one, two] = ["a", "b"].map(provider);
  const places: Record<string, ManagementLocation[]> = {
    folders: [stage!, prod!],
    nested: [stage!, nested!],
    providers: [one!, two!],
    mixed: [stage!, one!],
    working: [".", "/repo/stage"].map(folder),
    above: [".", "../prod"].map(folder),
  };

  test.each<[string, string, Resource, boolean[]]>([
    ["if it is nearer to that cluster", "folders", inFile("fleet/prod/x.yaml"), [true, false]],
    [
      "if it is in a subfolder of that cluster's folder",
      "folders",
      inFile("fleet/stage/eu/x.yaml"),
      [false, true],
    ],
    ["not if it is equally near to both", "folders", inFile("fleet/x.yaml"), [false, false]],
    ["not if it is near to neither", "folders", inFile("x.yaml"), [false, false]],
    ["not if only a part of a folder name matches", "folders", inFile("fleet/pro/x.yaml"), [false, false]],
    [
      "if that cluster's folder is inside the own folder and contains it",
      "nested",
      inFile("fleet/stage/eu/x.yaml"),
      [true, false],
    ],
    [
      "not if it is in the own folder, which contains both",
      "nested",
      inFile("fleet/stage/x.yaml"),
      [false, false],
    ],
    [
      "if it is outside the working folder, in that cluster's folder",
      "working",
      inFile("/repo/stage/x.yaml"),
      [true, false],
    ],
    ["if that cluster's folder is the working folder", "working", inFile("x.yaml"), [false, true]],
    [
      "if that cluster's folder is the working folder, and contains it",
      "working",
      inFile("sub/x.yaml"),
      [false, true],
    ],
    [
      "if only that cluster's folder is not beside the working folder",
      "above",
      inFile("sub/x"),
      [false, true],
    ],
    ["if that cluster's provider manages it", "providers", of("b"), [true, false]],
    ["not if a third provider manages it", "providers", of("c"), [false, false]],
    ["not if its location is unknown", "folders", at({}), [false, false]],
    ["not if its location is of another kind", "folders", of("a"), [false, false]],
    ["if only that cluster has a location of the same kind", "mixed", of("a"), [true, false]],
  ])("%s", (_, all, resource, expected) => {
    const among = places[all]!;
    expect(among.map((own) => isElsewhere({ own, all: among }, resource))).toEqual(expected);
  });

  test("not if there is no other cluster", () => {
    expect(isElsewhere(undefined, inFile("a/x.yaml"))).toBe(false);
  });
});

/** A few servers, providers of two stacks and nested folders. */
const anywhere = fc
  .constantFrom(
    ...["", "a/", "a/b/", "a/b/c/", "ab/", "b/", "/a/", "/a/b/", "../a/"].map((path) =>
      inFile(`${path}x.yaml`),
    ),
    ...["s::p::a", "s::p::b", "t::p::a"].map((name) => of(`urn:pulumi:${name}`)),
    ...["east", "west"].map(runsIn),
    at({}),
  )
  .map((object) => ({ ...object }));

/** The folders on a path, after a word that tells how it begins. */
const plainParts = (path: string): string[] => [/^(\/|\.\.)/.exec(path)?.[0] ?? "here", ...path.split("/")];

/** What `nearestOf` means, object by object. */
function plainNearest(objects: readonly Resource[], resource: Resource): readonly Resource[] {
  const place = managementOf(resource);
  const all = [...placesOf(objects).values()];
  const same = all.filter(({ by }) => by === place?.by);
  if (objects.length < 2 || all.length < 2 || !place || same.length === 0) return objects;
  const shared = (path: string) => {
    const [one, other] = [path, place.is].map(plainParts) as [string[], string[]];
    return one.findIndex((part, position) => part !== other[position]) >>> 0;
  };
  const depth = ({ is }: ManagementLocation) => Math.min(shared(is), plainParts(is).length);
  const deepest = Math.max(...same.map(depth));
  const there = same.filter((one) => (place.by === "folder" ? depth(one) === deepest : one.is === place.is));
  if (there.length === 0) return objects;
  return objects.filter((object) => {
    const own = managementOf(object);
    return !own || own.by !== place.by || there.some(({ is }) => is === own.is);
  });
}

test("objects are found by location as a look at each of them finds them", () => {
  fc.assert(
    fc.property(fc.array(anywhere), fc.array(anywhere, { minLength: 1 }), (objects, clusters) => {
      const all = [...placesOf(clusters).values()];
      for (const own of all) {
        const near = notElsewhere({ own, all }, objects);
        expect(near).toEqual(objects.filter((object) => !isElsewhere({ own, all }, object)));
        expect(notElsewhere({ own, all }, near)).toEqual(near);
        expect(notElsewhere({ own, all }, objects)).toBe(near);
      }
      for (const cluster of clusters) {
        const apart = objects.filter((object) => notApart(cluster, [object]).length === 0);
        const nearest = plainNearest(objects, cluster);
        expect(notApart(cluster, objects)).toEqual(objects.filter((object) => !apart.includes(object)));
        expect(nearestOf(objects, cluster)).toEqual(nearest);
        const place = managementOf(cluster);
        const notInAnother = new ThingsByPlace(managementOf, objects).notInAnother(place).flat();
        expect(new Set(notInAnother)).toEqual(
          new Set(objects.filter((object) => !areTwo(place, managementOf(object)))),
        );
        expect(inClusterOf(cluster, objects)).toEqual(nearest.filter((object) => !apart.includes(object)));
      }
    }),
  );
});

describe("of objects that each management cluster has, the ones for a resource are", () => {
  const [stage, prod, a, b, nowhere] = [
    inFile("stage/p.yaml"),
    inFile("prod/p.yaml"),
    of("a"),
    of("b"),
    at({}),
  ];

  test.each<[string, Resource[], Resource | undefined, Resource[]]>([
    ["the nearest", [stage, prod], inFile("prod/x.yaml"), [prod]],
    ["the objects of its provider", [a, b], of("b"), [b]],
    ["the objects read from its server", [runsIn("x"), runsIn("y")], runsIn("x"), [runsIn("x")]],
    ["all if none is nearer", [stage, prod], inFile("x.yaml"), [stage, prod]],
    ["all if its location is unknown", [stage, prod], at({}), [stage, prod]],
    ["all if there is no resource", [stage, prod], undefined, [stage, prod]],
    [
      "the objects of its location, and those without a location",
      [stage, prod, nowhere],
      inFile("prod/x.yaml"),
      [prod, nowhere],
    ],
    [
      "the objects of its location, and those with a location of another kind",
      [stage, prod, a],
      inFile("prod/x.yaml"),
      [prod, a],
    ],
    ["the only object, wherever it is", [stage], inFile("prod/x.yaml"), [stage]],
    [
      "all objects of one location",
      [stage, inFile("stage/q.yaml")],
      inFile("prod/x.yaml"),
      [stage, inFile("stage/q.yaml")],
    ],
  ])("%s", (_, objects, resource, expected) => {
    expect(nearestOf(objects, resource)).toEqual(expected);
  });
});

describe("the name that distinguishes a management cluster from others is", () => {
  test.each<[string, ManagementLocation, ManagementLocation[], string]>([
    ["the name of the provider", provider(urn("dev", "mgmt")), [], "mgmt"],
    [
      "the name of the provider with stack and project, if another stack has one of that name",
      provider(urn("dev", "mgmt")),
      [provider(urn("prod", "mgmt"))],
      "dev/test/mgmt",
    ],
    [
      "the whole URN, if a component of the stack has a provider of that name, too",
      provider(urn("dev", "mgmt")),
      [provider(urn("dev", "mgmt", "my:index:Platform$"))],
      urn("dev", "mgmt"),
    ],
    ["the server", server("cluster/api.example.com:6443"), [], "api.example.com:6443"],
    [
      "the folders below the last common folder",
      folder("fleet/eu/stage"),
      [folder("fleet/eu/prod")],
      "stage",
    ],
    [
      "the folders below the first that differs",
      folder("fleet/eu/stage"),
      [folder("fleet/us/stage"), folder("fleet/eu/prod")],
      "eu/stage",
    ],
    [
      "the last folder, if the other is inside it",
      folder("fleet/stage"),
      [folder("fleet/stage/eu")],
      "stage",
    ],
    ["the last folder, if there is no other", folder("fleet/stage"), [folder("fleet/stage")], "stage"],
    ["a dot for the working folder", folder("."), [folder("stage")], "."],
    ["the whole path, if only it is absolute", folder("/repo/stage"), [folder("prod")], "/repo/stage"],
    ["the path from the working folder, if the other is absolute", folder("prod"), [folder("/a")], "prod"],
  ])("%s", (_, own, others, name) => {
    expect(nameAmong({ own, all: [own, ...others] })).toBe(name);
  });

  test.each<[ManagementLocation, string, boolean]>([
    [provider(urn("dev", "mgmt")), "mgmt", true],
    [provider(urn("dev", "mgmt")), urn("dev", "mgmt"), true],
    [provider(urn("dev", "my-mgmt")), "mgmt", false],
    [provider(urn("dev", "my::mgmt")), "mgmt", false],
    [provider(urn("dev", "mgmt")), "dev/test/mgmt", true],
    [provider(urn("dev", "mgmt")), "prod/test/mgmt", false],
    [provider(urn("dev", "mgmt")), "test/mgmt", false],
    [folder("fleet/stage"), "stage", true],
    [folder("fleet/stage"), "fleet/stage", true],
    [folder("fleet/stage"), "./fleet/stage", true],
    [folder("fleet/stage"), "./stage", false],
    [folder("fleet/prestage"), "stage", false],
    [folder("fleet/stage"), resolve("fleet/stage"), true],
    [folder("."), basename(process.cwd()), true],
    [folder("."), ".", true],
    [folder("/repo/fleet/stage"), "fleet/stage", true],
    [folder("/repo/fleet/stage"), "repo", false],
    [folder("../prod"), "prod", true],
    [server("cluster/api:6443"), "api:6443", true],
  ])("%j is called %s: %s", (place, word, expected) => {
    expect(isCalled(place, word)).toBe(expected);
  });
});
