import {
  areInTwo,
  areInTwoOfStack,
  areTwo,
  inClusterOf,
  isCalled,
  isElsewhere,
  isSamePlacement,
  managementOf,
  type ManagementLocation,
  nameAmong,
  nearestOf,
  type Placement,
  placesOf,
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
    ["what was asked at", at({ runsIn: "cluster/a", file: "b.yaml" }, "c"), server("cluster/a")],
    ["else its provider", at({ urn: "urn", file: "b.yaml" }, "c"), provider("c")],
    ["else the folder of its file", inFile("fleet/stage/b.yaml"), folder("fleet/stage")],
    ["which may be the one where all is", inFile("b.yaml"), folder("")],
    ["not said by the file of a stack", at({ urn: "urn", file: "stack.json" }), undefined],
    ["not said by nothing", at({}), undefined],
  ])("%s", (_, resource, place) => {
    expect(managementOf(resource)).toEqual(place);
  });

  test("another one where two of one kind differ", () => {
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
  ["a place and none", of("urn:s::p::k::a"), at({}), false, false],
  ["none and a place", undefined, of("urn:s::p::k::a"), false, false],
])("surely in two clusters, and by one stack: %s", (_, one, other, areApart, areOfStack) => {
  expect([areInTwo(one, other), areInTwoOfStack(one, other)]).toEqual([areApart, areOfStack]);
});

test("objects in the cluster of a resource are those nearest to it, and none that surely is in another one", () => {
  const [own, other, elsewhere] = [of("urn:s::p::k::a"), of("urn:s::p::k::b"), of("urn:t::p::k::a")];
  expect(inClusterOf(own, [elsewhere])).toEqual([elsewhere]);
  expect(inClusterOf(own, [own, other])).toEqual([own]);
  expect(inClusterOf(own, [other])).toEqual([]);
  expect(inClusterOf(inFile("a/x"), [inFile("b/y")])).toEqual([inFile("b/y")]);
  expect(inClusterOf(inFile("a/x"), [inFile("b/y"), inFile("a/z")])).toEqual([inFile("a/z")]);
  expect(inClusterOf(undefined, [own, other])).toEqual([own, other]);
});

test("two clusters are placed alike where they and those of their name are in the same places", () => {
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

describe("a resource is in the management cluster of another cluster of one name", () => {
  const [stage, prod, nested] = ["fleet/stage", "fleet/prod", "fleet/stage/eu"].map(folder);
  const [one, two] = ["a", "b"].map(provider);
  const places: Record<string, ManagementLocation[]> = {
    folders: [stage!, prod!],
    nested: [stage!, nested!],
    providers: [one!, two!],
    mixed: [stage!, one!],
  };

  test.each<[string, string, Resource, boolean[]]>([
    ["where it is nearer to that", "folders", inFile("fleet/prod/x.yaml"), [true, false]],
    ["where it is further inside", "folders", inFile("fleet/stage/eu/x.yaml"), [false, true]],
    ["not where it is as near to both", "folders", inFile("fleet/x.yaml"), [false, false]],
    ["not where it is near to none", "folders", inFile("x.yaml"), [false, false]],
    [
      "nor where only a part of a folder's name is the same",
      "folders",
      inFile("fleet/pro/x.yaml"),
      [false, false],
    ],
    ["where that is inside the own one", "nested", inFile("fleet/stage/eu/x.yaml"), [true, false]],
    ["not where the own one holds both", "nested", inFile("fleet/stage/x.yaml"), [false, false]],
    ["where its provider makes that", "providers", of("b"), [true, false]],
    ["not where another provider makes it", "providers", of("c"), [false, false]],
    ["not where nothing says where it is", "folders", at({}), [false, false]],
    ["not where it is known otherwise", "folders", of("a"), [false, false]],
    ["where one is known alike", "mixed", of("a"), [true, false]],
  ])("%s", (_, all, resource, expected) => {
    const among = places[all]!;
    expect(among.map((own) => isElsewhere({ own, all: among }, resource))).toEqual(expected);
  });

  test("but not where there is no other", () => {
    expect(isElsewhere(undefined, inFile("a/x.yaml"))).toBe(false);
  });
});

describe("of objects that each management cluster has, those of a resource's are", () => {
  const [stage, prod, a, b, nowhere] = [
    inFile("stage/p.yaml"),
    inFile("prod/p.yaml"),
    of("a"),
    of("b"),
    at({}),
  ];

  test.each<[string, Resource[], Resource | undefined, Resource[]]>([
    ["the nearest", [stage, prod], inFile("prod/x.yaml"), [prod]],
    ["those of its provider", [a, b], of("b"), [b]],
    ["those that run there", [runsIn("x"), runsIn("y")], runsIn("x"), [runsIn("x")]],
    ["all, where none is nearer", [stage, prod], inFile("x.yaml"), [stage, prod]],
    ["all, where nothing says where it is", [stage, prod], at({}), [stage, prod]],
    ["all, for nobody", [stage, prod], undefined, [stage, prod]],
    [
      "those of its place, and those of which nothing says it",
      [stage, prod, nowhere],
      inFile("prod/x.yaml"),
      [prod, nowhere],
    ],
    [
      "those of its place, and those that are placed otherwise",
      [stage, prod, a],
      inFile("prod/x.yaml"),
      [prod, a],
    ],
    ["the only one, wherever that is", [stage], inFile("prod/x.yaml"), [stage]],
    [
      "all of one place",
      [stage, inFile("stage/q.yaml")],
      inFile("prod/x.yaml"),
      [stage, inFile("stage/q.yaml")],
    ],
  ])("%s", (_, objects, resource, expected) => {
    expect(nearestOf(objects, resource)).toEqual(expected);
  });
});

describe("what tells a management cluster from others is", () => {
  test.each<[string, ManagementLocation, ManagementLocation[], string]>([
    ["the name of the provider", provider(urn("dev", "mgmt")), [], "mgmt"],
    [
      "with its stack and project, where another stack has one of that name",
      provider(urn("dev", "mgmt")),
      [provider(urn("prod", "mgmt"))],
      "dev/test/mgmt",
    ],
    [
      "the whole URN, where a component of the stack has one of that name, too",
      provider(urn("dev", "mgmt")),
      [provider(urn("dev", "mgmt", "my:index:Platform$"))],
      urn("dev", "mgmt"),
    ],
    ["the server", server("cluster/api.example.com:6443"), [], "api.example.com:6443"],
    ["the folders below the last common one", folder("fleet/eu/stage"), [folder("fleet/eu/prod")], "stage"],
    [
      "those below the first that differs",
      folder("fleet/eu/stage"),
      [folder("fleet/us/stage"), folder("fleet/eu/prod")],
      "eu/stage",
    ],
    ["the last one, where another is inside", folder("fleet/stage"), [folder("fleet/stage/eu")], "stage"],
    ["the last one, where there is no other", folder("fleet/stage"), [folder("fleet/stage")], "stage"],
    ["a dot for the one where all is", folder(""), [folder("stage")], "."],
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
    [folder("fleet/prestage"), "stage", false],
    [server("cluster/api:6443"), "api:6443", true],
  ])("%j is called %s: %s", (place, word, expected) => {
    expect(isCalled(place, word)).toBe(expected);
  });
});
