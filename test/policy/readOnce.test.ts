import { ReadOnce } from "../../policy/readOnce";

test("a value is read once for all policies, and again for another key, in another operation, or after forget", () => {
  const once = new ReadOnce<number>();
  let count = 0;
  const ask = (policy: string, key = "a") => once.for(policy, key, () => ++count);
  expect([ask("x"), ask("y"), ask("z")]).toEqual([1, 1, 1]);
  expect([ask("x"), ask("y")]).toEqual([2, 2]);
  expect([ask("z", "b"), ask("x", "b"), ask("y", "a")]).toEqual([3, 3, 4]);
  once.forget();
  expect(ask("x")).toBe(5);
});
