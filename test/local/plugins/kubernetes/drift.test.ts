import { drifted, prune } from "../../../../local/plugins/kubernetes/drift";

describe("drift", () => {
  test("a value that only the server spells otherwise is no change", () => {
    const live = { cpu: "500m", defaulted: true };
    expect(drifted({ cpu: "0.5" }, live, live)).toEqual({ cpu: "0.5" });
  });
  test("a value that moved is taken from the server, one that went is left out, one that came is not ours", () => {
    const [before, now] = [
      { a: 1, b: { c: 2, d: 3 }, e: 4 },
      { a: 1, b: { c: 9, d: 3, x: 0 }, y: 0 },
    ];
    expect(drifted({ a: 1, b: { c: 2, d: 3 }, e: 4 }, before, now)).toEqual({ a: 1, b: { c: 9, d: 3 } });
  });
  test("items of a list that grew are all shown", () => {
    expect(drifted({ l: [{ a: 1 }] }, { l: [{ a: 1, d: 0 }] }, { l: [{ a: 1, d: 0 }, { a: 2 }] })).toEqual({
      l: [{ a: 1 }, { a: 2 }],
    });
  });
  test("pruning keeps what the inputs speak of", () => {
    expect(prune({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: 0 } })).toEqual({ a: { b: 1 } });
  });
});
