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

describe("M11 a comma-separated string that several writers share", () => {
  test.each([
    ["nothing", undefined, ["x"], "x"],
    ["an empty string", "", ["x"], "x"],
    ["other entries", "a, b ,.c", ["x", "y"], "a, b ,.c,x,y"],
    ["the entry itself", "a, x", ["x"], "a, x"],
    ["an entry as a part of another one", "xx,ax", ["x"], "xx,ax,x"],
    ["an entry that is wanted twice", "a", ["x", "x"], "a,x"],
  ])("gets missing entries next to %s", (_name, current, wanted, value) => {
    expect(mergeCommaSeparated(current, { wanted, ours: [] }).value).toBe(value);
  });

  test.each([
    ["*", "everything"],
    ["a, 192.168.0.0/16", "a wider block"],
    ["192.168.10.0/25,a,192.168.10.128/25", "its two halves"],
  ])("is not changed while %s covers the wanted block: %s", (text) => {
    const share = { wanted: ["192.168.10.0/24"], ours: [] };
    expect(mergeCommaSeparated(text, share, coverEntry)).toEqual({ value: text, ours: [], conflicts: [] });
  });

  test("keeps the second of two equal entries, because another program wrote it after us", () => {
    expect(mergeCommaSeparated("a,x, x", { wanted: [], ours: ["x"] }).value).toBe("a, x");
  });

  test("loses only entries that are ours and no longer wanted", () => {
    expect(mergeCommaSeparated("a,x,b,y", { wanted: ["y", "z"], ours: ["x", "y"] })).toEqual({
      value: "a,b,y,z",
      ours: ["y", "z"],
      conflicts: [],
    });
  });

  test("keeps entries of others in their place, byte for byte", () => {
    fc.assert(
      fc.property(foreignText, entries, (text, wanted) => {
        const { value } = mergeCommaSeparated(text, { wanted, ours: [] });
        expect(segments(value).slice(0, segments(text).length)).toEqual(segments(text));
      }),
    );
  });

  test("is not changed by a second merge", () => {
    fc.assert(
      fc.property(foreignText, entries, (text, wanted) => {
        const once = mergeCommaSeparated(text, { wanted, ours: [] });
        expect(mergeCommaSeparated(once.value, { wanted, ours: once.ours })).toEqual(once);
      }),
    );
  });

  test("is the same as before after our entries are added and removed", () => {
    fc.assert(
      fc.property(foreignText, entries, entries, (text, first, second) => {
        const one = mergeCommaSeparated(text, { wanted: first, ours: [] });
        const two = mergeCommaSeparated(one.value, { wanted: second, ours: one.ours });
        expect(mergeCommaSeparated(two.value, { wanted: [], ours: two.ours }).value ?? "").toBe(text ?? "");
      }),
    );
  });

  test("keeps entries that others write between ours when ours are removed", () => {
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

describe("M12 a list of keyed items that several writers share", () => {
  const keys = ["key", "effect"];
  const unreachable = {
    key: "node.kubernetes.io/unreachable",
    effect: "NoExecute",
    timeAdded: "2026-01-01T00:00:00Z",
  };
  const dedicated = { key: "hypershift.openshift.io/cluster", value: "clusters-a", effect: "NoSchedule" };
  const merge = (current: Item[] | undefined, wanted: Item[], ours: Item[] = []) =>
    mergeKeyedItems(current, { wanted, ours }, keys);

  test("gets missing items after those of others", () => {
    expect(merge([unreachable], [dedicated])).toEqual({
      value: [unreachable, dedicated],
      ours: [dedicated],
      conflicts: [],
    });
    expect(merge(undefined, [dedicated]).value).toEqual([dedicated]);
    expect(merge(undefined, []).value).toBeUndefined();
  });

  test("does not count an existing item as ours", () => {
    const there = [{ ...dedicated, timeAdded: "2026-01-01T00:00:00Z" }];
    expect(merge(there, [dedicated])).toEqual({ value: there, ours: [], conflicts: [] });
  });

  test("gets the new value of an item of ours in its place", () => {
    const other = { ...dedicated, value: "clusters-b" };
    expect(merge([dedicated, unreachable], [other], [dedicated])).toEqual({
      value: [other, unreachable],
      ours: [other],
      conflicts: [],
    });
  });

  test("keeps an item of others with another value, which is a conflict", () => {
    const other = { ...dedicated, value: "clusters-b" };
    const { value, ours, conflicts } = merge([other], [dedicated]);
    expect({ value, ours }).toEqual({ value: [other], ours: [] });
    expect(conflicts).toEqual([
      `another program set ${JSON.stringify(other)} where ${JSON.stringify(dedicated)} is wanted`,
    ]);
  });

  test("keeps an item of ours that another program changed", () => {
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

  test("keeps items of others in their place", () => {
    fc.assert(
      fc.property(list, items, (current, wanted) => {
        const { value } = merge(current, wanted);
        expect((value ?? []).slice(0, (current ?? []).length)).toEqual(current ?? []);
      }),
    );
  });

  test("is not changed by a second merge", () => {
    fc.assert(
      fc.property(list, items, (current, wanted) => {
        const once = merge(current, wanted);
        expect(merge(once.value as Item[] | undefined, wanted, once.ours)).toEqual(once);
      }),
    );
  });

  test("is the same as before after our items are added, changed and removed", () => {
    fc.assert(
      fc.property(list, items, items, (current, first, second) => {
        const one = merge(current, first);
        const two = merge(one.value as Item[] | undefined, second, one.ours);
        expect(merge(two.value as Item[] | undefined, [], two.ours).value ?? []).toEqual(current ?? []);
      }),
    );
  });
});
