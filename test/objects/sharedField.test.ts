import * as fc from "fast-check";
import { mergeCommaSeparated, mergeKeyedItems, type Item } from "../../src/objects/sharedField";
import { coverEntry } from "../../src/topology/proxy/apiProxy";

const entry = fc.constantFrom("a", "b", "c", ".example.com", "10.0.0.0/8", "192.168.10.0/24");
const foreignText = fc.option(
  fc
    .array(fc.tuple(fc.constantFrom("", " ", "\t"), fc.oneof(entry, fc.constant(""))), { maxLength: 6 })
    .map((segments) => segments.map(([space, text]) => `${space}${text}${space}`).join(",")),
  { nil: undefined },
);
const entries = fc.uniqueArray(entry, { maxLength: 4 });
const segments = (text: string | undefined) => (text ? text.split(",") : []);

describe("M11 a text with commas between its entries that several writers share", () => {
  test.each([
    ["nothing", undefined, ["x"], "x"],
    ["an empty text", "", ["x"], "x"],
    ["other entries", "a, b ,.c", ["x", "y"], "a, b ,.c,x,y"],
    ["the entry itself", "a, x", ["x"], "a, x"],
    ["an entry that is only part of another one", "xx,ax", ["x"], "xx,ax,x"],
    ["an entry that is asked for twice", "a", ["x", "x"], "a,x"],
  ])("gets what is missing beside %s", (_name, current, wanted, value) => {
    expect(mergeCommaSeparated(current, { wanted, ours: [] }).value).toBe(value);
  });

  test.each([
    ["*", "everything"],
    ["a, 192.168.0.0/16", "a wider block"],
    ["192.168.10.0/25,a,192.168.10.128/25", "its two halves"],
  ])("is not changed while %s covers what is wanted: %s", (text) => {
    const share = { wanted: ["192.168.10.0/24"], ours: [] };
    expect(mergeCommaSeparated(text, share, coverEntry)).toEqual({ value: text, ours: [], conflicts: [] });
  });

  test("keeps the second of two entries of one text: another program wrote it after us", () => {
    expect(mergeCommaSeparated("a,x, x", { wanted: [], ours: ["x"] }).value).toBe("a, x");
  });

  test("loses an entry that is ours and no longer wanted, and no other", () => {
    expect(mergeCommaSeparated("a,x,b,y", { wanted: ["y", "z"], ours: ["x", "y"] })).toEqual({
      value: "a,b,y,z",
      ours: ["y", "z"],
      conflicts: [],
    });
  });

  test("entries of others stay where they are, byte for byte", () => {
    fc.assert(
      fc.property(foreignText, entries, (text, wanted) => {
        const { value } = mergeCommaSeparated(text, { wanted, ours: [] });
        expect(segments(value).slice(0, segments(text).length)).toEqual(segments(text));
      }),
    );
  });

  test("a second merge changes nothing", () => {
    fc.assert(
      fc.property(foreignText, entries, (text, wanted) => {
        const once = mergeCommaSeparated(text, { wanted, ours: [] });
        expect(mergeCommaSeparated(once.value, { wanted, ours: once.ours })).toEqual(once);
      }),
    );
  });

  test("what was added and is taken away again leaves the text as it was", () => {
    fc.assert(
      fc.property(foreignText, entries, entries, (text, first, second) => {
        const one = mergeCommaSeparated(text, { wanted: first, ours: [] });
        const two = mergeCommaSeparated(one.value, { wanted: second, ours: one.ours });
        expect(mergeCommaSeparated(two.value, { wanted: [], ours: two.ours }).value ?? "").toBe(text ?? "");
      }),
    );
  });

  test("whatever others write between, their entries outlive ours", () => {
    fc.assert(
      fc.property(foreignText, entries, entries, (text, wanted, others) => {
        const one = mergeCommaSeparated(text, { wanted, ours: [] });
        const between = [...segments(one.value), ...others.map((other) => ` ${other}`)].join(",");
        const after = mergeCommaSeparated(between, { wanted: [], ours: one.ours });
        expect(segments(after.value)).toEqual([...segments(text), ...others.map((other) => ` ${other}`)]);
      }),
    );
  });
});

describe("M12 a list of items with keys that several writers share", () => {
  const keys = ["key", "effect"];
  const unreachable = {
    key: "node.kubernetes.io/unreachable",
    effect: "NoExecute",
    timeAdded: "2026-01-01T00:00:00Z",
  };
  const dedicated = { key: "hypershift.openshift.io/cluster", value: "clusters-a", effect: "NoSchedule" };
  const merge = (current: Item[] | undefined, wanted: Item[], ours: Item[] = []) =>
    mergeKeyedItems(current, { wanted, ours }, keys);

  test("gets what is missing behind what others put there", () => {
    expect(merge([unreachable], [dedicated])).toEqual({
      value: [unreachable, dedicated],
      ours: [dedicated],
      conflicts: [],
    });
    expect(merge(undefined, [dedicated]).value).toEqual([dedicated]);
    expect(merge(undefined, []).value).toBeUndefined();
  });

  test("an item that stands there already is not ours", () => {
    const there = [{ ...dedicated, timeAdded: "2026-01-01T00:00:00Z" }];
    expect(merge(there, [dedicated])).toEqual({ value: there, ours: [], conflicts: [] });
  });

  test("an item of ours gets its new value where it stands", () => {
    const other = { ...dedicated, value: "clusters-b" };
    expect(merge([dedicated, unreachable], [other], [dedicated])).toEqual({
      value: [other, unreachable],
      ours: [other],
      conflicts: [],
    });
  });

  test("an item of others with another value is a conflict, and stays", () => {
    const other = { ...dedicated, value: "clusters-b" };
    const { value, ours, conflicts } = merge([other], [dedicated]);
    expect({ value, ours }).toEqual({ value: [other], ours: [] });
    expect(conflicts).toEqual([
      `another program set ${JSON.stringify(other)} where ${JSON.stringify(dedicated)} is wanted`,
    ]);
  });

  test("an item of ours that another program changed is theirs", () => {
    const changed = { ...dedicated, value: "clusters-b" };
    expect(merge([changed], [], [dedicated]).value).toEqual([changed]);
  });

  const item = fc.record({
    key: fc.constantFrom("a", "b", "c"),
    effect: fc.constantFrom("NoSchedule", "NoExecute"),
    value: fc.constantFrom("1", "2"),
  });
  const items = fc.uniqueArray(item, { maxLength: 5, selector: ({ key, effect }) => key + effect });
  const list = fc.option(items, { nil: undefined });

  test("items of others stay where they are", () => {
    fc.assert(
      fc.property(list, items, (current, wanted) => {
        const { value } = merge(current, wanted);
        expect((value ?? []).slice(0, (current ?? []).length)).toEqual(current ?? []);
      }),
    );
  });

  test("a second merge changes nothing", () => {
    fc.assert(
      fc.property(list, items, (current, wanted) => {
        const once = merge(current, wanted);
        expect(merge(once.value as Item[] | undefined, wanted, once.ours)).toEqual(once);
      }),
    );
  });

  test("what was added, changed and taken away again leaves the list as it was", () => {
    fc.assert(
      fc.property(list, items, items, (current, first, second) => {
        const one = merge(current, first);
        const two = merge(one.value as Item[] | undefined, second, one.ours);
        expect(merge(two.value as Item[] | undefined, [], two.ours).value ?? []).toEqual(current ?? []);
      }),
    );
  });
});
