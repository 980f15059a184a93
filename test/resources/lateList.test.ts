import { lateList } from "../../src/collections";

describe("a list whose entries are created on first use", () => {
  const counted = () => {
    let made = 0;
    const list = lateList(() => {
      made++;
      return ["a", "b"];
    });
    return { list, made: () => made };
  };

  it.each<[string, (list: readonly unknown[]) => unknown, unknown]>([
    ["an entry", (list) => list[1], "b"],
    ["its length", (list) => list.length, 2],
    ["each entry", (list) => [...list], ["a", "b"]],
    [
      "entries by position",
      (list) => list.map((entry, at) => [entry, at]),
      [
        ["a", 0],
        ["b", 1],
      ],
    ],
    ["its keys", (list) => Object.keys(list), ["0", "1"]],
    [
      "whether it has an entry",
      (list) => [0 in list, Object.hasOwn(list, 1), Object.hasOwn(list, 2)],
      [true, true, false],
    ],
    ["JSON", (list) => JSON.stringify(list), '["a","b"]'],
  ])("behaves like any array and creates its entries once: %s", (_, ask, answer) => {
    const { list, made } = counted();
    expect(ask(list)).toEqual(answer);
    expect(ask(list)).toEqual(answer);
    expect(made()).toBe(1);
  });

  it("is an array before any entry is read", () => {
    const { list, made } = counted();
    expect([Array.isArray(list), typeof list]).toEqual([true, "object"]);
    expect(made()).toBe(0);
    expect(list).toEqual(["a", "b"]);
  });
});
