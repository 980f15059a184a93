import {
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

describe("the key of an object is", () => {
  test.each<[string, Resource, string | undefined]>([
    [
      "its kind, namespace and name",
      object({}, { namespace: "shop" }),
      "kubernetes:k8s.ovn.org/:EgressFirewall shop/mine",
    ],
    [
      "in the default namespace if it names none",
      object({}),
      "kubernetes:k8s.ovn.org/:EgressFirewall default/mine",
    ],
    ["undefined if its namespace is unknown", object({}, { namespace: UNKNOWN }), undefined],
    ["undefined if its name is unknown", object({}, { name: UNKNOWN }), undefined],
    ["undefined if it has no name", object({}, { name: "" }), undefined],
    ["undefined for a patch", patch({}), undefined],
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
  ["empty lists that one omits", FIREWALL, { a: [], b: [1] }, { b: [1] }, true],
  ["entries in another order", FIREWALL, { a: [1, 2] }, { a: [2, 1] }, false],
  ["the default protocol", POLICY, { ports: [{ port: 1 }] }, { ports: [{ port: 1, protocol: "TCP" }] }, true],
  ["a protocol without a port", POLICY, { ports: [{}] }, { ports: [{ protocol: "TCP" }] }, false],
  ["two unknown values", FIREWALL, { a: UNKNOWN }, { a: UNKNOWN }, true],
  ["one unknown value", FIREWALL, { a: UNKNOWN }, { a: "unknown" }, false],
  [
    "policy types that the server derives",
    POLICY,
    { ingress: [{}] },
    { ingress: [{}], policyTypes: ["Ingress"] },
    true,
  ],
  [
    "derived policy types with egress",
    POLICY,
    { egress: [{}] },
    { egress: [{}], policyTypes: ["Ingress", "Egress"] },
    true,
  ],
  [
    "policy types other than the derived ones",
    POLICY,
    { egress: [{}] },
    { egress: [{}], policyTypes: ["Egress"] },
    false,
  ],
  ["an empty list of policy types", POLICY, { policyTypes: [] }, { policyTypes: ["Ingress"] }, true],
  ["unknown policy types", POLICY, { policyTypes: UNKNOWN }, { policyTypes: ["Ingress"] }, false],
  [
    "one unknown policy type",
    POLICY,
    { policyTypes: ["Egress", UNKNOWN] },
    { policyTypes: ["Egress"] },
    false,
  ],
  ["policy types of another kind", FIREWALL, {}, { policyTypes: ["Ingress"] }, false],
])("textOfSpec is equal only for objects that mean the same: %s, kind %s", (_, kind, one, other, isSame) => {
  expect(textOfSpec(object(one, { kind })) === textOfSpec(object(other, { kind }))).toBe(isSame);
});

describe("objects that are defined several times", () => {
  const [one, other] = [
    object({ egress: [1], mtu: 1 }),
    object({ egress: [2], mtu: 1, logLevel: "a" }, { file: "b.yaml" }),
  ];

  test("are found with all their versions", () => {
    const elsewhere = object({}, { name: "other" });
    const twice = writtenTwice([one, elsewhere, other, patch({})]);
    expect([...twice.values()]).toEqual([[one, other]]);
    expect(writtenTwice([one, elsewhere]).size).toBe(0);
  });

  test("are merged into one object whose differing values are unknown", () => {
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

  test("are the version nearest to the reader, if one is nearer", () => {
    const [stage, prod] = ["stage/a.yaml", "prod/a.yaml"].map((file, at) => object({ mtu: at }, { file }));
    const from = (file: string) => eachOnce([stage!, prod!], () => object({}, { file }));
    expect(from("prod/cluster.yaml")).toEqual([prod]);
    expect(from("cluster.yaml")).toMatchObject([{ properties: { spec: { mtu: UNKNOWN } } }]);
  });

  test("prefer the planned version to the running one, and versions of two providers are apart", () => {
    const runs: Resource = { ...other, origin: { live: "EgressFirewall mine" } };
    expect(oneOf([runs, one])).toBe(one);
    expect(oneOf([runs])).toBe(runs);
  });

  test("have unknown values if the specification of a version is unknown or absent", () => {
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
    ["makes a value that it changes unknown", { mtu: 2 }, { egress: [1], mtu: UNKNOWN }, true],
    [
      "makes a value that it adds unknown",
      { logLevel: "a" },
      { egress: [1], mtu: 1, logLevel: UNKNOWN },
      true,
    ],
    ["makes the whole specification unknown if its own is not known", UNKNOWN, UNKNOWN, true],
    ["changes nothing if it states the same value", { mtu: 1 }, { egress: [1], mtu: 1 }, false],
    ["changes nothing in the specification if it has none", undefined, { egress: [1], mtu: 1 }, false],
  ])("%s", (_, spec, expected, isChanged) => {
    const patched = patch(spec);
    const found = withPatches([own, patched]);
    expect(found[0]).toEqual({
      ...own,
      properties: { ...own.properties, spec: expected },
      ...(isChanged && { versions: [own.origin, patched.origin] }),
    });
    // A patch of labels only is left for the readers of labels.
    expect(found.slice(1)).toEqual(spec === undefined ? [patched] : []);
  });

  test("stays separate if its object is not in the input, or if its name is unknown", () => {
    const elsewhere = patch({ mtu: 2 }, { name: "other" });
    const nameless = patch({ mtu: 2 }, { name: UNKNOWN });
    expect(withPatches([own, elsewhere, nameless])).toEqual([own, elsewhere, nameless]);
  });

  test("is combined with other patches and with versions", () => {
    const patches = [patch({ mtu: 2 }), { ...patch({ egress: [2] }), origin: { file: "second.yaml" } }];
    const versions: Origin[] = [{ file: "x" }, { file: "y" }];
    const [found] = withPatches([{ ...own, versions }, ...patches]);
    expect(found).toMatchObject({
      properties: { spec: { egress: UNKNOWN, mtu: UNKNOWN } },
      versions: [...versions, ...patches.map(({ origin }) => origin)],
    });
  });

  test("leaves an unknown specification unknown, and adds unknown values to an absent one", () => {
    const unknown = object(UNKNOWN);
    expect(withPatches([unknown, patch({ mtu: 1 })])).toEqual([unknown]);
    expect(withPatches([object(undefined), patch({ mtu: 1 })])).toMatchObject([
      { properties: { spec: { mtu: UNKNOWN } } },
    ]);
  });
});

describe("AWS resources that several programs have", () => {
  const group = (name: string, id: PropertyValue = "sg-1", type: string = TYPE.securityGroup) =>
    resource(type, name, { id });
  const read = (name: string, id?: PropertyValue, type?: string): Resource => ({
    ...group(name, id, type),
    isRead: true,
  });

  test("are merged into the managed one, with those that read it", () => {
    const [own, reads, also] = [group("own"), read("reads"), read("also", "sg-1", TYPE.defaultSecurityGroup)];
    const [one, ...others] = eachThingOnce([reads, own, also]);
    expect(one).toEqual({ ...own, readBy: [reads, also] });
    expect(others).toEqual([]);
  });

  test("are merged into the first one that reads it, if none manages it", () => {
    const [first, second] = [read("first"), read("second")];
    expect(eachThingOnce([first, second])).toEqual([{ ...first, readBy: [second] }]);
  });

  test.each<[string, Resource[]]>([
    ["if no program only reads one", [group("a"), group("b")]],
    ["if their IDs differ", [group("a"), read("b", "sg-2")]],
    ["if their IDs are unknown", [group("a", UNKNOWN), read("b", UNKNOWN)]],
    ["if their IDs are empty", [group("a", ""), read("b", "")]],
    ["if their types differ", [group("a", "x"), read("b", "x", TYPE.vpc)]],
    [
      "if their type is not supported",
      [group("a", "x", "aws:s3/bucket:Bucket"), read("b", "x", "aws:s3/bucket:Bucket")],
    ],
  ])("are left unchanged %s", (_, resources) => {
    expect(eachThingOnce(resources)).toBe(resources);
  });

  test("are left unchanged next to others of which one is read", () => {
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

describe("the labels that objects state for a namespace", () => {
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
      "of a planned object, which may have more",
      [labelled({ team: "a" })],
      { team: "a" },
      false,
      [true, false, false],
    ],
    [
      "of a running object, which are complete",
      [runs({ team: "a" })],
      { team: "a" },
      true,
      [true, false, false],
    ],
    ["of a running object without labels", [runs(null)], {}, true, [false, false, false]],
    [
      "of the planned object, if it also runs",
      [runs({ tier: "b" }), labelled({ team: "a" })],
      { team: "a" },
      false,
      [true, false, false],
    ],
    [
      "on which all versions agree",
      [labelled({ team: "a", tier: "b" }), labelled({ team: "a", tier: "c" })],
      { team: "a" },
      false,
      [true, true, false],
    ],
    ["that every version has", [labelled({ team: "a" }), labelled({})], {}, false, [true, false, false]],
    [
      "of the object and its patches",
      [labelled({ team: "a" }), patched({ tier: "b" })],
      { team: "a", tier: "b" },
      false,
      [true, true, false],
    ],
    [
      "that no patch contradicts",
      [labelled({ team: "a" }), patched({ team: "b" })],
      {},
      false,
      [true, false, false],
    ],
    [
      "of a running object and its patches",
      [runs({ team: "a" }), patched({ tier: "b" })],
      { team: "a", tier: "b" },
      false,
      [true, true, false],
    ],
    [
      "of patches if there is no object",
      [patched({ team: "a" })],
      { team: "a" },
      false,
      [true, false, false],
    ],
    ["that are known", [labelled({ team: UNKNOWN, tier: "b" })], { tier: "b" }, false, [true, true, false]],
    [
      "of no known key, with any key possible, if the labels are unknown",
      [labelled(UNKNOWN)],
      {},
      false,
      [true, true, true],
    ],
  ])("are those %s", (_, all, labels, complete, mayHave) => {
    const stated = statedLabels("n", all);
    expect(stated).toMatchObject({ labels: { ...labels, [NAME]: "n" }, complete });
    expect(KEYS.map((key) => stated.mayHave(key))).toEqual(mayHave);
  });

  test("include the name of the namespace, whatever the objects state for it", () => {
    for (const name of ["another", UNKNOWN] as const) {
      const stated = statedLabels("n", [labelled({ [NAME]: name })]);
      expect(stated.labels).toEqual({ [NAME]: "n" });
    }
  });

  test("are merged with labels that are known otherwise", () => {
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

describe("the reason why a value is unknown", () => {
  const versions = (...files: string[]): Resource => ({
    ...object({}),
    versions: files.map((file) => ({ file, line: 2 })),
  });
  const revoked = (): Resource => ({
    ...object({}),
    revoked: [{ path: "", by: { ...object({}), name: "old" }, once: "name" }],
  });

  test.each<[string, Resource, string | undefined, string | undefined]>([
    ["is undefined if nothing explains it", object({}), undefined, undefined],
    ["is the one that its reader states", versions("a", "b"), "so", "so"],
    [
      "is that two versions differ",
      versions("a", "b"),
      undefined,
      "it is written at a:2 and b:2, with different content",
    ],
    [
      "is that several versions differ",
      versions("a", "b", "c", "d"),
      undefined,
      "it is written at a:2, b:2 and 2 more, with different content",
    ],
    [
      "is that the update deletes the object",
      revoked(),
      undefined,
      "the update deletes old with the same name",
    ],
    ["is the one that its reader states, even if the update deletes the object", revoked(), "so", "so"],
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
  ])("names the location %j as %s", (origin, place) => {
    expect(placeOf(origin)).toBe(place);
  });
});
