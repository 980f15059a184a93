import { NUMBERS, over, presence, type Runs } from "../../../src/reachability/packets/algebra";

const line = over(presence, NUMBERS);
const run = (from: number, to: number): Runs<boolean> => [{ from, to, rest: true }];
const [none, low, high] = [line.empty, run(1, 5), run(4, 9)];

describe("an operation that changes nothing returns the same set, not a copy", () => {
  test.each([
    ["a union with nothing", line.union(low, none), low],
    ["a union of nothing with a set", line.union(none, low), low],
    ["a union with itself", line.union(low, low), low],
    ["an intersection with itself", line.intersection(low, low), low],
    ["a difference that takes nothing away", line.difference(low, none), low],
    ["an intersection with nothing", line.intersection(low, none), none],
    ["an intersection of nothing", line.intersection(none, low), none],
    ["a difference of nothing", line.difference(none, low), none],
    ["a difference that takes itself away", line.difference(low, low), none],
  ])("%s", (_, made, expected) => expect(made).toBe(expected));
});

describe("a rest that many numbers share is processed once", () => {
  const asked: string[] = [];
  const seen =
    <T>(name: string, of: (a: Runs<boolean>, b: Runs<boolean>) => T) =>
    (a: Runs<boolean>, b: Runs<boolean>): T => {
      asked.push(name);
      return of(a, b);
    };
  const plane = over<Runs<boolean>, number>(
    {
      ...line,
      equal: seen("equal", line.equal),
      union: seen("union", line.union),
      intersection: seen("intersection", line.intersection),
      difference: seen("difference", line.difference),
      contains: seen("contains", line.contains),
    },
    NUMBERS,
  );
  /** Three sources of one set of destinations. */
  const product = (rest: Runs<boolean>) => [1, 3, 5].map((at) => ({ from: at, to: at, rest }));
  beforeEach(() => asked.splice(0));

  test.each(["union", "intersection", "difference"] as const)("by a %s", (name) => {
    const made = plane[name](product(low), product(high));
    expect(made).toEqual(product(line[name](low, high)));
    expect(new Set(made.map(({ rest }) => rest)).size).toBe(1);
    expect(asked).toEqual([name]);
  });

  test("by contains", () => {
    expect(plane.contains(product(run(1, 9)), product(low))).toBe(true);
    expect(asked).toEqual(["contains"]);
  });

  test("and not at all if both sides are the same set", () => {
    const set = product(low);
    expect([plane.contains(set, set), plane.equal(set, set)]).toEqual([true, true]);
    expect(
      plane.union(
        run(1, 2).map((one) => ({ ...one, rest: low })),
        [{ from: 3, to: 4, rest: low }],
      ),
    ).toEqual([{ from: 1, to: 4, rest: low }]);
    expect(asked).toEqual([]);
  });
});
