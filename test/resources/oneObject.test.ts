import {
  areApart,
  eachOnce,
  eachThingOnce,
  keyOfObject,
  oneOf,
  placeOf,
  reasonOf,
  statedLabels,
  textOfSpec,
  withPatches,
  withStated,
  writtenTwice,
} from "../../src/resources/oneObject";
import { type Origin, type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { NAMESPACE_LABEL } from "../../src/requirements/networkPolicies";
import { type Properties, resource } from "../rules/builders";

const NAME = NAMESPACE_LABEL.name;

const FIREWALL = "k8s.ovn.org/v1:EgressFirewall";
const POLICY = "networking.k8s.io/v1:NetworkPolicy";
const object = (
  spec: PropertyValue | undefined,
  {
    kind = FIREWALL,
    name = "mine",
    file = "a.yaml",
    ...more
  }: { kind?: string; name?: PropertyValue; file?: string } & Properties = {},
): Resource => ({
  origin: { file, line: 1 },
  type: `kubernetes:${kind}`,
  name: "mine",
  properties: { metadata: { name, ...more }, ...(spec !== undefined && { spec }) },
});
const patch = (spec: PropertyValue | undefined, of: Parameters<typeof object>[1] = {}) =>
  object(spec, { ...of, kind: `${of.kind ?? FIREWALL}Patch`, file: "patch.yaml" });

describe("what tells an object from all others is", () => {
  test.each<[string, Resource, string | undefined]>([
    [
      "its kind, namespace and name",
      object({}, { namespace: "shop" }),
      "kubernetes:k8s.ovn.org/:EgressFirewall shop/mine",
    ],
    [
      "the default namespace where it names none",
      object({}),
      "kubernetes:k8s.ovn.org/:EgressFirewall default/mine",
    ],
    ["nothing where its namespace is not known", object({}, { namespace: UNKNOWN }), undefined],
    ["nothing where its name is not known", object({}, { name: UNKNOWN }), undefined],
    ["nothing where it has none", object({}, { name: "" }), undefined],
    ["not that of a patch on it", patch({}), undefined],
  ])("%s", (_, one, key) => {
    expect(keyOfObject(one)).toBe(key);
  });

  test("the same in all versions of its API", () => {
    const later = object({}, { kind: "k8s.ovn.org/v2:EgressFirewall" });
    expect(keyOfObject(later)).toBe(keyOfObject(object({})));
    const core = ["core/v1:Service", "apps/v1:Service"].map((kind) => keyOfObject(object({}, { kind })));
    expect(core).toEqual(["kubernetes:core/:Service default/mine", "kubernetes:apps/:Service default/mine"]);
  });
});

test.each<[string, string, PropertyValue, PropertyValue, boolean]>([
  ["keys in another order", FIREWALL, { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ["empty lists that are left out", FIREWALL, { a: [], b: [1] }, { b: [1] }, true],
  ["entries in another order", FIREWALL, { a: [1, 2] }, { a: [2, 1] }, false],
  [
    "a protocol by default",
    POLICY,
    { ports: [{ port: 1 }] },
    { ports: [{ port: 1, protocol: "TCP" }] },
    true,
  ],
  ["a protocol where there is no port", POLICY, { ports: [{}] }, { ports: [{ protocol: "TCP" }] }, false],
  ["values that are both not known", FIREWALL, { a: UNKNOWN }, { a: UNKNOWN }, true],
  ["one that is not known", FIREWALL, { a: UNKNOWN }, { a: "unknown" }, false],
  [
    "types that the server derives",
    POLICY,
    { ingress: [{}] },
    { ingress: [{}], policyTypes: ["Ingress"] },
    true,
  ],
  ["those of egress", POLICY, { egress: [{}] }, { egress: [{}], policyTypes: ["Ingress", "Egress"] }, true],
  ["others than those", POLICY, { egress: [{}] }, { egress: [{}], policyTypes: ["Egress"] }, false],
  ["an empty list of types", POLICY, { policyTypes: [] }, { policyTypes: ["Ingress"] }, true],
  ["types that are not known", POLICY, { policyTypes: UNKNOWN }, { policyTypes: ["Ingress"] }, false],
  [
    "a type that is not known",
    POLICY,
    { policyTypes: ["Egress", UNKNOWN] },
    { policyTypes: ["Egress"] },
    false,
  ],
  ["types of another kind", FIREWALL, {}, { policyTypes: ["Ingress"] }, false],
])(
  "of two objects that differ in %s, a %s, it is said whether they mean the same",
  (_, kind, one, other, isSame) => {
    expect(textOfSpec(object(one, { kind })) === textOfSpec(object(other, { kind }))).toBe(isSame);
  },
);

describe("objects that are written several times", () => {
  const [one, other] = [
    object({ egress: [1], mtu: 1 }),
    object({ egress: [2], mtu: 1, logLevel: "a" }, { file: "b.yaml" }),
  ];

  test("are found, with all versions", () => {
    const elsewhere = object({}, { name: "other" });
    const twice = writtenTwice([one, elsewhere, other, patch({})]);
    expect([...twice.values()]).toEqual([[one, other]]);
    expect(writtenTwice([one, elsewhere]).size).toBe(0);
  });

  test("stand once, where the first is, with what all say", () => {
    const before = object({}, { name: "before" });
    const found = eachOnce([before, other, one, patch({})]);
    expect(found).toEqual([
      before,
      {
        ...one,
        properties: { metadata: { name: "mine" }, spec: { egress: UNKNOWN, mtu: 1, logLevel: UNKNOWN } },
        versions: [one.origin, other.origin],
      },
      patch({}),
    ]);
    expect(eachOnce([one, before])).toEqual([one, before]);
    expect(eachOnce([one, { ...one, origin: other.origin }])).toEqual([one]);
  });

  test("are those nearest to who asks", () => {
    const [stage, prod] = ["stage/a.yaml", "prod/a.yaml"].map((file, at) => object({ mtu: at }, { file }));
    const from = (file: string) => eachOnce([stage!, prod!], () => object({}, { file }));
    expect(from("prod/cluster.yaml")).toEqual([prod]);
    expect(from("cluster.yaml")).toMatchObject([{ properties: { spec: { mtu: UNKNOWN } } }]);
  });

  test("are as planned, whatever runs", () => {
    const runs: Resource = { ...other, origin: { live: "EgressFirewall mine" } };
    expect(oneOf([runs, one])).toBe(one);
    expect(oneOf([runs])).toBe(runs);
    expect([areApart(one, runs), areApart(one, other)]).toEqual([true, false]);
    const of = (provider: string): Resource => ({ ...one, origin: {}, provider });
    expect([areApart(of("a"), of("b")), areApart(of("a"), of("a"))]).toEqual([true, false]);
    const far = object({}, { file: "far/a.yaml" });
    expect(areApart(one, far)).toBe(false);
  });

  test("are not known where one of them has no specification that can be read", () => {
    expect(oneOf([one, object(UNKNOWN, { file: "b.yaml" })]).properties.spec).toBe(UNKNOWN);
    expect(oneOf([one, object(undefined, { file: "b.yaml" })]).properties.spec).toEqual({
      egress: UNKNOWN,
      mtu: UNKNOWN,
    });
  });
});

describe("a patch", () => {
  const own = object({ egress: [1], mtu: 1 });

  test.each<[string, PropertyValue | undefined, PropertyValue, boolean]>([
    ["leaves unknown what it says otherwise", { mtu: 2 }, { egress: [1], mtu: UNKNOWN }, true],
    ["and what it adds", { logLevel: "a" }, { egress: [1], mtu: 1, logLevel: UNKNOWN }, true],
    ["changes nothing where it says the same", { mtu: 1 }, { egress: [1], mtu: 1 }, false],
    ["changes nothing of the specification where it has none", undefined, { egress: [1], mtu: 1 }, false],
  ])("%s", (_, spec, expected, isChanged) => {
    const patched = patch(spec);
    const found = withPatches([own, patched]);
    expect(found[0]).toEqual({
      ...own,
      properties: { ...own.properties, spec: expected },
      ...(isChanged && { versions: [own.origin, patched.origin] }),
    });
    // A patch on labels alone is looked at by who reads those.
    expect(found.slice(1)).toEqual(spec === undefined ? [patched] : []);
  });

  test("stays where its object is not here, and is for one of its name", () => {
    const elsewhere = patch({ mtu: 2 }, { name: "other" });
    const nameless = patch({ mtu: 2 }, { name: UNKNOWN });
    expect(withPatches([own, elsewhere, nameless])).toEqual([own, elsewhere, nameless]);
  });

  test("joins others and versions", () => {
    const patches = [patch({ mtu: 2 }), { ...patch({ egress: [2] }), origin: { file: "second.yaml" } }];
    const versions: Origin[] = [{ file: "x" }, { file: "y" }];
    const [found] = withPatches([{ ...own, versions }, ...patches]);
    expect(found).toMatchObject({
      properties: { spec: { egress: UNKNOWN, mtu: UNKNOWN } },
      versions: [...versions, ...patches.map(({ origin }) => origin)],
    });
  });

  test("says nothing more of an object that is not known", () => {
    const unknown = object(UNKNOWN);
    expect(withPatches([unknown, patch({ mtu: 1 })])).toEqual([unknown]);
    expect(withPatches([object(undefined), patch({ mtu: 1 })])).toMatchObject([
      { properties: { spec: { mtu: UNKNOWN } } },
    ]);
  });
});

describe("things of AWS that several programs have", () => {
  const group = (name: string, id: PropertyValue = "sg-1", type: string = TYPE.securityGroup) =>
    resource(type, name, { id });
  const read = (name: string, id?: PropertyValue, type?: string): Resource => ({
    ...group(name, id, type),
    isRead: true,
  });

  test("are the one that is managed, with those that read it", () => {
    const [own, reads, also] = [group("own"), read("reads"), read("also", "sg-1", TYPE.defaultSecurityGroup)];
    const [one, ...others] = eachThingOnce([reads, own, also]);
    expect(one).toEqual({ ...own, readBy: [reads, also] });
    expect(others).toEqual([]);
  });

  test("are the first that reads it, where nobody manages it", () => {
    const [first, second] = [read("first"), read("second")];
    expect(eachThingOnce([first, second])).toEqual([{ ...first, readBy: [second] }]);
  });

  test.each<[string, Resource[]]>([
    ["where nobody reads one", [group("a"), group("b")]],
    ["where their ids differ", [group("a"), read("b", "sg-2")]],
    ["where no id is known", [group("a", UNKNOWN), read("b", UNKNOWN)]],
    ["where none is there", [group("a", ""), read("b", "")]],
    ["of other kinds", [group("a", "x"), read("b", "x", TYPE.vpc)]],
    [
      "of which nothing is known",
      [group("a", "x", "aws:s3/bucket:Bucket"), read("b", "x", "aws:s3/bucket:Bucket")],
    ],
  ])("are left as they are %s", (_, resources) => {
    expect(eachThingOnce(resources)).toBe(resources);
  });

  test("are left as they are beside others of which one is read", () => {
    const [own, reads, other] = [group("own"), read("reads"), group("other", "sg-2")];
    const managed = group("managed again");
    const found = eachThingOnce([other, own, managed, reads]);
    expect(found).toEqual([other, { ...own, readBy: [reads] }, managed]);
    expect(found[0]).toBe(other);
    const acl = read("acl", "acl-1", TYPE.networkAcl);
    expect(eachThingOnce([group("acl", "acl-1", TYPE.defaultNetworkAcl), acl])).toMatchObject([
      { readBy: [acl] },
    ]);
  });
});

describe("the labels that objects state of one", () => {
  const labelled = (labels: PropertyValue, of: Parameters<typeof object>[1] = {}) =>
    object({}, { labels, ...of } as never);
  const patched = (labels: PropertyValue) => patch(undefined, { labels } as never);
  const runs = (labels: PropertyValue): Resource => ({
    ...labelled(labels),
    origin: { live: "Namespace shop" },
  });
  const KEYS = ["team", "tier", "other"];

  test.each<[string, Resource[], Record<string, string>, boolean, boolean[]]>([
    [
      "of one that is planned, and may have more",
      [labelled({ team: "a" })],
      { team: "a" },
      false,
      [true, false, false],
    ],
    ["of one that runs: all", [runs({ team: "a" })], { team: "a" }, true, [true, false, false]],
    ["that has none", [runs(null)], {}, true, [false, false, false]],
    [
      "as it is planned, where it runs too",
      [runs({ tier: "b" }), labelled({ team: "a" })],
      { team: "a" },
      false,
      [true, false, false],
    ],
    [
      "on which versions agree",
      [labelled({ team: "a", tier: "b" }), labelled({ team: "a", tier: "c" })],
      { team: "a" },
      false,
      [true, true, false],
    ],
    ["that every version has", [labelled({ team: "a" }), labelled({})], {}, false, [true, false, false]],
    [
      "with those of patches",
      [labelled({ team: "a" }), patched({ tier: "b" })],
      { team: "a", tier: "b" },
      false,
      [true, true, false],
    ],
    [
      "which contradict nothing",
      [labelled({ team: "a" }), patched({ team: "b" })],
      {},
      false,
      [true, false, false],
    ],
    [
      "of patches on what runs",
      [runs({ team: "a" }), patched({ tier: "b" })],
      { team: "a", tier: "b" },
      false,
      [true, true, false],
    ],
    ["of patches alone", [patched({ team: "a" })], { team: "a" }, false, [true, false, false]],
    [
      "but what is not known",
      [labelled({ team: UNKNOWN, tier: "b" })],
      { tier: "b" },
      false,
      [true, true, false],
    ],
    ["and perhaps any, where none is known", [labelled(UNKNOWN)], {}, false, [true, true, true]],
  ])("are those %s", (_, all, labels, complete, mayHave) => {
    const stated = statedLabels("n", all);
    expect(stated).toMatchObject({ labels: { ...labels, [NAME]: "n" }, complete });
    expect(KEYS.map((key) => stated.mayHave(key))).toEqual(mayHave);
  });

  test("have the name of the namespace, whatever objects say of that", () => {
    for (const name of ["another", UNKNOWN] as const) {
      const stated = statedLabels("n", [labelled({ [NAME]: name })]);
      expect(stated.labels).toEqual({ [NAME]: "n" });
    }
  });

  test("are joined with what is known of it otherwise", () => {
    const stated = statedLabels("n", [labelled({ team: "a" })]);
    expect(withStated({ labels: { team: "x", tier: "b" }, complete: false }, stated)).toEqual({
      labels: { team: "a", tier: "b", [NAME]: "n" },
      complete: false,
    });
    const known = { labels: {}, complete: true, absent: ["team", "tier"], present: { a: [] } };
    expect(withStated(known, stated)).toEqual({
      ...known,
      labels: { team: "a", [NAME]: "n" },
      absent: ["tier"],
    });
    expect(withStated({ labels: {}, complete: false }, statedLabels("n", [runs({})])).complete).toBe(true);
  });
});

describe("why a value is not known", () => {
  const versions = (...files: string[]): Resource => ({
    ...object({}),
    versions: files.map((file) => ({ file, line: 2 })),
  });
  const revoked = (): Resource => ({
    ...object({}),
    revoked: [{ path: "", by: { ...object({}), name: "old" }, once: "name" }],
  });

  test.each<[string, Resource, string | undefined, string | undefined]>([
    ["nobody knows", object({}), undefined, undefined],
    ["is what its reader says", versions("a", "b"), "so", "so"],
    [
      "is that two say different things",
      versions("a", "b"),
      undefined,
      "it is written at a:2 and b:2, with different content",
    ],
    [
      "is that several do",
      versions("a", "b", "c", "d"),
      undefined,
      "it is written at a:2, b:2 and 2 more, with different content",
    ],
    ["is that the plan deletes it", revoked(), undefined, "the update deletes old with the same name"],
    ["is what its reader says before that", revoked(), "so", "so"],
  ])("%s", (_, of, reason, expected) => {
    expect(reasonOf({ resource: of, ...(reason !== undefined && { reason }) })).toBe(expected);
  });

  test.each<[Origin, string]>([
    [{ file: "a.yaml", line: 7 }, "a.yaml:7"],
    [{ file: "a.yaml" }, "a.yaml"],
    [{ urn: "urn:pulumi:a", file: "stack.json", line: 7 }, "urn:pulumi:a"],
    [{ live: "HostedCluster a" }, "HostedCluster a"],
    [{ line: 7 }, "here"],
    [{}, "here"],
  ])("is said with the place %j: %s", (origin, place) => {
    expect(placeOf(origin)).toBe(place);
  });
});
