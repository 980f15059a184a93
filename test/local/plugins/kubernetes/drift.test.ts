import { drifted, prune } from "../../../../local/plugins/kubernetes/drift";

describe("drift", () => {
  test("ignores a value that the server only spells differently", () => {
    const live = { cpu: "500m", defaulted: true };
    expect(drifted({ cpu: "0.5" }, live, live)).toEqual({ cpu: "0.5" });
  });
  test("takes changed values from the server, omits removed ones, and ignores added ones", () => {
    const [before, now] = [
      { a: 1, b: { c: 2, d: 3 }, e: 4 },
      { a: 1, b: { c: 9, d: 3, x: 0 }, y: 0 },
    ];
    expect(drifted({ a: 1, b: { c: 2, d: 3 }, e: 4 }, before, now)).toEqual({ a: 1, b: { c: 9, d: 3 } });
  });
  test("shows all items of a list that grew", () => {
    expect(drifted({ l: [{ a: 1 }] }, { l: [{ a: 1, d: 0 }] }, { l: [{ a: 1, d: 0 }, { a: 2 }] })).toEqual({
      l: [{ a: 1 }, { a: 2 }],
    });
  });
  test("prune keeps only fields that the inputs have", () => {
    expect(prune({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: 0 } })).toEqual({ a: { b: 1 } });
  });
});
